import {StorectlError} from '../errors.js'
import {visible} from '../output/visible.js'
import type {Answer, Call} from './caller.js'

/** Values of a query that say nothing about a person or a secret. */
const HARMLESS = new Set(['page', 'limit', 'type'])

/**
 * What `--debug` shows of a call: method, address, outcome, time, names of headers and sizes. No value of a header or a
 * query, and nothing of a body, is in it: those hold tokens and customers.
 */
export function traceOf(call: Call, baseUrl: URL, end: Answer | Error, ms: number): string {
  const base = `${baseUrl.origin}${baseUrl.pathname.replace(/\/$/, '')}`
  const lines = [
    `debug: ${call.method} ${base}${masked(call.path)} -> ${outcome(end)} in ${Math.round(ms)} ms`,
    `debug:   sent ${bytes(call.body)} (${names(call.headers)})`,
  ]
  if (!(end instanceof Error)) lines.push(`debug:   received ${bytes(end.body)} (${names(end.headers)})`)
  return lines.map(visible).join('\n')
}

function masked(path: string): string {
  const [before = '', query] = path.split(/\?(.*)/s)
  if (query === undefined) return before
  const pairs = query.split('&').map(pair => {
    const [name = '', value] = pair.split(/=(.*)/s)
    return value === undefined || HARMLESS.has(name) ? pair : `${name}=***`
  })
  return `${before}?${pairs.join('&')}`
}

function outcome(end: Answer | Error): string {
  if (end instanceof StorectlError) return end.code
  return end instanceof Error ? end.name : String(end.status)
}

function bytes(body: string | Uint8Array | undefined): string {
  return `${body === undefined ? 0 : Buffer.byteLength(body)} bytes`
}

function names(headers: Call['headers'] | Answer['headers']): string {
  return Object.keys(headers ?? {})
    .map(name => name.toLowerCase())
    .sort()
    .join(', ')
}
