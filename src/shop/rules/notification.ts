import {MappingError} from '../../wire/notification/assign-fields.js'
import {type MappedEvent, mapNotification} from '../../wire/notification/mapping.js'
import type {Parameters} from '../runtime/parameters.js'
import {httpError, type ShopError} from '../runtime/shop-error.js'

/**
 * The notification that a body holds, or what to answer instead.
 *
 * @see protocol.md §4.2 rows 7 and 8, §4.3
 */
export function readNotification(parameters: Parameters): MappedEvent | ShopError {
  if (Object.keys(parameters).length === 0) return httpError(400, 'No webhook data sent')
  try {
    return mapNotification(parameters)
  } catch (error) {
    if (error instanceof MappingError) return httpError(500, error.message)
    throw error
  }
}
