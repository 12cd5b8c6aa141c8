import {CRITERIA} from '../../runtime/limits.js'
import {httpError, type ShopError} from '../../runtime/shop-error.js'

/**
 * Refuses criteria that hold more than a search needs before any of it is read: reading takes longer than counting.
 *
 * @throws ShopError 400
 */
export function checkSize(written: unknown): void {
  let members = 0
  let characters = 0
  const waiting = [written]
  while (waiting.length > 0) {
    const one = waiting.pop()
    if (typeof one === 'string') characters += one.length
    if (typeof one !== 'object' || one === null) continue
    const inside = Object.values(one)
    members += inside.length
    if (members > CRITERIA.members) throw tooMany('members', members, CRITERIA.members)
    for (const member of inside) waiting.push(member)
  }
  if (characters > CRITERIA.characters) throw tooMany('characters', characters, CRITERIA.characters)
}

/** The refusal of criteria that hold too much of something. */
export function tooMany(what: string, count: number, most: number): ShopError {
  return httpError(400, `The criteria hold ${count} ${what}; ${most} is the most.`)
}
