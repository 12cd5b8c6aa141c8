import {isObject, parseObjectText} from '../../language/json-object.js'
import type {ObservedDelivery} from '../event/event.js'
import type {CapturedAnswer} from './formats/captured-request.js'
import {readObservedDelivery} from './observed-delivery.js'

type Members = Readonly<Record<string, unknown>>

/** Whether an address is that of this shop's webhook. */
export type IsOwnWebhook = (address: string) => boolean

/**
 * The provider's deliveries of an event to this shop's webhook, if it lists them: the last answer and its time. Entries
 * of other webhooks say nothing about this shop.
 *
 * @see provider.md §1
 */
function readTransmissions(
  {transmissions}: Members,
  isOwn: IsOwnWebhook,
): (CapturedAnswer & {readonly at: Date}) | undefined {
  if (!Array.isArray(transmissions)) return undefined
  let newest: (CapturedAnswer & {readonly at: Date}) | undefined
  for (const each of transmissions.filter(isObject)) {
    const {webhook_url: address} = each
    if (typeof address !== 'string' || !isOwn(address)) continue
    const [status, at] = [Number(each.http_status), readAnswerTime(each)]
    if (!Number.isInteger(status) || status < 100 || status > 599 || Number.isNaN(at.getTime())) continue
    if (!newest || at >= newest.at) newest = {status, at}
  }
  return newest
}

/** `timestamp` is that of the first try; the header `Date` says when this answer came. */
function readAnswerTime({response_headers: headers, timestamp}: Members): Date {
  const [, date] =
    Object.entries(isObject(headers) ? headers : {}).find(([name]) => name.toLowerCase() === 'date') ?? []
  const answered = new Date(String(Array.isArray(date) ? date[0] : date))
  return Number.isNaN(answered.getTime()) ? new Date(String(timestamp)) : answered
}

const TRANSMISSIONS = Buffer.from('"transmissions"')

/**
 * The provider's account of the event's delivery to this shop, if it lists one.
 *
 * @param isOwnWebhook absent if the shop is not known: then no webhook is its own
 */
export function readListedDelivery(
  bytes: Uint8Array,
  isOwnWebhook: IsOwnWebhook | undefined,
): ObservedDelivery | undefined {
  if (!isOwnWebhook) return undefined
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(TRANSMISSIONS)) return undefined
  const value = parseObjectText(Buffer.from(bytes).toString('utf8'))
  const newest = value && readTransmissions(value, isOwnWebhook)
  return newest && readObservedDelivery(newest, newest.at)
}
