import {StorectlError} from '../../errors.js'

/**
 * Turns an error of the database into one that a person can act on; our own bugs are returned unchanged.
 *
 * Codes: `unavailable.database` (no connection), `unavailable.database_lost` (it broke),
 * `unavailable.database_timeout`, `unavailable.database_locked`, `unavailable.database_full` (no connection left),
 * `auth.database`, `usage.no_such_database`, `usage.query_too_large`, `usage.nul_in_text`, `internal.disk_full`,
 * `internal.database_read_only`, `internal.database_unreadable`, `internal.database_io`.
 *
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function explainPostgresError(error: unknown, location: string): unknown {
  if (error instanceof StorectlError) return error
  if (error instanceof DatabaseAwayError) {
    const explain =
      readErrorCode(error.cause) === TOO_MANY_CONNECTIONS ? createNoRoomError : createNoConnectionError
    return explain(location, error.cause)
  }
  const explain = BY_CODE.find(([codes]) => codes.test(readErrorCode(error)))?.[1]
  if (explain) return explain(location, error)
  if (isConnectionLost(error)) return createLostError(location, error)
  return (
    explainTlsError(location, {code: readErrorCode(error), message: readErrorMessage(error), cause: error}) ??
    error
  )
}

/** @see https://www.postgresql.org/docs/current/errcodes-appendix.html */
const TOO_MANY_CONNECTIONS = '53300'

/** The database was unavailable for too long; nothing was done. */
export class DatabaseAwayError extends Error {}

/** Whether the connection was lost, so that the result of the last request is unknown. */
export function isConnectionLost(error: unknown): boolean {
  const code = readErrorCode(error)
  return LOST_CODES.test(code) || LOST_SOCKET.test(code) || LOST_WORDS.test(readErrorMessage(error))
}

/** Whether it is a conflict that may not recur: a deadlock, a serialization failure, the same key at once. */
export function isConflict(error: unknown): boolean {
  return /^(?:40001|40P01|23505)$/.test(readErrorCode(error))
}

/** Whether it may be available again soon: it is starting, or failing over. */
export function isTemporarilyAway(error: unknown): boolean {
  return isConnectionLost(error) || /^(?:57P03|53300|ENOTFOUND|EAI_AGAIN)$/.test(readErrorCode(error))
}

/** Whether a key exists already: from a concurrent write, or for good. */
export function isKeyTaken(error: unknown): boolean {
  return readErrorCode(error) === '23505'
}

const LOST_CODES = /^(?:08...|57P0[125])$/
const LOST_SOCKET = /^(?:ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOENT)$/
const LOST_WORDS =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|timeout exceeded when trying to connect)/

type Explain = (location: string, cause: unknown) => StorectlError

const createLostError: Explain = (location, cause) =>
  new StorectlError(
    'unavailable.database_lost',
    `The connection to ${location} broke: ${readErrorMessage(cause)}.`,
    {
      nextSteps: ['run the command again; it looks up requests in flight first', 'storectl database status'],
      cause,
    },
  )

const createNoConnectionError: Explain = (location, cause) =>
  new StorectlError('unavailable.database', `Cannot connect to ${location}: ${readErrorMessage(cause)}.`, {
    nextSteps: ['check that PostgreSQL is running, and check host and port', 'storectl database status'],
    cause,
  })

const createRefusedError: Explain = (location, cause) =>
  new StorectlError('auth.database', `${location} refuses the sign-in: ${readErrorMessage(cause)}.`, {
    nextSteps: ['put the password into the file that PGPASSFILE names, or into STORECTL_DATABASE_URL'],
    cause,
  })

const createNoSuchDatabaseError: Explain = (location, cause) =>
  new StorectlError('usage.no_such_database', `${location} does not exist: ${readErrorMessage(cause)}.`, {
    nextSteps: ['createdb NAME   (once, by the PostgreSQL administrator)'],
    cause,
  })

const createNotAllowedError: Explain = (location, cause) =>
  new StorectlError('auth.database', `${location} does not allow it: ${readErrorMessage(cause)}.`, {
    nextSteps: ['grant all on schema public to ROLE   (once, by the PostgreSQL administrator)'],
    cause,
  })

const createLockedError: Explain = (location, cause) =>
  new StorectlError('unavailable.database_locked', `Other writers lock ${location}; nothing was written.`, {
    nextSteps: ['wait for the other command to finish, then run this one again'],
    cause,
  })

const createTimedOutError: Explain = (location, cause) =>
  new StorectlError('unavailable.database_timeout', `${location} cancelled a statement that took too long.`, {
    nextSteps: ['narrow the request, or check what else loads the database'],
    cause,
  })

const createNoRoomError: Explain = (location, cause) =>
  new StorectlError('unavailable.database_full', `${location} has no free connections.`, {
    nextSteps: ['close idle connections, or use PgBouncer'],
    cause,
  })

