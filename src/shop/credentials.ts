import {join} from 'node:path'
import type {ShopWorld} from './runtime/shop-host.js'

/** What signs in to the bundled shop. Kept in a file for the owner alone; the database holds hashes. */
export interface Credentials {
  /** `SWIA…` */
  clientId: string
  clientSecret: string
  username: string
  password: string
  webhookToken: string
  /** Signs in to the provider that the server plays, as the next one. */
  providerClientId: string
  providerClientSecret: string
}

/** Where the credentials of a shop of ours are kept. */
function credentialsFile(dataFolder: string): string {
  return join(dataFolder, 'credentials')
}

/** The credentials of the shop in a data folder, `undefined` when there are none or the file is damaged. */
export function readCredentials(
  dataFolder: string,
  files: Pick<ShopWorld['files'], 'readTextIfThere'>,
): Credentials | undefined {
  const text = files.readTextIfThere(credentialsFile(dataFolder))
  return text === undefined ? undefined : parsed(text)
}

const NAMES = [
  ...(['clientId', 'clientSecret', 'username', 'password', 'webhookToken'] as const),
  ...(['providerClientId', 'providerClientSecret'] as const),
]

function parsed(text: string): Credentials | undefined {
  try {
    const found = JSON.parse(text) as Credentials | null
    return found && NAMES.every(name => typeof found[name] === 'string') ? found : undefined
  } catch {
    return undefined
  }
}

export function keepCredentials(
  dataFolder: string,
  credentials: Credentials,
  {files}: Pick<ShopWorld, 'files'>,
): void {
  files.writeWhole(credentialsFile(dataFolder), `${JSON.stringify(credentials, null, 2)}\n`)
}
