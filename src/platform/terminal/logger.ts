import {pino} from 'pino'
import type {Sink} from '../streams.js'

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Characters that wait for a reader who has stopped reading; further lines are lost until there is room again. */
const MOST_WAITING = 1_000_000

/** A log of JSON lines: UTC times, no host name. Lines that cannot be written are lost. */
export function openLog(sink: Sink, level: LogLevel) {
  let waiting = 0
  const write = (line: string) => {
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
