import {parseCustomId} from '../../wire/notification/handlers.js'

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
    ...provider.map(id => isText(id) && `provider:${id}`),
  ]
  return [...new Set(keys.filter(isText))]
}

function parseCustomKey(customId: string | undefined): string | undefined {
  if (customId === undefined) return undefined
  const key = parseCustomId(customId)
  return key.by === 'id' ? `transaction:${key.id}` : `custom:${customId}`
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
