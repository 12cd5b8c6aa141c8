import {createUsageError} from '../errors.js'
import {OUTPUT_FORMATS, type OutputFormat} from '../language/output-formats.js'
import {parseDurationMs} from '../language/quantities.js'
import {type DatabaseAddress, parseDatabaseAddress, removePassword} from './database-address.js'

/** The parsed values of settings. */
export interface SettingValues {
  profile: string
  output: OutputFormat
  /** Milliseconds for one whole call. */
  timeout: number
  /** Milliseconds until a connection stands. */
  'connect-timeout': number
  /** Path of a PEM file. */
  'ca-file': string
  /** Path of a PEM file. */
  cert: string
  /** Path of a PEM file. */
  key: string
  /** A PostgreSQL database in place of files. */
  database: DatabaseAddress
}

export type SettingKey = keyof SettingValues

export interface Setting<Value> {
  readonly about: string
  readonly env: string
  /** All its values, if they are a list. */
  readonly choices?: readonly string[]
  /** The default text; none means that it is off. */
  readonly preset?: string
  /** The text without a secret that it may hold. Texts with one are taken from the environment alone. */
  readonly shown?: (text: string) => string
  /** @throws StorectlError `usage.…` with what is allowed */
  readonly parse: (text: string) => Value
}

/** Every setting, in the order of lists. */
export const SETTINGS: {readonly [Key in SettingKey]: Setting<SettingValues[Key]>} = {
  profile: {
    about: 'Current profile',
    env: 'STORECTL_PROFILE',
    preset: 'local',
    parse: parseProfileName,
  },
  output: {
    about: 'Output format (default: table on a terminal, TSV in a pipe)',
    env: 'STORECTL_OUTPUT',
    choices: OUTPUT_FORMATS,
    parse: parseOutputFormat,
  },
  timeout: {
    about: 'Max time per request',
    env: 'STORECTL_TIMEOUT',
    preset: '30s',
    parse: parsePositiveDuration,
  },
  'connect-timeout': {
    about: 'Max time to connect',
    env: 'STORECTL_CONNECT_TIMEOUT',
    preset: '5s',
    parse: parsePositiveDuration,
  },
  'ca-file': {
    about: 'Additional trusted CA certificate (PEM)',
    env: 'STORECTL_CA_FILE',
    parse: text => text,
  },
  cert: {
    about: 'Client certificate (PEM)',
    env: 'STORECTL_CERT',
    parse: text => text,
  },
  key: {
    about: 'Client certificate private key (PEM)',
    env: 'STORECTL_KEY',
    parse: text => text,
  },
  database: {
    about: 'PostgreSQL database for records and the bundled shop, instead of files',
    env: 'STORECTL_DATABASE_URL',
    shown: removePassword,
    parse: parseDatabaseAddress,
  },
}

export const SETTING_KEYS = Object.keys(SETTINGS) as SettingKey[]

/**
 * Refuses a secret where others may read it: in a process's arguments, or in a file that is not secret.
 *
 * @param from where the text stands
 * @throws StorectlError `usage.password_in_argv`
 */
export function refuseSecret(key: SettingKey, text: string, from: string): void {
  const {shown, env}: Setting<unknown> = SETTINGS[key]
  if (shown === undefined || shown(text) === text) return
  throw createUsageError(
    'password_in_argv',
    `This ${key} contains a password, which ${from} must not contain.`,
    [
      'put HOST:PORT:NAME:USER:PASSWORD into a file of mode 0600, and export PGPASSFILE=FILE',
      `or put all of it into ${env}`,
    ],
  )
}

/**
 * A profile's name: up to 64 of letters, digits, `.`, `_` and `-`, not starting with a dot or dash.
 *
 * @throws StorectlError `usage.profile_name`
 */
export function parseProfileName(text: string): string {
  if (/^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$/.test(text)) return text
  throw createUsageError(
    'profile_name',
    `"${text}" cannot be the name of a profile: letters, digits, ".", "_" and "-", up to 64.`,
  )
}

function parseOutputFormat(text: string): OutputFormat {
  const format = OUTPUT_FORMATS.find(each => each === text)
  if (format) return format
  throw createUsageError('output', `"${text}" is not a format: ${OUTPUT_FORMATS.join(', ')}.`)
}

function parsePositiveDuration(text: string): number {
  const ms = parseDurationMs(text)
  if (ms > 0 && ms <= 86_400_000) return ms
  throw createUsageError('duration', `"${text}" cannot be a time-out: more than 0, at most 1d.`)
}
