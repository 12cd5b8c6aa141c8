import {join} from 'node:path'
import {readJsonIfThere} from './announcement.js'
import type {FileReader, ShopHost} from './runtime.js'

/** The credentials of the bundled shop. They are stored in a file with mode 0600; the database has hashes. */
export interface ShopCredentials {
  /** `SWIA…` */
  clientId: string
  clientSecret: string
  username: string
  password: string
  webhookToken: string
  /** This and the next one are for the bundled provider. */
  providerClientId: string
  providerClientSecret: string
}

/** The path of the bundled shop's credentials file. */
function locateCredentialsFile(dataFolder: string): string {
  return join(dataFolder, 'credentials')
}

/** Whether the shop in a data folder was ever started or seeded, which creates its credentials. */
export function hasCredentials(dataFolder: string, files: FileReader): boolean {
  return files.readTextIfThere(locateCredentialsFile(dataFolder)) !== undefined
}

/** The credentials of the shop in a data folder, `undefined` when there are none or the file is damaged. */
export function readCredentials(dataFolder: string, files: FileReader): ShopCredentials | undefined {
  const found = readJsonIfThere(locateCredentialsFile(dataFolder), files) as
    | ShopCredentials
    | null
    | undefined
  return found && NAMES.every(name => typeof found[name] === 'string') ? found : undefined
}

const NAMES = [
  ...(['clientId', 'clientSecret', 'username', 'password', 'webhookToken'] as const),
  ...(['providerClientId', 'providerClientSecret'] as const),
]

export function keepCredentials(
  dataFolder: string,
  credentials: ShopCredentials,
  {files}: {readonly files: Pick<ShopHost['files'], 'writeWhole'>},
): void {
  files.writeWhole(locateCredentialsFile(dataFolder), `${JSON.stringify(credentials, null, 2)}\n`)
}

/** A command for the shop in a folder, to paste. @param words `credentials` */
export function formatServerCommand(words: string, data: string): string {
  const plain = /^[\w./~:@%+,-]+$/.test(data)
  return `storectl server ${words} --data ${plain ? data : `'${data.replaceAll("'", `'\\''`)}'`}`
}
