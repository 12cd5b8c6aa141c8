import {StorectlError} from '../errors.js'
import {noTls, showing} from './no-tls.js'
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
export interface Unanswered {
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
export function noAnswer(error: NodeJS.ErrnoException, unanswered: Unanswered): StorectlError {
  const {baseUrl, timeoutMs, isProxied, showsCertificate} = unanswered
  const code = codeOf(error)
  const where = baseUrl.origin
  if (timeoutMs !== undefined) {
    return failed(
      'no_answer',
      `${where} did not answer within ${timeoutMs / 1000} s; the call may have been received.`,
      error,
      [
        `storectl … --timeout ${Math.ceil((timeoutMs * 2) / 1000)}s   # if it is only slow`,
        ...(isProxied ? ['env | grep -i proxy'] : []),
      ],
    )
  }
  const tls = noTls(error, code, baseUrl, showsCertificate)
  if (tls) {
    return failed(
      tls.lasts ? 'no_tls' : 'not_connected',
      `No secure connection to ${where}: ${tls.why}. Nothing was sent.`,
      error,
      tls.nextSteps,
    )
  }
  const [, refused] = /Proxy response \((\d+)\)/.exec(error.message) ?? []
  if (refused === '407') {
    return failed(
      'not_connected',
      `The proxy wants a user and a password of its own, or others (407). Nothing was sent to ${where}.`,
      error,
      [`export HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT   # and HTTP_PROXY, if it is used`],
    )
  }
  if (refused !== undefined) {
    return failed(
      'not_connected',
      `The proxy did not connect to ${where}: it answered ${refused}. Nothing was sent.`,
      error,
      ['env | grep -i proxy'],
    )
  }
  if (BEFORE_SENDING.has(code)) {
    const through = isProxied ? ' through the proxy' : ''
    return failed(
      'not_connected',
      `${where} cannot be reached${through} (${code}). Nothing was sent.`,
      error,
      [
        'storectl auth status   # which URL is used, and where it comes from',
        ...(isProxied ? ['env | grep -i proxy'] : []),
      ],
    )
  }
  if (error.name === 'HTTPParserError') {
    return failed('no_answer', `${where} does not answer in HTTP; the call may have been received.`, error, [
      ...inTls(baseUrl),
      'storectl auth status   # which URL is used, and where it comes from',
    ])
  }
  const said = code || error.message
  return failed(
    'no_answer',
    `${where} broke the connection without an answer (${said}); the call may have been received.`,
    error,
    // With TLS 1.3 a certificate is missed after the handshake, and some servers close the connection without a word.
    baseUrl.protocol === 'https:'
      ? showing(showsCertificate).map(step => `${step}, if it asks for one`)
      : inTls(baseUrl),
  )
}

/** A port that speaks TLS closes the connection on plain HTTP, or answers in no HTTP. */
function inTls({protocol, href}: URL): string[] {
  if (protocol !== 'http:') return []
  return [`storectl … --url ${href.replace('http:', 'https:').replace(/\/$/, '')}   # if it speaks TLS there`]
}

/** The error for an answer that is too long to be kept. */
export function tooMuch({origin}: URL): StorectlError {
  const message = `${origin} answered with more than a shop does; the call was received.`
  return new StorectlError('unavailable.no_answer', message)
}

/** The error for an answer that broke off after some of it had been handed on, so that it cannot be asked for again. */
export function cutOff({origin}: URL, takenBytes: number, cause: Error): StorectlError {
  return new StorectlError(
    'unavailable.cut_off',
    `${origin} broke off its answer after ${takenBytes} bytes: what there is of it is not all.`,
    {cause, nextSteps: ['run the command again']},
  )
}

function failed(
  code: 'no_answer' | 'not_connected' | 'no_tls',
  message: string,
  cause: Error,
  nextSteps: readonly string[] = [],
): StorectlError {
  return new StorectlError(`unavailable.${code}`, message, {cause, nextSteps})
}

/** Node gathers the failures of several addresses (IPv6, IPv4) in one error without a code of its own. */
function codeOf(error: NodeJS.ErrnoException & {errors?: unknown[]}): string {
  const [first] = error.errors ?? []
  return error.code ?? (first as NodeJS.ErrnoException | undefined)?.code ?? ''
}
