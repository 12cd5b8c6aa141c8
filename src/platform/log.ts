import {pino} from 'pino'
import type {Sink} from './streams.js'

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export type Logger = ReturnType<typeof openLog>

/** A log of JSON lines: UTC times, no host name. Lines that cannot be written are lost. */
export function openLog(sink: Sink, level: LogLevel) {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {level: label => ({level: label})},
    },
    {write: (line: string) => void sink.write(line).catch(() => undefined)},
  )
}
