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

/** What is known of a call that got no answer, besides the error. */
interface Unanswered {
  readonly baseUrl: URL
  /** The time-out that struck; `undefined` when it was something else. */
  readonly timeoutMs: number | undefined
  /** Whether the environment names a proxy. */
  readonly isProxied: boolean
  /** Whether a certificate of ours would have been shown. */
  readonly showsCertificate: boolean
}

/**
 * The error for a call that got no answer.
 *
 * @returns code `unavailable.no_tls` when there can be no secure connection until somebody sees to it, and
 * `unavailable.not_connected` for every other reason that nothing was sent; `unavailable.no_answer` when it may have been
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
  // With TLS 1.3 a certificate is missed after the handshake, and some servers close the connection without a word.
  const nextSteps =
    baseUrl.protocol === 'https:'
      ? suggestCertificate(showsCertificate).map(step => `${step}, if it asks for one`)
      : suggestTls(baseUrl)
  return createUnavailableError('no_answer', message, error, nextSteps)
}

/** A port that speaks TLS closes the connection on plain HTTP, or answers in no HTTP. */
function suggestTls({protocol, href}: URL): string[] {
  if (protocol !== 'http:') return []
  return [`storectl … --url ${href.replace('http:', 'https:').replace(/\/$/, '')}   # if it speaks TLS there`]
}

/** The error for an answer that is longer than what was called can answer. */
export function createResponseTooLargeError({origin}: URL, mostBytes: number): StorectlError {
  const message = `${origin} answered with more than ${mostBytes / 1024 / 1024} MiB; the call was received.`
  return new StorectlError('unavailable.no_answer', message)
}

/** The error for an answer that broke off after some of it had been handed on, so that it cannot be asked for again. */
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

/** Why no secure connection came about, and what to do. */
interface NoTls {
  readonly why: string
  /** Whether it stays so until somebody does something about it. */
  readonly lasts: boolean
  readonly nextSteps: readonly string[]
}

/** TLS failures: the handshake never ended, so nothing was sent. */
const HANDSHAKE = /^(CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH)/

/** How the other side says that it takes no certificate, or misses one. @see RFC 8446 §6.2 */
const ABOUT_US = /ALERT_(CERTIFICATE|BAD_CERTIFICATE|HANDSHAKE|UNKNOWN_CA|ACCESS|UNSUPPORTED_CERTIFICATE)/

/** With TLS 1.3 alone. */
const MISSES_OURS = /ALERT_CERTIFICATE_REQUIRED/

const TRUST = 'storectl … --ca-file FILE   # the PEM file of the authority that issued the certificate'
const TRUST_HERE = 'export STORECTL_CA_FILE=/path/of/FILE   # for this shell'
const KEEP_TRUST = 'storectl config set ca-file /path/of/FILE   # for every command from here on'

const DOCTOR = 'storectl doctor'

type Reason = Omit<NoTls, 'lasts'>

type TlsError = NodeJS.ErrnoException & {readonly cert?: {readonly subjectaltname?: string}}

/**
 * What a failed handshake means.
 *
 * @param code of the error, or of the first of several
 * @param showsCertificate whether `--cert` was given
 * @returns `undefined` for an error that has nothing to do with TLS
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
  // A connection that only broke may have met a restart, or a proxy that was short of something.
  return {...reason, lasts: code !== 'ECONNRESET', nextSteps: withDoctor(reason.nextSteps)}
}

function withDoctor(steps: readonly string[]): readonly string[] {
  return steps.some(step => step.startsWith(DOCTOR)) ? steps : [...steps, DOCTOR]
}

/** The ways to show a certificate, as steps. */
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
