import {usageError} from '../../errors.js'

/**
 * Ids of faults as they are typed.
 *
 * @throws StorectlError `usage.fault_id`
 */
export function faultIds(words: readonly string[]): number[] {
  const wrong = words.find(word => !/^[1-9]\d{0,8}$/.test(word))
  if (wrong !== undefined) {
    throw usageError('fault_id', `"${wrong}" is no id of a fault; ids are numbers from 1.`, [
      'storectl server fault list',
    ])
  }
  return words.map(Number)
}
