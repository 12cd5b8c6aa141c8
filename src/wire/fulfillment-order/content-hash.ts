import {hash} from 'node:crypto'
import {canonicalJson} from './canonical-json.js'
import {withDefaults} from './defaults.js'
import type {FulfillmentOrder} from './fulfillment-order.js'

/**
 * What makes two submissions the same order: SHA-256 over the canonical JSON with defaults filled in.
 *
 * @param order one without faults
 * @returns 64 lower-case hex digits
 * @see fulfillment-order.md "Same content"
 */
export function contentHash(order: FulfillmentOrder): string {
  return hash('sha256', canonicalJson(withDefaults(order)))
}
