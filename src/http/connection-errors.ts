import {StorectlError} from '../errors.js'
import {PROXY_CLOSED, PROXY_SILENT} from './proxy.js'

/** Failures that come before the first byte is sent. */
const BEFORE_SENDING = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EPROTO',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_INVALID_URL',
  PROXY_SILENT,
  PROXY_CLOSED,
])

/** What is known about a call without a response, besides the error. */
interface Unanswered {
  readonly baseUrl: URL
  /** The timeout that was reached; `undefined` for any other failure. */
  readonly timeoutMs: number | undefined
  /** Whether the environment names a proxy. */
  readonly isProxied: boolean
  /** Whether a client certificate was configured. */
  readonly showsCertificate: boolean
}

/**
 * The error for a call without a response.
 *
 * @returns code `unavailable.no_tls` when TLS fails until somebody changes the setup, `unavailable.not_connected` when
 * nothing was sent for any other reason, `unavailable.no_answer` when the call may have been sent
 */
export function createNoAnswerError(error: NodeJS.ErrnoException, unanswered: Unanswered): StorectlError {
  const {baseUrl, timeoutMs, isProxied, showsCertificate} = unanswered
  const code = findErrorCode(error)
  if (timeoutMs !== undefined) return createTimeoutError(error, baseUrl, timeoutMs, isProxied)
  const tls = explainTlsFailure(error, code, baseUrl, showsCertificate)
  if (tls) {
    const message = `No secure connection to ${baseUrl.origin}: ${tls.why}. Nothing was sent.`
    return createUnavailableError(tls.lasts ? 'no_tls' : 'not_connected', message, error, tls.nextSteps)
  }
  const [, status] = /Proxy response \((\d+)\)/.exec(error.message) ?? []
  if (status !== undefined) return createProxyRefusalError(error, baseUrl, status)
  if (BEFORE_SENDING.has(code)) return createNotConnectedError(error, code, baseUrl, isProxied)
  if (error.name === 'HTTPParserError') {
    const message = `${baseUrl.origin} does not answer in HTTP; the call may have been received.`
    return createUnavailableError('no_answer', message, error, [...suggestTls(baseUrl), WHICH_URL])
  }
  return createBrokenConnectionError(error, code, baseUrl, showsCertificate)
}

const WHICH_URL = 'storectl auth status   # shows the URL, and where it is set'
const WHICH_PROXY = 'env | grep -i proxy'

function createTimeoutError(
  error: Error,
  {origin}: URL,
  timeoutMs: number,
  isProxied: boolean,
): StorectlError {
  const message = `${origin} did not answer within ${timeoutMs / 1000} s; the call may have been received.`
  const longer = `storectl … --timeout ${Math.ceil((timeoutMs * 2) / 1000)}s   # if it is only slow`
  return createUnavailableError('no_answer', message, error, [longer, ...(isProxied ? [WHICH_PROXY] : [])])
}

function createProxyRefusalError(error: Error, {origin}: URL, status: string): StorectlError {
  if (status === '407') {
    const message = `The proxy requires a user and a password (407). Nothing was sent to ${origin}.`
    return createUnavailableError('not_connected', message, error, [
      `export HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT   # and HTTP_PROXY, if it is used`,
    ])
  }
  const message = `The proxy did not connect to ${origin}: it answered ${status}. Nothing was sent.`
  return createUnavailableError('not_connected', message, error, [WHICH_PROXY])
}

function createNotConnectedError(
  error: Error,
  code: string,
  {origin}: URL,
  isProxied: boolean,
): StorectlError {
  const message = `${origin} cannot be reached${isProxied ? ' through the proxy' : ''} (${code}). Nothing was sent.`
  return createUnavailableError('not_connected', message, error, [
    WHICH_URL,
    ...(isProxied ? [WHICH_PROXY] : []),
  ])
}

function createBrokenConnectionError(
  error: Error,
  code: string,
  baseUrl: URL,
  showsCertificate: boolean,
): StorectlError {
  const message = `${baseUrl.origin} closed the connection without a response (${code || error.message}); the call may have been received.`
  // With TLS 1.3 a server notices a missing certificate after the handshake, and some then just close the connection.
  const nextSteps =
    baseUrl.protocol === 'https:'
      ? suggestCertificate(showsCertificate).map(step => `${step}, if it asks for one`)
      : suggestTls(baseUrl)
  return createUnavailableError('no_answer', message, error, nextSteps)
}

/** A TLS port closes the connection on plain HTTP, or responds with something that is not HTTP. */
function suggestTls({protocol, href}: URL): string[] {
  if (protocol !== 'http:') return []
  return [`storectl … --url ${href.replace('http:', 'https:').replace(/\/$/, '')}   # if it speaks TLS there`]
}

/** The error for a response that is longer than the route's responses can be. */
export function createResponseTooLargeError({origin}: URL, mostBytes: number): StorectlError {
  const message = `${origin} answered with more than ${mostBytes / 1024 / 1024} MiB; the call was received.`
  return new StorectlError('unavailable.no_answer', message)
}

/** The error for a response that broke off after a part of it was passed on, so that the call cannot be repeated. */
export function createCutOffError({origin}: URL, takenBytes: number, cause: Error): StorectlError {
  return new StorectlError(
    'unavailable.cut_off',
    `${origin} cut off its response after ${takenBytes} bytes.`,
    {cause, nextSteps: ['run the command again']},
  )
}

function createUnavailableError(
  code: 'no_answer' | 'not_connected' | 'no_tls',
  message: string,
  cause: Error,
  nextSteps: readonly string[] = [],
): StorectlError {
  return new StorectlError(`unavailable.${code}`, message, {cause, nextSteps})
}

