import {StorectlError} from '../errors.js'
import {escapeControls} from '../output/escape-controls.js'
import type {Call, HttpResponse} from './http.js'

/** Query parameters that reveal no person and no secret. */
const HARMLESS = new Set(['page', 'limit', 'type'])

/** An e-mail address in a path. */
const ADDRESS = /@|%40/

/**
 * What `--debug` shows of a call: method, address, outcome, time, names of headers and sizes. It has no values of
 * headers or queries, and nothing of a body: those contain tokens and customer data.
 */
export function traceOf(call: Call, baseUrl: URL, end: HttpResponse | Error, ms: number): string {
  const base = `${baseUrl.origin}${baseUrl.pathname.replace(/\/$/, '')}`
  const lines = [
    `debug: ${call.method} ${base}${maskPath(call.path)} -> ${describeEnd(end)} in ${Math.round(ms)} ms`,
    `debug:   sent ${measureBody(call.body)} bytes (${listHeaderNames(call.headers)})`,
  ]
  if (!(end instanceof Error))
    lines.push(
      `debug:   received ${end.takenBytes ?? end.body.length} bytes (${listHeaderNames(end.headers)})`,
    )
  return lines.map(escapeControls).join('\n')
}

function maskPath(path: string): string {
  const [before = '', query] = path.split(/\?(.*)/s)
  const maskedPath = before
    .split('/')
    .map(part => (ADDRESS.test(part) ? '***' : part))
    .join('/')
  if (query === undefined) return maskedPath
  const pairs = query.split('&').map(pair => {
    const [name = '', value] = pair.split(/=(.*)/s)
    if (value === undefined) return '***'
    return HARMLESS.has(name) ? pair : `${name}=***`
  })
  return `${maskedPath}?${pairs.join('&')}`
}

function describeEnd(end: HttpResponse | Error): string {
  if (end instanceof StorectlError) return end.code
  return end instanceof Error ? end.name : String(end.status)
}

function measureBody(body: Call['body']): number {
  if (body === undefined) return 0
  return typeof body === 'object' && 'sizeBytes' in body ? body.sizeBytes : Buffer.byteLength(body)
}

function listHeaderNames(headers: Call['headers'] | HttpResponse['headers']): string {
  return Object.keys(headers ?? {})
    .map(name => name.toLowerCase())
    .sort()
    .join(', ')
}
