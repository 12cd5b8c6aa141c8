import {generateId} from '../../shopware/ids.js'
import {type CompleteOrder, fillDefaults, hashComplete} from '../../wire/fulfillment-order/content-hash.js'
import {findFaults, type OrderFault} from '../../wire/fulfillment-order/validate-order.js'
import type {FulfillmentOrder} from '../../wire/schemas/fulfillment-order.js'
import type {RuleDeps} from '../runtime/runtime.js'
import {createShopEntry, createShopError, ShopError} from '../runtime/shop-error.js'
import {
  addFulfillmentOrder,
  allowSameReference,
  findIdempotencyKey,
  findOrderByReference,
  noteIdempotencyKey,
  type SubmittedOrder,
} from '../store/fulfillment-orders.js'
import type {ShopConnection} from '../store/schema/schema.js'

/** An accepted order, new or known. */
export interface Taken {
  readonly order: SubmittedOrder & {readonly reference: string}
  /** Whether it existed already. */
  readonly replayed: boolean
}

/**
 * Accepts an order once: the same reference with the same content returns the first order.
 *
 * @param body the posted value, unchecked
 * @param key from the header
 * @param isUnique whether references are unique; otherwise a second submission creates a second order
 * @throws ShopError 400 with all field errors, 409 before 422 when both apply; then nothing is created
 * @see fulfillment-order.md "Response"
 */
export async function acceptOrder(
  body: unknown,
  {key, isUnique}: {readonly key: string | undefined; readonly isUnique: boolean},
  deps: RuleDeps,
): Promise<Taken> {
  const now = deps.now()
  const faults = findFaults(body, now)
  if (faults.length > 0) throw createFieldErrors(faults)
  const order = fillDefaults(body as FulfillmentOrder)
  const hash = hashComplete(order)
  const submission = {order, hash, idempotencyKey: key, now, isUnique}
  return deps.db.writes.run(db => take(submission, db))
}

interface Submission {
  readonly order: CompleteOrder
  readonly hash: string
  readonly idempotencyKey: string | undefined
  readonly now: Date
  readonly isUnique: boolean
}

/** Inside one write, so that of two concurrent submissions the second finds the first. */
async function take(submission: Submission, db: ShopConnection): Promise<Taken> {
  const {order, hash, idempotencyKey: key, now} = submission
  const known = submission.isUnique ? await findKnown(submission, db) : await allowSameReference(db)
  if (known) return {order: {...known, reference: order.reference}, replayed: true}
  const {reference, orderNumber = null, hold, lines} = order
  const id = generateId(now)
  const made = {id, status: hold ? 'on_hold' : 'received', contentHash: hash, idempotencyKey: key}
  const orderDate = order.orderDate && new Date(order.orderDate)
  await addFulfillmentOrder(db, Object.assign({}, order, made, {orderDate, createdAt: now}))
  return {
    order: {id, reference, contentHash: hash, hold, orderNumber, createdAt: now, lines},
    replayed: false,
  }
}

/** The order with the reference; stores the key for it. @throws ShopError 409 or 422 for a different order */
async function findKnown(
  {order, hash, idempotencyKey: key}: Submission,
  db: ShopConnection,
): Promise<SubmittedOrder | undefined> {
  const known = await findOrderByReference(db, order.reference)
  if (known && known.contentHash !== hash) throw createReferenceConflictError(order.reference)
  if (key !== undefined) {
    const used = await findIdempotencyKey(db, key)
    if (used !== undefined && used !== hash) throw createKeyReusedError(key)
    if (used === undefined) await noteIdempotencyKey(db, key, hash)
  }
  return known
}

/** Longest text that an error repeats; the wrong value may be a megabyte. */
const SHOWN = 100

/** The errors of an order, one entry for each fault. @see fulfillment-order.md "Response" */
export function createFieldErrors(faults: readonly OrderFault[]): ShopError {
  return new ShopError(400, faults.map(createFieldError))
}

function createFieldError({pointer, field, message, value}: OrderFault) {
  const subject = pointer === '' ? 'The order' : describePointer(pointer)
  return createShopEntry(400, 'FULFILLMENT__INVALID_FIELD', `${subject} ${message}.`.replace(/\?\.$/, '?'), {
    pointer,
    parameters: {field, ...showScalar(value)},
  })
}

/** `/lines/0/sku` → `lines[0].sku` */
function describePointer(pointer: string): string {
  const names = pointer.slice(1).split('/')
  const path = names.map(name => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`)).join('')
  return path
    .slice(path.startsWith('.') ? 1 : 0)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
}

/** Scalars only; objects and lists are not repeated. */
function showScalar(value: unknown): {value?: unknown} {
  if (typeof value === 'string') return {value: [...value.slice(0, 2 * SHOWN)].slice(0, SHOWN).join('')}
  return value === undefined || (typeof value === 'object' && value !== null) ? {} : {value}
}

export function createReferenceConflictError(reference: string): ShopError {
  const detail = `An order with reference "${reference}" and other content exists already; nothing was changed.`
  return createShopError(409, 'FULFILLMENT__REFERENCE_CONFLICT', detail, {parameters: {reference}})
}

export function createKeyReusedError(idempotencyKey: string): ShopError {
  const detail = 'The Idempotency-Key was used for another order already; nothing was created.'
  return createShopError(422, 'FULFILLMENT__IDEMPOTENCY_KEY_REUSED', detail, {parameters: {idempotencyKey}})
}

export function createTooLargeError(limitBytes: number): ShopError {
  const detail = `The order is larger than ${limitBytes} bytes; nothing was created.`
  return createShopError(413, 'FULFILLMENT__TOO_LARGE', detail, {parameters: {limitBytes}})
}
