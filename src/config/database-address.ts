import {createUsageError, type StorectlError} from '../errors.js'
import {suggestNearest} from '../language/nearest-word.js'

const MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const

/** How a connection is kept from others, by libpq's own words; `prefer` and `allow` promise nothing and are not among them. */
export type TlsMode = (typeof MODES)[number]

/** A PostgreSQL database as its URL names it; what it leaves out is for the environment to say. */
export interface DatabaseAddress {
  readonly host: string | undefined
  readonly port: number | undefined
  readonly database: string | undefined
  readonly user: string | undefined
  readonly password: string | undefined
  readonly tls: {
    readonly mode: TlsMode | undefined
    /** Paths of PEM files. */
    readonly rootCert: string | undefined
    readonly cert: string | undefined
    readonly key: string | undefined
  }
}

const PARAMETERS = ['host', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const

/**
 * The database that a URL names: `postgres://user@host:5432/name?sslmode=verify-full`.
 *
 * @throws StorectlError `usage.database_url`; it never holds a password
 * @see https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS
 */
export function parseDatabaseAddress(text: string): DatabaseAddress {
  const url = parseUrl(text)
  const readParameter = (name: (typeof PARAMETERS)[number]) => url.searchParams.get(name) || undefined
  for (const name of url.searchParams.keys()) requireKnown(name)
  return {
    // The folder of a socket stands in its place, written with %2F, or as a parameter.
    host: readParameter('host') ?? (decodePart(url.hostname.replace(/^\[|\]$/g, '')) || undefined),
    port: url.port === '' ? undefined : Number(url.port),
    database: decodePart(url.pathname.slice(1)) || undefined,
    user: decodePart(url.username) || undefined,
    password: decodePart(url.password) || undefined,
    tls: {
      mode: parseTlsMode(readParameter('sslmode')),
      ...{
        rootCert: readParameter('sslrootcert'),
        cert: readParameter('sslcert'),
        key: readParameter('sslkey'),
      },
    },
  }
}

/** What a database is told apart by, and who asks. */
export interface DatabaseNames {
  /** A name, an address, or the folder of a socket. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
}

const PORT = 5432

/** What an address leaves out, as libpq's own variables have it, and as they leave it out. */
export function resolveDatabaseNames(
  {host, port, user, database}: DatabaseAddress,
  env: Readonly<Record<string, string | undefined>>,
): DatabaseNames {
  const whoever = user ?? (env.PGUSER || env.USER || env.USERNAME || 'postgres')
  return {
    host: host ?? (env.PGHOST || 'localhost'),
    port: port ?? Number(env.PGPORT || PORT),
    user: whoever,
    database: database ?? (env.PGDATABASE || whoever),
  }
}

/** The same address for people: its password, where it has one, is left out. */
export function removePassword(text: string): string {
  return text.replace(/^([a-z]+:\/\/[^:@/?#]*):[^@/?#]*@/i, '$1@')
}

function parseUrl(text: string): URL {
  if (/^postgres(?:ql)?:\/\//i.test(text)) {
    try {
      return new URL(text)
    } catch {
      // Said below, without the text: it may hold a password.
    }
  }
  throw createAddressError('Invalid PostgreSQL address')
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw createAddressError('Invalid percent-encoding in the PostgreSQL address')
  }
}

function requireKnown(name: string): void {
  if ((PARAMETERS as readonly string[]).includes(name)) return
  throw createAddressError(
    `Unknown parameter in the PostgreSQL address: "${name}".${suggestNearest(name, PARAMETERS)}`,
  )
}

function parseTlsMode(text: string | undefined): TlsMode | undefined {
  const mode = MODES.find(each => each === text)
  if (text === undefined || mode) return mode
  throw createAddressError(`sslmode is one of ${MODES.join(', ')}, not "${text}"`)
}

function createAddressError(what: string): StorectlError {
  return createUsageError('database_url', `${what.replace(/\.$/, '')}.`, [
    'export STORECTL_DATABASE_URL=postgres://USER@HOST:5432/NAME',
  ])
}
