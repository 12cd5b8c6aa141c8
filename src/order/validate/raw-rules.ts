import {createHash} from 'node:crypto'
import {canonicalJson} from '../../wire/fulfillment-order/canonical-json.js'
import type {OrderRules, RuleFault} from './order-rules.js'

/** Longer keys would not fit into a look for them. */
const LONGEST_REFERENCE = 255

/**
 * Nothing but what submitting exactly once needs: a reference to submit under. Everything else is the shop's to judge.
 */
export const RAW: OrderRules = {
  faultsOf: order => referenceFaults(order),
  minds: pointer => pointer === '/reference',
  contentHash: order => createHash('sha256').update(canonicalJson(order)).digest('hex'),
  kept: order => ({order, all: false}),
  shape: undefined,
}

/** What is wrong with the key of an order, whoever made the other rules. */
export function referenceFaults(order: unknown): RuleFault[] {
  if (typeof order !== 'object' || order === null || Array.isArray(order)) {
    return [{pointer: '', message: 'must be an object', value: order}]
  }
  const value = Object.hasOwn(order, 'reference') ? (order as {reference: unknown}).reference : undefined
  const fault = (message: string) => [{pointer: '/reference', message, value}]
  if (value === undefined) return fault('is required')
  if (typeof value !== 'string' || value === '') return fault('must be text, and not empty')
  return value.length > LONGEST_REFERENCE ? fault(`must have at most ${LONGEST_REFERENCE} characters`) : []
}
