import type {Fault} from '../../wire/fulfillment-order/validate-order.js'
import {ShopError, shopEntry, shopError} from '../runtime/shop-error.js'

/** Longest text that an error repeats; what is wrong may be a megabyte of it. */
const SHOWN = 100

/** All that is wrong with an order, one entry each. @see fulfillment-order.md "Response" */
export function fieldErrors(faults: readonly Fault[]): ShopError {
  return new ShopError(400, faults.map(fieldError))
}

function fieldError({pointer, field, message, value}: Fault) {
  const place = pointer === '' ? 'The order' : placeOf(pointer)
  return shopEntry(400, 'FULFILLMENT__INVALID_FIELD', `${place} ${message}.`.replace(/\?\.$/, '?'), {
    pointer,
    parameters: {field, ...shown(value)},
  })
}

/** `/lines/0/sku` → `lines[0].sku` */
function placeOf(pointer: string): string {
  const names = pointer.slice(1).split('/')
  const path = names.map(name => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`)).join('')
  return path
    .slice(path.startsWith('.') ? 1 : 0)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
}

/** Scalars alone: what else stands where a text belongs, the caller knows better. */
function shown(value: unknown): {value?: unknown} {
  if (typeof value === 'string') return {value: [...value.slice(0, 2 * SHOWN)].slice(0, SHOWN).join('')}
  return value === undefined || (typeof value === 'object' && value !== null) ? {} : {value}
}

export function referenceConflict(reference: string): ShopError {
  const detail = `An order with reference "${reference}" and other content exists already; nothing was changed.`
  return shopError(409, 'FULFILLMENT__REFERENCE_CONFLICT', detail, {parameters: {reference}})
}

export function keyReused(idempotencyKey: string): ShopError {
  const detail = 'The Idempotency-Key was used for another order already; nothing was created.'
  return shopError(422, 'FULFILLMENT__IDEMPOTENCY_KEY_REUSED', detail, {parameters: {idempotencyKey}})
}

export function tooLarge(limitBytes: number): ShopError {
  const detail = `The order is larger than ${limitBytes} bytes; nothing was created.`
  return shopError(413, 'FULFILLMENT__TOO_LARGE', detail, {parameters: {limitBytes}})
}
