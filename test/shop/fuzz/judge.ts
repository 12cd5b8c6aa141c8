import {connect} from 'node:net'
import type {FuzzRequest} from './requests.js'

const LONGEST_MS = 10_000

/** How long a server may wait for the rest of what may be half a request. */
const PATIENCE_MS = 300

/**
 * Sends the bytes on a connection of their own, and gives all that comes back.
 *
 * @returns `undefined` when nothing came back and nothing had to
 */
export function exchange(port: number, {bytes, mayWait}: FuzzRequest): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    const timer = setTimeout(
      () => {
        socket.destroy()
        if (!mayWait) reject(new Error('no answer'))
      },
      mayWait ? PATIENCE_MS : LONGEST_MS,
    )
    socket.on('data', chunk => chunks.push(chunk))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(chunks.length === 0 && mayWait ? undefined : Buffer.concat(chunks))
    })
  })
}

/** What an engine says of a mistake of ours; no refusal of the shop's has such words. */
const MISTAKES =
  /cannot read prop|is not a function|is not iterable|undefined|is not defined|maximum call stack|sqlite|no such (column|table)|syntax error|constraint failed|\n\s+at |node:/i

/**
 * What is wrong with an answer, `undefined` when nothing is.
 *
 * @param shown the request; where it is to the payment provider, the answer may have the provider's layout
 */
export function faultOf(answer: Buffer | undefined, shown = ''): string | undefined {
  if (!answer) return undefined
  const end = answer.indexOf('\r\n\r\n')
  if (end < 0) return 'no HTTP answer'
  const [start = '', ...lines] = answer.subarray(0, end).toString('latin1').split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(start)?.[1])
  if (!(status >= 100 && status < 600)) return `no status: ${start}`
  if (status < 200) return faultOf(answer.subarray(end + 4), shown)
  const headers = new Map(
    lines.map(line => [line.split(':', 1)[0]?.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const body = answer.subarray(end + 4)
  const type = headers.get('content-type') ?? ''
  if (status >= 400 && /^\w+ \/provider\//.test(shown) && isProviderRefusal(body)) return undefined
  if (status >= 400) return envelopeFault(status, type, body)
  return type.includes('json') && body.length > 0 && parsed(body) === undefined ? 'no JSON' : undefined
}

/** @see RFC 6749 §5.2 for its authorization server */
function isProviderRefusal(body: Buffer): boolean {
  const {name, message, error} = (parsed(body) ?? {}) as Record<string, unknown>
  const said = [message, error].filter(each => typeof each === 'string')
  return (typeof error === 'string' || typeof name === 'string') && said.every(each => !MISTAKES.test(each))
}

function envelopeFault(status: number, type: string, body: Buffer): string | undefined {
  if (type !== 'application/json') return `an error as ${type}`
  if (body.length === 0) return undefined
  if (body.some(byte => byte > 127 || byte < 32)) return 'characters that are not escaped'
  const {errors} = (parsed(body) ?? {}) as {errors?: Record<string, unknown>[]}
  if (!Array.isArray(errors) || errors.length === 0) return 'no envelope'
  for (const {status: said, code, detail} of errors) {
    if (said !== String(status)) return `status ${said} in an answer of ${status}`
    if (typeof code !== 'string') return 'no code'
    if (detail !== null && typeof detail !== 'string') return 'no detail'
    if (status >= 500 && MISTAKES.test(detail ?? '')) return `a mistake of ours: ${detail}`
  }
  return undefined
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(body))
  } catch {
    return undefined
  }
}