const createReadOnlyError: Explain = (location, cause) =>
  new StorectlError('internal.database_read_only', `${location} is read-only: it may be a replica.`, {
    nextSteps: ['use the address of the primary'],
    cause,
  })

const createDiskFullError: Explain = (location, cause) =>
  new StorectlError('internal.disk_full', `The disk of ${location} is full; the last write was not stored.`, {
    nextSteps: ['free some space, then run the command again'],
    cause,
  })

const createUnreadableError: Explain = (location, cause) =>
  new StorectlError('internal.database_unreadable', `${location} is damaged: ${readErrorMessage(cause)}.`, {
    cause,
  })

const createIoError: Explain = (location, cause) =>
  new StorectlError('internal.database_io', `The disk of ${location} failed.`, {cause})

const createTooLargeError: Explain = (_, cause) =>
  new StorectlError('usage.query_too_large', `The query is too large: ${readErrorMessage(cause)}.`, {
    cause,
  })

const createNulInTextError: Explain = (location, cause) =>
  new StorectlError('usage.nul_in_text', `${location} cannot store text with U+0000.`, {
    cause,
  })

const BY_CODE: readonly (readonly [RegExp, Explain])[] = [
  [/^(?:28...)$/, createRefusedError],
  [/^3D000$/, createNoSuchDatabaseError],
  [/^42501$/, createNotAllowedError],
  [/^(?:40001|40P01|55P03)$/, createLockedError],
  [/^57014$/, createTimedOutError],
  [/^53300$/, createNoRoomError],
  [/^(?:25006)$/, createReadOnlyError],
  [/^53100$/, createDiskFullError],
  [/^(?:58030|58P01)$/, createIoError],
  [/^XX00[12]$/, createUnreadableError],
  [/^(?:54...|53200)$/, createTooLargeError],
  [/^22021$/, createNulInTextError],
  [
    /^(?:57P03|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOENT)$/,
    createNoConnectionError,
  ],
]

function readErrorCode(error: unknown): string {
  if (error instanceof StorectlError) return readErrorCode(error.cause)
  const {code, errors} = (error ?? {}) as {code?: unknown; errors?: unknown[]}
  if (typeof code === 'string') return code
  return Array.isArray(errors) && errors.length > 0 ? readErrorCode(errors[0]) : ''
}

/** A host name with several addresses fails once for each of them. */
function readErrorMessage(error: unknown): string {
  if (error instanceof StorectlError) return readErrorMessage(error.cause)
  const {message, errors} = (error ?? {}) as {message?: unknown; errors?: unknown[]}
  if (!message && Array.isArray(errors) && errors.length > 0) return readErrorMessage(errors[0])
  return String(message ?? '').replace(/\.$/, '')
}

type Steps = readonly string[]

/** The driver has no error code for it. */
const NO_TLS = /^(?:The server does not support SSL|There was an error establishing an SSL) connection/

const STATUS = 'storectl database status'

const TLS_ERRORS_BY_CODE: readonly (readonly [RegExp, Steps])[] = [
  [
    /^(?:SELF_SIGNED_CERT|DEPTH_ZERO|UNABLE_TO)/,
    [
      'add sslrootcert=FILE to the address: the PEM file of the authority that issued its certificate',
      STATUS,
    ],
  ],
  [
    /^(?:ERR_TLS_CERT_ALTNAME|HOSTNAME_MISMATCH)/,
    ['name the host as its certificate does, or add sslmode=verify-ca to the address', STATUS],
  ],
  [/^CERT_/, ['check its certificate, and the clock of this machine', STATUS]],
  [
    /^ERR_(?:TLS|SSL|OSSL)/,
    ['if it requires a client certificate, add sslcert=FILE and sslkey=FILE to the address', STATUS],
  ],
]

const ENABLE_TLS: Steps = [
  'turn on TLS in PostgreSQL (ssl = on), or add sslmode=disable on a trusted network',
  STATUS,
]

/**
 * `unavailable.database` where TLS failed, so that nothing was sent.
 *
 * @returns `undefined` for an error that is not about TLS
 */
function explainTlsError(
  location: string,
  {code, message, cause}: {readonly code: string; readonly message: string; readonly cause: unknown},
): StorectlError | undefined {
  const isSpoken = !NO_TLS.test(message)
  const nextSteps = isSpoken ? TLS_ERRORS_BY_CODE.find(([codes]) => codes.test(code))?.[1] : ENABLE_TLS
  if (!nextSteps) return undefined
  const why = describeWrongHost(cause) ?? message.trim().replace(/\.$/, '')
  return new StorectlError('unavailable.database', `No TLS connection to ${location}: ${why}.`, {
    nextSteps,
    cause,
  })
}

/** Node's own message omits the names where the host is an IP address. */
function describeWrongHost(error: unknown): string | undefined {
  const {host, cert} = (error ?? {}) as {host?: string; cert?: {subjectaltname?: string}}
  return cert?.subjectaltname && `its certificate is not for ${host} but for ${cert.subjectaltname}`
}
