import {parseCustomId} from '../../wire/notification/handler-lookups.js'

/** A list longer than this is no list of one payment's parts. */
const MOST_PARTS = 20

/**
 * The keys that tie events of one payment together: the shop's transaction, and every id of the provider that the
 * resource names. One of them in common is enough.
 *
 * @param body a decoded notification; whatever is missing or of another type is passed over
 * @returns `transaction:…`, `custom:…` and `provider:…`, each once, in a fixed order; empty where nothing is named
 */
export function laneKeysOf(body: object): string[] {
  const resource = objectIn(body, 'resource')
  const related = objectIn(objectIn(resource, 'supplementary_data'), 'related_ids')
  const provider = [
    textIn(resource, 'id'),
    textIn(resource, 'parent_payment'),
    textIn(resource, 'sale_id'),
    ...Object.values(related ?? {}),
    textIn(objectIn(resource, 'metadata'), 'order_id'),
    ...upLinks(resource),
    ...listIn(resource, 'disputed_transactions').map(each => textIn(each, 'seller_transaction_id')),
  ]
  const keys = [
    customKey(textIn(resource, 'custom_id')),
    ...provider.map(id => isText(id) && `provider:${id}`),
  ]
  return [...new Set(keys.filter(isText))]
}

function customKey(customId: string | undefined): string | undefined {
  if (customId === undefined) return undefined
  const key = parseCustomId(customId)
  return key.by === 'id' ? `transaction:${key.id}` : `custom:${customId}`
}

/** A refund points up to its capture, a capture to its order or authorization. */
function upLinks(resource: object | undefined): string[] {
  return listIn(resource, 'links')
    .filter(link => textIn(link, 'rel') === 'up')
    .map(link => (textIn(link, 'href') ?? '').split(/[?#]/)[0]?.split('/').filter(Boolean).at(-1) ?? '')
}

function objectIn(value: object | undefined, name: string): object | undefined {
  const member = (value as Record<string, unknown> | undefined)?.[name]
  return typeof member === 'object' && member !== null && !Array.isArray(member) ? member : undefined
}

function textIn(value: object | undefined, name: string): string | undefined {
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
