import type {ShopEdition} from '../../../shopware/editions.js'
import {ENTITIES} from '../../../shopware/entities/entities.js'
import {convertToText, describeType, isArray} from '../../../shopware/php-values.js'
import {createShopError} from '../../runtime/shop-error.js'

/** `includes`, and its members that are not lists. */
interface Includes {
  lists?: Record<string, string[]>
  unlisted?: Record<string, unknown>
}

/** @throws ShopError 400 for anything but an array, 500 where a newer shop expects lists */
export function readIncludes(includes: unknown, edition: ShopEdition): Includes {
  if (includes === undefined || includes === null) return {}
  if (!isArray(includes)) {
    const type = TYPE_NAMES[describeType(includes)] ?? describeType(includes)
    const detail = `Expected data at includes to be of the type array, ${type} given`
    throw createShopError(400, 'FRAMEWORK__EXPECTED_ARRAY_WITH_TYPE', detail, {
      parameters: {path: 'includes', type},
    })
  }
  if (edition.name === '6.7') requireLists(includes)
  const entries = Object.entries(includes).filter(([, names]) => names !== null)
  const lists = entries.filter(([, names]) => isArray(names))
  const others = entries.filter(([, names]) => !isArray(names))
  return {
    lists: Object.fromEntries(
      lists.map(([alias, names]) => [alias, Object.values(names as object).map(convertToText)]),
    ),
    ...(others.length > 0 ? {unlisted: Object.fromEntries(others)} : {}),
  }
}

/** Before a search, newer shops refuse null in place of a list and, in `includes` without aliases, any other type. */
function requireLists(includes: object): void {
  const isWrong = (one: unknown) => one === null || (Array.isArray(includes) && !isArray(one))
  const [alias, names] = Object.entries(includes).find(([, one]) => isWrong(one)) ?? []
  if (alias === undefined) return
  const given = TYPE_NAMES[describeType(names)] ?? describeType(names)
  const detail = `The includes for type "${alias}" must be of the type array, ${given} given`
  throw createShopError(500, 'FRAMEWORK__INVALID_TYPE', detail)
}

/** Type names of `gettype`, where PHP's type errors have shorter ones. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  int: 'integer',
  float: 'double',
  bool: 'boolean',
  null: 'NULL',
}

/** Members of every row besides its own. */
const COMMON = ['extensions', '_uniqueIdentifier', 'versionId', 'translated', 'createdAt', 'updatedAt', 'id']

/**
 * `includes` without the members in `excludes`, which newer shops leave out of rows.
 *
 * @param lists the members to keep, by alias; by default all
 * @see shop-6.7.md 1, row 15
 */
export function applyExcludes(
  lists: Includes['lists'],
  excludes: unknown,
  {name}: ShopEdition,
): Includes['lists'] {
  if (name !== '6.7' || !isArray(excludes)) return lists
  const kept = {...lists}
  for (const [alias, names] of Object.entries(excludes)) {
    const entity = ENTITIES.find(one => one.name === alias)
    if (!entity || !isArray(names)) continue
    const left = new Set(Object.values(names).map(convertToText))
    const all = [
      ...COMMON,
      ...entity.fields.map(one => one.name),
      ...entity.associations.map(one => one.name),
    ]
    kept[alias] = (kept[alias] ?? all).filter(one => !left.has(one))
  }
  return kept
}
