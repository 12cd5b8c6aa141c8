import {StorectlError} from '../../errors.js'

type Steps = readonly string[]

/** The driver has no code for it. */
const SPEAKS_NONE = /^(?:The server does not support SSL|There was an error establishing an SSL) connection/

const STATUS = 'storectl database status'

const BY_CODE: readonly (readonly [RegExp, Steps])[] = [
  [
    /^(?:SELF_SIGNED_CERT|DEPTH_ZERO|UNABLE_TO)/,
    ['add sslrootcert=FILE to the address: the PEM file of the authority that made its certificate', STATUS],
  ],
  [
    /^(?:ERR_TLS_CERT_ALTNAME|HOSTNAME_MISMATCH)/,
    ['name the host as its certificate does, or add sslmode=verify-ca to the address', STATUS],
  ],
  [/^CERT_/, ['see that its certificate is valid, and that the clock of this machine is right', STATUS]],
  [
    /^ERR_(?:TLS|SSL|OSSL)/,
    ['where it wants a certificate of ours, add sslcert=FILE and sslkey=FILE to the address', STATUS],
  ],
]

const LET_IT_SPEAK: Steps = [
  'let PostgreSQL speak TLS (ssl = on), or add sslmode=disable where nobody else can listen',
  STATUS,
]

/**
 * `unavailable.database` where TLS did not come about, so that nothing was sent.
 *
 * @returns `undefined` for an error that has nothing to do with TLS
 */
export function noTls(
  location: string,
  {code, message, cause}: {readonly code: string; readonly message: string; readonly cause: unknown},
): StorectlError | undefined {
  const isSpoken = !SPEAKS_NONE.test(message)
  const nextSteps = isSpoken ? BY_CODE.find(([codes]) => codes.test(code))?.[1] : LET_IT_SPEAK
  if (!nextSteps) return undefined
  const why = notForHost(cause) ?? message.trim().replace(/\.$/, '')
  return new StorectlError('unavailable.database', `There is no secure connection to ${location}: ${why}.`, {
    nextSteps,
    cause,
  })
}

/** Node's own words leave the names out where the host is an address. */
function notForHost(error: unknown): string | undefined {
  const {host, cert} = (error ?? {}) as {host?: string; cert?: {subjectaltname?: string}}
  return cert?.subjectaltname && `its certificate is not for ${host} but for ${cert.subjectaltname}`
}
