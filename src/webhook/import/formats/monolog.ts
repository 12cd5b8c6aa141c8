import {isObject} from '../../../language/json-object.js'
import type {CapturedAnswer, CapturedRequest} from './captured-request.js'

/** What the payment extension writes before each of its reasons. */
const LABEL = /^\[\w+ Webhook\]\s*/

/** What the shop answers to a notification that it could not handle. @see protocol.md §4.6 */
const REFUSED = 400

/** Levels of Monolog from which on a message is a failure. @see RFC 5424 §6.2.1 */
const FAILURES = new Set(['WARNING', 'ERROR', 'CRITICAL', 'ALERT', 'EMERGENCY'])

/** A line of Monolog before its context: `[2026-11-20T10:00:00.000000+00:00] app.ERROR: `. */
const PREFIX = /\[(\d{4}-\d{2}-\d{2}[T ][\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)\] [\w.-]+\.([A-Z]+): (.*)$/s

/**
 * A notification that Shopware wrote into its own log, with the reason why it failed.
 *
 * @param before what stands in the line before the context
 * @param context of the message; `webhook` is the event as text
 */
export function parseMonologContext(
  before: string,
  context: Readonly<Record<string, unknown>>,
): CapturedRequest | undefined {
  const [, time, level, message] = PREFIX.exec(before.trimEnd()) ?? []
  return toRequest(context, {time, level, message})
}

/** The same of a log in JSON. */
export function parseMonologRecord(value: Readonly<Record<string, unknown>>): CapturedRequest | undefined {
  const {context, message, level_name: level, datetime} = value
  return isObject(context) ? toRequest(context, {time: datetime, level, message}) : undefined
}

interface LogHead {
  readonly time: unknown
  readonly level: unknown
  readonly message: unknown
}

function toRequest(
  {webhook}: Readonly<Record<string, unknown>>,
  {time, level, message}: LogHead,
): CapturedRequest | undefined {
  const body = typeof webhook === 'string' ? webhook : isObject(webhook) ? JSON.stringify(webhook) : undefined
  if (body === undefined) return undefined
  const at = new Date(typeof time === 'string' ? time : Number.NaN)
  return {
    ...{method: undefined, target: undefined, headers: [], body: Buffer.from(body)},
    at: Number.isNaN(at.getTime()) ? undefined : at,
    answer: toAnswer(level, message),
  }
}

function toAnswer(level: unknown, message: unknown): CapturedAnswer | undefined {
  if (typeof level !== 'string' || !FAILURES.has(level) || typeof message !== 'string') return undefined
  return {status: REFUSED, reason: message.replace(LABEL, '').trim()}
}
