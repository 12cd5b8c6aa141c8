import {MappingError} from '../../providers/paypal/notification/assign-fields.js'
import type {MissingMember} from '../../providers/paypal/notification/handler-effects.js'
import {
  findTransactionKey,
  parseCustomId,
  type TransactionKey,
  type WebhookHandler,
} from '../../providers/paypal/notification/handlers.js'
import {type MappedResource, mapNotification} from '../../providers/paypal/notification/mapping.js'

/** What decides about an event, so that its body need not be read again. Plain JSON. */
export interface Traits {
  /** The transaction it names, as its handler looks for it. */
  readonly key: TransactionKey
  /** The key as one word: `id:…`, `payment:…`, `order:…`; `null` where nothing is named. */
  readonly keyText: string | null
  readonly finalCapture?: boolean
  /** What was refunded in all; `null` where the body has a breakdown without it. */
  readonly refunded?: {readonly value?: string; readonly currency?: string} | null
  /** Id of the authorization that the event is about. */
  readonly resourceId?: string
  /** What the resource is worth: the members of its `amount`, in the words of either version. */
  readonly amount?: {readonly value: string; readonly currency: string}
  /** The shop's order number, which it gives the provider as the invoice's. */
  readonly invoice?: string
  /** The text with which the receiver refuses the body whatever the state (500). */
  readonly fault?: string
}

const NO_KEY: TransactionKey = {by: 'nothing'}

/**
 * Reads what decides about an event out of its decoded body.
 *
 * @param handler `undefined` for a type that nothing handles
 * @see protocol.md §4.3, §4.4
 */
export function readTraits(handler: WebhookHandler | undefined, body: object): Traits {
  try {
    const {resource} = mapNotification(body)
    const key = handler ? findTransactionKey(handler, resource) : NO_KEY
    return {
      key,
      keyText: formatTransactionKey(key),
      ...selectMembers(resource),
      ...readAmount(body),
      ...readInvoice(body),
    }
  } catch (error) {
    if (error instanceof MappingError) return {key: NO_KEY, keyText: null, fault: error.message}
    throw error
  }
}

function readAmount(body: object): Pick<Traits, 'amount'> {
  const amount = readObject(readObject(body, 'resource'), 'amount')
  const value = readText(amount, 'value') ?? readText(amount, 'total')
  const currency = readText(amount, 'currency_code') ?? readText(amount, 'currency')
  return value === undefined || currency === undefined ? {} : {amount: {value, currency}}
}

function readInvoice(body: object): Pick<Traits, 'invoice'> {
  const resource = readObject(body, 'resource')
  const invoice = readText(resource, 'invoice_id') ?? readText(resource, 'invoice_number')
  return invoice === undefined ? {} : {invoice}
}

function formatTransactionKey(key: TransactionKey): string | null {
  if (key.by === 'id') return `id:${key.id}`
  if (key.by === 'parent-payment') return `payment:${key.payment}`
  return key.by === 'provider-order' ? `order:${key.order}` : null
}

function selectMembers(resource: MappedResource): Pick<Traits, 'finalCapture' | 'refunded' | 'resourceId'> {
  if (!('breakdown' in resource)) return {}
  if (resource.kind === 'authorization') return resource.id === undefined ? {} : {resourceId: resource.id}
  const {finalCapture, breakdown} = resource
  return {
    ...(finalCapture === undefined ? {} : {finalCapture}),
    ...(breakdown === undefined ? {} : {refunded: toPlainAmount(breakdown.totalRefunded)}),
  }
}

function toPlainAmount(
  amount: {readonly value: string | undefined; readonly currency: string | undefined} | undefined,
): (Traits['refunded'] & object) | null {
  if (amount === undefined) return null
  const {value, currency} = amount
  return {...(value === undefined ? {} : {value}), ...(currency === undefined ? {} : {currency})}
}

/** Members of the body whose absence the receiver answers with 500. */
export const MISSING_WORDS: Readonly<Record<MissingMember, string>> = {
  finalCapture: 'resource.final_capture',
  sellerPayableBreakdown: 'resource.seller_payable_breakdown',
  totalRefundedAmount: 'resource.seller_payable_breakdown.total_refunded_amount',
  value: 'resource.seller_payable_breakdown.total_refunded_amount.value',
}

/** A list longer than this is no list of one payment's parts. */
const MOST_PARTS = 20

/**
 * The keys that tie events of one payment together: the shop's transaction, and every id of the provider that the
 * resource names. One of them in common is enough.
 *
 * @param body a decoded notification; whatever is missing or of another type is passed over
 * @returns `transaction:…`, `custom:…` and `provider:…`, each once, in a fixed order; empty where nothing is named
 */
export function listOrderingKeys(body: object): string[] {
  const resource = readObject(body, 'resource')
  const related = readObject(readObject(resource, 'supplementary_data'), 'related_ids')
  const provider = [
    readText(resource, 'id'),
    readText(resource, 'parent_payment'),
    readText(resource, 'sale_id'),
    ...Object.values(related ?? {}),
    readText(readObject(resource, 'metadata'), 'order_id'),
    ...listUpLinks(resource),
    ...listIn(resource, 'disputed_transactions').map(each => readText(each, 'seller_transaction_id')),
  ]
  const keys = [
    parseCustomKey(readText(resource, 'custom_id')),
    parseOldCustomKey(readText(resource, 'custom')),
    ...provider.map(id => isText(id) && `provider:${id}`),
  ]
  return [...new Set(keys.filter(isText))]
}

function parseCustomKey(customId: string | undefined): string | undefined {
  if (customId === undefined) return undefined
  const key = parseCustomId(customId)
  return key.by === 'id' ? `transaction:${key.id}` : `custom:${customId}`
}

/** Resources of version 1 call it otherwise; anything but the id of a transaction may be the same for many payments. */
function parseOldCustomKey(custom: string | undefined): string | undefined {
  const key = custom === undefined ? undefined : parseCustomId(custom)
  return key?.by === 'id' ? `transaction:${key.id}` : undefined
}

/** A refund points up to its capture, a capture to its order or authorization. */
function listUpLinks(resource: object | undefined): string[] {
  return listIn(resource, 'links')
    .filter(link => readText(link, 'rel') === 'up')
    .map(link => (readText(link, 'href') ?? '').split(/[?#]/)[0]?.split('/').filter(Boolean).at(-1) ?? '')
}

function readObject(value: object | undefined, name: string): object | undefined {
  const member = (value as Record<string, unknown> | undefined)?.[name]
  return typeof member === 'object' && member !== null && !Array.isArray(member) ? member : undefined
}

function readText(value: object | undefined, name: string): string | undefined {
  const member = (value as Record<string, unknown> | undefined)?.[name]
  return isText(member) ? member : undefined
}

function listIn(value: object | undefined, name: string): object[] {
  const member = (value as Record<string, unknown> | undefined)?.[name]
  if (!Array.isArray(member)) return []
  return member.slice(0, MOST_PARTS).filter(each => typeof each === 'object' && each !== null)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
