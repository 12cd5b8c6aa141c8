import type {Presenter} from '../output/presenter.js'
import {
  formatCredentialsCommand,
  type ServeDeps,
  type ServeOptions,
  type ShopCredentials,
  type Started,
  serve,
} from '../shop/index.js'

/**
 * Runs the bundled shop until it is told to stop, and says when it accepts connections.
 *
 * @throws StorectlError `conflict.server_running`, `conflict.port_in_use`, `usage.address_not_usable`, and as opening the
 *   shop's database does
 */
export function startBundledShop(
  options: ServeOptions,
  deps: Omit<ServeDeps, 'onReady'>,
  presenter: Presenter,
): Promise<void> {
  return serve(options, {...deps, onReady: started => presentStart(started, presenter)})
}

/** What a start says to a person. */
function startWords({url, pid, data, webhookUrl, credentials}: Started): string {
  const lines = [
    `The shop listens on ${url} (process ${pid}, data in ${data}).`,
    `Webhook: ${webhookUrl}`,
    `API docs: ${url}/`,
  ]
  if (credentials) {
    lines.push('', 'New credentials, printed once; "storectl server credentials" shows them again:')
    lines.push(...formatCredentialLines(credentials))
  } else {
    lines.push(`Credentials: ${formatCredentialsCommand(data)}`)
  }
  return `${lines.join('\n')}\n`
}

function formatCredentialLines(credentials: ShopCredentials): string[] {
  const names: readonly (readonly [string, string])[] = [
    ['client id', credentials.clientId],
    ['client secret', credentials.clientSecret],
    ['user name', credentials.username],
    ['password', credentials.password],
    ['webhook token', credentials.webhookToken],
    ["provider's id", credentials.providerClientId],
    ["provider's secret", credentials.providerClientSecret],
  ]
  return names.map(([name, value]) => `  ${name.padEnd(19)}${value}`)
}

const STARTED_VIEW = {
  noun: ['server', 'servers'] as const,
  id: 'url',
  columns: [{path: 'url'}, {path: 'pid'}, {path: 'data'}, {path: 'webhookUrl'}],
} as const

/** Prints that a server accepts connections: a record in JSON, lines for a person elsewhere. */
export async function presentStart(started: Started, presenter: Presenter): Promise<void> {
  if (presenter.isJson) return presenter.printOne({...started}, STARTED_VIEW)
  await presenter.write(startWords(started))
}
