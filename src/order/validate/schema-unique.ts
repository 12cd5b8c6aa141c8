import type {Ajv, SchemaValidateFunction} from 'ajv'
import {isObject} from '../../language/json-object.js'

/** Checks lists for unique items in linear time: ajv's own check compares each pair. */
export function addLinearUniqueItems(validator: Ajv): void {
  validator.removeKeyword('uniqueItems')
  validator.addKeyword({
    ...{keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', errors: true},
    validate: checkUnique,
  })
}

const checkUnique: SchemaValidateFunction = (isAsked: boolean, items: readonly unknown[]) => {
  const same = isAsked ? findSame(items) : undefined
  if (!same) return true
  const message = `must NOT have duplicate items (items ## ${same[0]} and ${same[1]} are identical)`
  checkUnique.errors = [{keyword: 'uniqueItems', params: {j: same[0], i: same[1]}, message}]
  return false
}

/** The last two equal items. */
function findSame(items: readonly unknown[]): readonly [number, number] | undefined {
  const seen = new Map<string, number>()
  let same: readonly [number, number] | undefined
  for (const [at, item] of items.entries()) {
    const text = JSON.stringify(item, sortMembers)
    const before = seen.get(text)
    if (before !== undefined) same = [before, at]
    seen.set(text, at)
  }
  return same
}

/** Objects are equal in whatever order their members are. */
function sortMembers(_name: string, value: unknown): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}
