import {join} from 'node:path'
import type {Credentials} from './credentials.js'
import type {ShopWorld} from './runtime/shop-host.js'

/** Where the credentials of a shop of ours are kept. */
export function credentialsFile(dataFolder: string): string {
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

const NAMES = ['clientId', 'clientSecret', 'username', 'password', 'webhookToken'] as const

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
