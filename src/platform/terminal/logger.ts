import {pino} from 'pino'
import {escapeControlsInLines} from '../../output/escape-controls.js'
import type {Sink} from '../streams.js'

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Most characters that are queued for a reader that does not read; further lines are lost until there is room. */
const MOST_WAITING = 1_000_000

/**
 * Opens a log, in lines for people or in JSON with UTC times, without host name. Lines that cannot be written are lost.
 */
export function openLog(sink: Sink, level: LogLevel, form: 'text' | 'json') {
  let waiting = 0
  const write = (json: string) => {
    const line = form === 'json' ? json : formatLine(JSON.parse(json))
    if (waiting > MOST_WAITING) return
    waiting += line.length
    const releaseLine = () => {
      waiting -= line.length
    }
    sink.write(line).then(releaseLine, releaseLine)
  }
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {level: label => ({level: label})},
    },
    {write},
  )
}

/** `18:26:01 POST /api/search/customer 200 35.2 ms`, in local time, from a line of pino. */
function formatLine({time, msg, method, path, status, ms, err}: Record<string, string>): string {
  const {stack = ''} = (err ?? {}) as {stack?: string}
  const what = method === undefined ? `${msg} ${stack}`.trim() : `${method} ${path} ${status} ${ms} ms`
  return `${new Date(time ?? '').toTimeString().slice(0, 8)} ${escapeControlsInLines(what)}\n`
}
