import type {RangeAggregation} from '../../model/aggregation.js'
import {typeError} from './errors.js'
import {asText, isArray, isNumeric, typeName} from './php-values.js'

/**
 * Reads the ranges of an aggregation; a range without a key is called by its bounds, `*` for one that is open.
 *
 * @throws ShopError 500 where the shop's own code would have failed
 * @see protocol.md §6.5, `range`
 */
export function readRanges(ranges: unknown): RangeAggregation['ranges'] {
  if (!isArray(ranges)) throw typeError('RangeAggregation ranges', 'array', typeName(ranges))
  return Object.values(ranges).map(range => {
    if (!isArray(range)) throw typeError('RangeAggregation range', 'array', typeName(range))
    const {from, to, key} = range as Record<string, unknown>
    const bounds = {...bound('from', from), ...bound('to', to)}
    const named =
      key === undefined || key === null ? `${bounds.from ?? '*'}-${bounds.to ?? '*'}` : asText(key)
    return {key: named, ...bounds}
  })
}

function bound(name: 'from' | 'to', value: unknown): {from?: number; to?: number} {
  if (value === undefined || value === null) return {}
  return {[name]: isNumeric(value) ? Number(value) : 0}
}
