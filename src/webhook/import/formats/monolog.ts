import {isObject} from '../../../language/json-object.js'
import {PROVIDERS} from '../../../providers/providers.js'
import type {CapturedAnswer, CapturedRequest} from './captured-request.js'

/** The shop's answer to a notification that it could not handle. @see protocol.md §4.6 */
const REFUSED = 400

/** Levels of Monolog from which on a message is a failure. @see RFC 5424 §6.2.1 */
const FAILURES = new Set(['WARNING', 'ERROR', 'CRITICAL', 'ALERT', 'EMERGENCY'])

/** A record up to its context: `[2026-11-20T10:00:00.000000+00:00] app.ERROR: …`, after a prefix of kubectl. */
const PREFIX =
  /^(?:\[pod\/[^\]\s]+\] )?\[(\d{4}-\d{2}-\d{2}[T ][\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)\] ([\w-]+)\.([A-Z]+): (.*)$/s

/** The text after the context: what Monolog adds to every record. */
const EXTRA = /^(\[\]|\{.*\})?$/s

/**
 * A notification that the plugin wrote into the shop's own log, with the reason why it failed. The whole line must be
 * one record of the plugin: other records may contain a stranger's text.
 *
 * @param before the part of the line before the context
 * @param context of the message; `webhook` is the event as text
 * @param after the part of the line after it
 */
export function parseMonologContext(
  before: string,
  context: Readonly<Record<string, unknown>>,
  after: string,
): CapturedRequest | undefined {
  const [, time, channel, level, message] = PREFIX.exec(before.trimEnd()) ?? []
  return EXTRA.test(after.trim()) ? toRequest(context, {time, channel, level, message}) : undefined
}

/** The same of a log in JSON. @param value the whole line */
export function parseMonologRecord(value: Readonly<Record<string, unknown>>): CapturedRequest | undefined {
  const {context, message, channel, level_name: level, datetime} = value
  return isObject(context) ? toRequest(context, {time: datetime, channel, level, message}) : undefined
}

interface LogHead {
  readonly time: unknown
  readonly channel: unknown
  readonly level: unknown
  readonly message: unknown
}

function toRequest(
  context: Readonly<Record<string, unknown>>,
  {time, channel, level, message}: LogHead,
): CapturedRequest | undefined {
  const label = findLabel(channel)
  if (label === undefined || typeof message !== 'string' || !message.startsWith(label)) return undefined
  const webhook = Object.hasOwn(context, 'webhook') ? context.webhook : undefined
  const body = typeof webhook === 'string' ? webhook : isObject(webhook) ? JSON.stringify(webhook) : undefined
  if (body === undefined) return undefined
  const at = new Date(typeof time === 'string' ? time : Number.NaN)
  return {
    ...{method: undefined, target: undefined, headers: [], body: Buffer.from(body)},
    at: Number.isNaN(at.getTime()) ? undefined : at,
    answer: toAnswer(level, message.slice(label.length).trim()),
  }
}

/** The beginning of messages of a channel's plugin; `undefined` for other channels. */
function findLabel(channel: unknown): string | undefined {
  return [...PROVIDERS.values()].find(({log}) => log !== undefined && log.channel === channel)?.log?.label
}

function toAnswer(level: unknown, reason: string): CapturedAnswer | undefined {
  if (typeof level !== 'string' || !FAILURES.has(level)) return undefined
  return {status: REFUSED, reason}
}
