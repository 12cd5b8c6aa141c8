/** Environment variables that hold a secret. */
export const SECRET_VARIABLES = [
  'STORECTL_TOKEN',
  'STORECTL_CLIENT_SECRET',
  'STORECTL_PASSWORD',
  'STORECTL_WEBHOOK_TOKEN',
  'STORECTL_PROVIDER_CLIENT_SECRET',
  'PGPASSWORD',
] as const

/** Variables that hold addresses, and with some of them a password. */
const ADDRESSES = /(?:_proxy|_url)$/i

/** The secrets that the environment holds: those of our own variables, and the passwords in addresses of proxies. */
export function secretsIn(env: Readonly<Record<string, string | undefined>>): string[] {
  const own = SECRET_VARIABLES.map(variable => env[variable] ?? '')
  const addresses = Object.keys(env).filter(name => ADDRESSES.test(name))
  return [...own, ...addresses.flatMap(name => passwordsIn(env[name] ?? ''))]
}

/** As it is written and as it is meant; a user without a password is a token. */
function passwordsIn(address: string): string[] {
  const [, user = '', password = ''] =
    /^(?:[a-z][a-z0-9+.-]*:\/\/)?([^/?#:]*):?([^/?#]*)@/i.exec(address) ?? []
  const secret = password || user
  try {
    return [secret, decodeURIComponent(secret)]
  } catch {
    return [secret]
  }
}