/** Node gathers the failures of several addresses (IPv6, IPv4) in one error without a code of its own. */
function findErrorCode(error: NodeJS.ErrnoException & {errors?: unknown[]}): string {
  const [first] = error.errors ?? []
  return error.code ?? (first as NodeJS.ErrnoException | undefined)?.code ?? ''
}

/** Why TLS failed, and what to do. */
interface NoTls {
  readonly why: string
  /** Whether it fails until somebody changes the setup. */
  readonly lasts: boolean
  readonly nextSteps: readonly string[]
}

/** TLS failures: the handshake did not complete, so nothing was sent. */
const HANDSHAKE = /^(CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH)/

/** Alerts for a client certificate that is refused or missing. @see RFC 8446 §6.2 */
const ABOUT_US = /ALERT_(CERTIFICATE|BAD_CERTIFICATE|HANDSHAKE|UNKNOWN_CA|ACCESS|UNSUPPORTED_CERTIFICATE)/

/** Sent with TLS 1.3 only. */
const MISSES_OURS = /ALERT_CERTIFICATE_REQUIRED/

const TRUST = 'storectl … --ca-file FILE   # the PEM file of the authority that issued the certificate'
const TRUST_HERE = 'export STORECTL_CA_FILE=/path/of/FILE   # for this shell'
const KEEP_TRUST = 'storectl config set ca-file /path/of/FILE   # for every command from here on'

const DOCTOR = 'storectl doctor'

type Reason = Omit<NoTls, 'lasts'>

type TlsError = NodeJS.ErrnoException & {readonly cert?: {readonly subjectaltname?: string}}

/**
 * The meaning of a failed handshake.
 *
 * @param code of the error, or of the first of several
 * @param showsCertificate whether `--cert` was given
 * @returns `undefined` for an error that is not about TLS
 */
function explainTlsFailure(
  error: TlsError,
  code: string,
  url: URL,
  showsCertificate: boolean,
): NoTls | undefined {
  const isHandshake =
    HANDSHAKE.test(code) || (code === 'ECONNRESET' && /TLS|socket disconnected before/.test(error.message))
  if (!isHandshake) return undefined
  const reason = CERTIFICATES[code]?.(error, url) ?? explainHandshake(error, code, url, showsCertificate)
  // A connection that just broke may be due to a restart, or to an overloaded proxy.
  return {...reason, lasts: code !== 'ECONNRESET', nextSteps: withDoctor(reason.nextSteps)}
}

function withDoctor(steps: readonly string[]): readonly string[] {
  return steps.some(step => step.startsWith(DOCTOR)) ? steps : [...steps, DOCTOR]
}

/** Next steps for a client certificate. */
function suggestCertificate(showsCertificate: boolean): string[] {
  return showsCertificate
    ? ['ask the shop’s operator which client certificate it accepts, and name it with --cert']
    : ['storectl … --cert FILE --key FILE   # present a client certificate']
}

const ownAuthority = () => ({
  why: 'its certificate is from an untrusted authority',
  nextSteps: [TRUST, TRUST_HERE, KEEP_TRUST],
})

const CERTIFICATES: Readonly<Record<string, (error: TlsError, url: URL) => Reason>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: () => ({
    why: 'its certificate is self-signed',
    nextSteps: [
      TRUST.replace('of the authority that issued the certificate', 'with that certificate'),
      TRUST_HERE,
      KEEP_TRUST,
    ],
  }),
  SELF_SIGNED_CERT_IN_CHAIN: ownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: ownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ownAuthority,
  CERT_HAS_EXPIRED: () => ({
    why: 'its certificate has expired',
    nextSteps: [`${DOCTOR}   # since when`, 'date -u   # a clock that is ahead makes it look so'],
  }),
  CERT_NOT_YET_VALID: () => ({
    why: 'its certificate is not valid yet',
    nextSteps: ['date -u   # a clock that is behind makes it look so'],
  }),
  ERR_TLS_CERT_ALTNAME_INVALID: ({cert}, {hostname}) => ({
    why: `its certificate is not for ${hostname}${cert?.subjectaltname ? ` but for ${toOneLine(cert.subjectaltname)}` : ''}`,
    nextSteps: ['storectl auth status   # shows the URL, and where it is set'],
  }),
}

function explainHandshake({message}: Error, code: string, url: URL, showsCertificate: boolean): Reason {
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG') {
    const plain = url.href.replace('https:', 'http:').replace(/\/$/, '')
    return {
      why: 'it does not speak TLS',
      nextSteps: [
        `storectl … --url ${plain}   # if the shop is meant to be called in the clear`,
        'else check the port',
      ],
    }
  }
  if (ABOUT_US.test(code)) {
    if (!showsCertificate && MISSES_OURS.test(code)) {
      return {why: 'it requires a client certificate', nextSteps: suggestCertificate(false)}
    }
    const why = showsCertificate
      ? 'it refuses the certificate of --cert'
      : 'it may require a client certificate'
    return {why: `it refused the handshake; ${why}`, nextSteps: suggestCertificate(showsCertificate)}
  }
  if (code === 'ECONNRESET') {
    const why = showsCertificate
      ? 'it may refuse the certificate of --cert'
      : 'it may not speak TLS, or may require a client certificate'
    return {
      why: `it aborted the handshake; ${why}`,
      nextSteps: [...suggestCertificate(showsCertificate), 'check the port'],
    }
  }
  return {why: toOneLine(message), nextSteps: []}
}

/** OpenSSL ends its messages with a line feed. */
function toOneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}
