import {formatTransactionKey, parseCustomId, type Traits, type TransactionKey} from '../traits.js'
import {MappingError} from './notification/assign-fields.js'
import {findTransactionKey, type WebhookHandler} from './notification/handlers.js'
import {type MappedResource, mapNotification} from './notification/mapping.js'

const NO_KEY: TransactionKey = {by: 'nothing'}

/**
 * Reads an event's traits from its decoded body.
 *
 * @param handler `undefined` for a type without a handler
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

/** Longest list that is taken for the parts of one payment. */
const MOST_PARTS = 20

/**
 * The keys that events of one payment share: the shop's transaction, and every id of the provider in the resource. One
 * common key is enough.
 *
 * @param body a decoded notification; members that are missing or of another type are ignored
 * @returns `transaction:…`, `custom:…` and `provider:…`, each once, in a fixed order; empty where the body has none
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

/** Resources of version 1 have another name for it; any value but a transaction id may be common to many payments. */
function parseOldCustomKey(custom: string | undefined): string | undefined {
  const key = custom === undefined ? undefined : parseCustomId(custom)
  return key?.by === 'id' ? `transaction:${key.id}` : undefined
}

/** A refund links to its capture, a capture to its order or authorization. */
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
