import type {Breakage} from '../draft/draft.js'
import {pathOf} from '../draft/draft.js'
import {jsonWalk} from './json-positions.js'

/** What is said of a member whose name its object holds already. */
const REPEATED = 'stands in the same object twice; only one of them would count'

/** How many members the objects of a JSON value have, those inside them too. */
export function membersOf(value: unknown): number {
  let count = 0
  const left = [value]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next !== 'object' || next === null) continue
    if (Array.isArray(next)) {
      for (const each of next) if (typeof each === 'object') left.push(each)
    } else {
      for (const name in next) {
        count++
        const member = (next as Record<string, unknown>)[name]
        if (typeof member === 'object') left.push(member)
      }
    }
  }
  return count
}

/**
 * The members that have the name of one before them in the same object; `JSON.parse` takes the last without a word.
 *
 * @param text JSON
 * @param at makes a spot of a place in the text
 */
export function repeatedMembers(text: string, at: (place: number) => Breakage['spot']): Breakage[] {
  return jsonWalk(text)
    .repeats.filter(({pointer}) => !pointer.startsWith('/_error'))
    .map(({pointer, at: place, value}) => ({
      spot: at(place),
      field: pathOf(pointer),
      message: REPEATED,
      value: JSON.parse(text.slice(...value)) as unknown,
      pointer,
    }))
}
