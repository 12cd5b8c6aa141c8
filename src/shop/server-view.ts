import type {Presenter} from '../output/presenter.js'
import type {ShopCredentials} from './credentials.js'

/** A server that accepts connections, as `server start -o json` prints it in one line. */
export interface Started {
  readonly url: string
  readonly pid: number
  /** The data folder. */
  readonly data: string
  /** Without the token. */
  readonly webhookUrl: string
  /** At the first start of the folder's shop only. */
  readonly credentials: ShopCredentials | null
}

/** What a start says to a person. */
export function startWords({url, pid, data, webhookUrl, credentials}: Started): string {
  const lines = [
    `The shop listens on ${url} (process ${pid}, data in ${data}).`,
    `Webhook: ${webhookUrl}`,
    `Interface, to read and try in a browser: ${url}/`,
  ]
  if (credentials) {
    lines.push(
      '',
      'Its credentials, made now and printed once; "storectl server credentials" shows them again:',
    )
    lines.push(...formatCredentialLines(credentials))
  } else {
    lines.push(`Credentials: ${formatCredentialsCommand(data)}`)
  }
  return `${lines.join('\n')}\n`
}

/** What prints the credentials of the shop in a folder, to be pasted. */
export function formatCredentialsCommand(data: string): string {
  const plain = /^[\w./~:@%+,-]+$/.test(data)
  return `storectl server credentials --data ${plain ? data : `'${data.replaceAll("'", `'\\''`)}'`}`
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

export const STARTED_VIEW = {
  noun: ['server', 'servers'] as const,
  id: 'url',
  columns: [{path: 'url'}, {path: 'pid'}, {path: 'data'}, {path: 'webhookUrl'}],
} as const

export const CREDENTIALS_VIEW = {
  noun: ['credentials', 'credentials'] as const,
  id: 'clientId',
  columns: [
    {path: 'clientId'},
    {path: 'clientSecret'},
    {path: 'username'},
    {path: 'password'},
    {path: 'webhookToken'},
    {path: 'providerClientId'},
    {path: 'providerClientSecret'},
  ],
} as const

export const SEEDED_VIEW = {
  noun: ['shop', 'shops'] as const,
  id: 'data',
  columns: [{path: 'customers'}, {path: 'orders'}, {path: 'seed'}, {path: 'data'}],
} as const

/** Prints that a server accepts connections: a record in JSON, lines for a person elsewhere. */
export async function presentStart(started: Started, presenter: Presenter): Promise<void> {
  if (presenter.isJson) return presenter.printOne({...started}, STARTED_VIEW)
  await presenter.write(startWords(started))
}
