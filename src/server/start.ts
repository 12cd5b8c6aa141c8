import type {Presenter} from '../output/presenter.js'
import {
  formatServerCommand,
  type ServeDeps,
  type ServeOptions,
  type ShopCredentials,
  type Started,
  serve,
} from '../shop/index.js'

/**
 * Runs the bundled shop until it is stopped, and notes when it accepts connections.
 *
 * @param isLocal whether it is the shop of the profile `local`
 * @throws StorectlError `conflict.server_running`, `conflict.port_in_use`, `usage.address_not_usable`, and as opening
 *   the shop's database does
 */
export function startBundledShop(
  options: ServeOptions,
  deps: Omit<ServeDeps, 'onReady'>,
  presenter: Presenter,
  isLocal: boolean,
): Promise<void> {
  return serve(options, {...deps, onReady: started => presentStart(started, presenter, isLocal)})
}

/** The start message for a person. */
function startWords({url, pid, data, webhookUrl, credentials}: Started, isLocal: boolean): string {
  const lines = [
    `The shop listens on ${url} (process ${pid}, data in ${data}).`,
    `Webhook: ${webhookUrl}`,
    `API docs: ${url}/`,
  ]
  if (credentials) {
    lines.push('', 'New credentials, printed once; "storectl server credentials" shows them again:')
    lines.push(...formatCredentialLines(credentials))
  } else {
    lines.push(`Credentials: ${formatServerCommand('credentials', data)}`)
  }
  lines.push('', 'Try in another terminal:', ...listTrials(data, isLocal))
  lines.push('Stop: Ctrl-C, or storectl server stop')
  return `${lines.join('\n')}\n`
}

function listTrials(data: string, isLocal: boolean): string[] {
  const format = (words: string) => (isLocal ? `storectl server ${words}` : formatServerCommand(words, data))
  const trials = [
    [format('seed'), 'customers and orders'],
    [format('trigger --old-token 20'), 'webhook calls that fail'],
    ...(isLocal ? [['storectl webhook diagnose', 'why they failed']] : []),
  ] as const
  const width = Math.max(...trials.map(([command]) => command.length))
  return trials.map(([command, what]) => `  ${command.padEnd(width)}   # ${what}`)
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
async function presentStart(started: Started, presenter: Presenter, isLocal: boolean): Promise<void> {
  if (presenter.isJson) return presenter.printOne({...started}, STARTED_VIEW)
  await presenter.write(startWords(started, isLocal))
}
