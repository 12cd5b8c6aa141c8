import {StorectlError} from '../errors.js'

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
])

const SHOW_ONE = 'storectl … --cert FILE --key FILE   # show a certificate'

/** TLS failures: the handshake never ended, so nothing was sent. */
const HANDSHAKE = /^(CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH)/

/**
 * The error for a call that got no answer.
 *
 * @param timeoutMs the time-out that struck, `undefined` when it was something else
 * @param isProxied whether the environment names a proxy
 * @returns code `unavailable.not_connected` when nothing was sent, `unavailable.no_answer` when it may have been
 */
export function noAnswer(
  error: NodeJS.ErrnoException,
  baseUrl: URL,
  timeoutMs: number | undefined,
  isProxied = false,
): StorectlError {
  const code = codeOf(error)
  const where = baseUrl.origin
  if (timeoutMs !== undefined) {
    return failed(
      'no_answer',
      `${where} did not answer within ${timeoutMs / 1000} s; the call may have been received.`,
      error,
    )
  }
  if (
    HANDSHAKE.test(code) ||
    (code === 'ECONNRESET' && /TLS|socket disconnected before/.test(error.message))
  ) {
    const isPlain = code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG'
    const why = isPlain ? 'it does not speak TLS' : oneLine(error.message)
    const wantsUs = /ALERT_(CERTIFICATE|BAD_CERTIFICATE|HANDSHAKE|UNKNOWN_CA|ACCESS)/.test(code)
    return failed(
      'not_connected',
      `No secure connection to ${where}: ${why}. Nothing was sent.`,
      error,
      isPlain
        ? ['check the port, and whether the URL should begin with http://']
        : [wantsUs ? SHOW_ONE : 'storectl … --ca-file FILE   # trust your own certificate authority'],
    )
  }
  const [, refused] = /Proxy response \((\d+)\)/.exec(error.message) ?? []
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
      'storectl auth status   # which URL is used, and where it comes from',
    ])
  }
  const said = code || error.message
  return failed(
    'no_answer',
    `${where} broke the connection without an answer (${said}); the call may have been received.`,
    error,
    // With TLS 1.3 a certificate is missed after the handshake, and undici hears of the closing alone.
    baseUrl.protocol === 'https:' ? [`${SHOW_ONE}, if it asks for one`] : [],
  )
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
  code: 'no_answer' | 'not_connected',
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

/** OpenSSL ends its messages with a line feed. */
function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}
