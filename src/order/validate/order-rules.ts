import {createHash} from 'node:crypto'
import {fillDefaults, hashContent, writeCanonicalJson} from '../../wire/fulfillment-order/content-hash.js'
import {ORDER_SHAPE} from '../../wire/fulfillment-order/field-rules.js'
import {findFaults} from '../../wire/fulfillment-order/validate-order.js'
import type {FulfillmentOrder} from '../../wire/schemas/fulfillment-order.js'
import type {OrderRules, RuleFault} from '../draft/draft.js'
import {addZeroHints} from './postal-codes.js'

/**
 * Our own contract, by which the bundled shop decides too; and what no shop can want: postal codes without their leading
 * zeros.
 *
 * @see fulfillment-order.md
 */
export const CONTRACT: OrderRules = {
  findFaults: (order, now) => addZeroHints(findFaults(order, now), order),
  appliesTo: () => true,
  hashContent: order => hashContent(order as unknown as FulfillmentOrder),
  toStoredOrder: order => ({
    order: fillDefaults(order as unknown as FulfillmentOrder) as unknown as Record<string, unknown>,
    all: true,
  }),
  shape: ORDER_SHAPE,
}

/** Longer keys would not fit into a look for them. */
const LONGEST_REFERENCE = 255

/**
 * Nothing but what submitting exactly once needs: a reference to submit under. Everything else is the shop's to judge.
 */
export const RAW: OrderRules = {
  findFaults: order => findReferenceFaults(order),
  appliesTo: pointer => pointer === '/reference',
  hashContent: order => createHash('sha256').update(writeCanonicalJson(order)).digest('hex'),
  toStoredOrder: order => ({order, all: false}),
  shape: undefined,
}

/** What is wrong with the key of an order, whoever made the other rules. */
export function findReferenceFaults(order: unknown): RuleFault[] {
  if (typeof order !== 'object' || order === null || Array.isArray(order)) {
    return [{pointer: '', message: 'must be an object', value: order}]
  }
  const value = Object.hasOwn(order, 'reference') ? (order as {reference: unknown}).reference : undefined
  const createFault = (message: string) => [{pointer: '/reference', message, value}]
  if (value === undefined) return createFault('is required')
  if (typeof value !== 'string' || value === '') return createFault('must be text, and not empty')
  return value.length > LONGEST_REFERENCE
    ? createFault(`must have at most ${LONGEST_REFERENCE} characters`)
    : []
}
