import process from 'node:process'

/** The shop that the suite is aimed at, as `run.js` hands it on. */
export interface Aim {
  /** Without a trailing slash. */
  url: string
  provider: string
  tokenPrefix: string
  clientId: string
  clientSecret: string
  /** What needs a user is left out without one. */
  username?: string
  password?: string
  /** What needs the payment provider's token is left out without one. */
  webhookToken?: string
}

/** Where the suite is aimed; `undefined` means the bundled server. */
export function aim(environment: NodeJS.ProcessEnv = process.env): Aim | undefined {
  const flags = environment.STORECTL_CONFORMANCE
  if (!flags) return undefined
  const {STORECTL_CLIENT_SECRET, STORECTL_PASSWORD, STORECTL_WEBHOOK_TOKEN} = environment
  return {
    ...JSON.parse(flags),
    clientSecret: STORECTL_CLIENT_SECRET ?? '',
    ...(STORECTL_PASSWORD ? {password: STORECTL_PASSWORD} : {}),
    ...(STORECTL_WEBHOOK_TOKEN ? {webhookToken: STORECTL_WEBHOOK_TOKEN} : {}),
  }
}
