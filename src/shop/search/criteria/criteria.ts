import type {EntityCriteria, ScoredFilter} from '../../model/criteria.js'
import {ENTITY_MODEL} from '../../model/entities/entities.js'
import type {Entity} from '../../model/entity.js'
import {isId} from '../../model/ids.js'
import type {ShopEdition} from '../../model/versions.js'
import {CRITERIA} from '../../runtime/limits.js'
import {createInvalidUuidError, createShopError, ShopError} from '../../runtime/shop-error.js'
import {readAggregations} from './aggregations.js'
import {createTooManyError} from './check.js'
import {CriteriaErrors, createAssociationError, createTypeError} from './errors.js'
import {readFilter, readFilters} from './filters.js'
import {convertToText, describeType, isArray, isEmpty, isNumeric, isScalar, printList} from './php-values.js'
import {readSorting} from './sorting.js'

/** What reading criteria needs besides what was sent. */
interface CriteriaReading {
  now: Date
  /** 500 rows a page. @see protocol.md §1.7 */
  maxLimit: number | undefined
  edition: ShopEdition
}

type Written = Record<string, unknown>

/**
 * Reads the criteria of a search. Unknown members are ignored.
 *
 * @throws ShopError with everything that is wrong with limit, page, filters and sorting; one for ids, includes,
 *   associations
 * @see protocol.md §6.2, §6.8
 */
export function parseEntityCriteria(
  written: unknown,
  entity: Entity,
  reading: CriteriaReading,
  nested = false,
): EntityCriteria {
  // A list is copied into an object: JavaScript's lists have a `filter`, a `sort` and an `includes` of their own.
  const sent: Written = isArray(written) ? {...written} : {}
  const {edition} = reading
  const errors = new CriteriaErrors(edition)
  const filterReading = {errors, now: reading.now}
  const ids = readIds(sent.ids, edition)
  const paging = ids
    ? {limit: undefined, offset: 0}
    : readPaging(sent, nested ? undefined : reading.maxLimit, errors)
  const {lists: includes, unlisted} = readIncludes(sent.includes, edition)
  const filters = readFilters(sent.filter, 'filter', filterReading)
  const grouping = isArray(sent.grouping) ? Object.values(sent.grouping).map(readGroup) : []
  const postFilters = readFilters(sent['post-filter'], 'post-filter', filterReading)
  const queries = readQueries(sent.query, reading)
  const term = isScalar(sent.term) ? convertToText(sent.term).trim() : ''
  const sorting = readSorting(sent.sort, errors)
  const aggregations = readAggregations(sent.aggregations, filterReading)
  const wanted = addOwnStates(readFields(sent, entity, edition), entity, edition)
  const associations = readAssociations(wanted.associations, entity, reading)
  errors.throwIfAny()
  const criteria: EntityCriteria = {
    limit: paging.limit,
    offset: paging.offset,
    filters,
    postFilters,
    queries,
    sorting,
    countMode: ids ? 'none' : readCountMode(sent['total-count-mode']),
    grouping,
    aggregations,
    associations,
  }
  if (ids) criteria.ids = ids
  if (term !== '') criteria.term = term
  if (includes) criteria.includes = includes
  if (unlisted) criteria.unlisted = unlisted
  if (wanted.fields) criteria.fields = wanted.fields
  if (wanted.loaded) criteria.loadedByFields = wanted.loaded
  return criteria
}

function readIds(ids: unknown, {name}: ShopEdition): string[] | undefined {
  if (ids === undefined || ids === null) return undefined
  const list = typeof ids === 'string' ? ids.split('|').filter(part => !isEmpty(part)) : ids
  if (!isArray(list)) throw createTypeError('ids', list)
  // Older shops take no ids for none asked for.
  if (isEmpty(list) && name === '6.5') return undefined
  if (isEmpty(list)) throw createInvalidIdsError(list, 'Ids should not be empty')
  return Object.values(list).map(one => {
    const id = isArray(one) && !Array.isArray(one) ? one.id : one
    if (typeof id !== 'string') throw createInvalidIdsError(list, LIST_OF_IDS)
    if (!isId(id)) throw createInvalidUuidError(id)
    return id
  })
}

const LIST_OF_IDS =
  'Ids should be a list of strings or a list of key value pairs, for entities with combined primary keys'

function createInvalidIdsError(ids: unknown, reason: string): ShopError {
  const dump = printList(ids)
  const detail = `Invalid ids provided in criteria. ${reason}. Ids: ${dump}.`
  return createShopError(400, 'FRAMEWORK__INVALID_API_CRITERIA_IDS', detail, {
    parameters: {ids: dump, reason},
  })
}

/** @param maxLimit what there is without a limit, and the most there may be; none inside associations */
function readPaging(
  sent: Written,
  maxLimit: number | undefined,
  errors: CriteriaErrors,
): Pick<EntityCriteria, 'limit' | 'offset'> {
  const {limit, page} = sent
  const count = limit === undefined || limit === null ? undefined : readLimit(limit, maxLimit, errors)
  const number = page === undefined || page === null ? 1 : readPage(page, errors)
  // A page past all numbers is as empty as any other past the end.
  const offset = Math.min((count ?? 0) * (number - 1), Number.MAX_SAFE_INTEGER)
  return {limit: count ?? maxLimit, offset}
}

function readLimit(limit: unknown, maxLimit: number | undefined, errors: CriteriaErrors): number {
  const count = isNumeric(limit) ? Math.trunc(Number(limit)) : 0
  if (count <= 0) errors.limit(limit)
  else if (maxLimit !== undefined && count > maxLimit) errors.limitTooLarge(count, maxLimit)
  return count
}

/** Any limit times it is still a whole number that both engines take. */
const LARGEST_PAGE = Math.trunc(Number.MAX_SAFE_INTEGER / 1000)

function readPage(page: unknown, errors: CriteriaErrors): number {
  const number = isNumeric(page) ? Math.trunc(Number(page)) : 0
  if (number <= 0) errors.addPageError(page)
  return Math.min(number, LARGEST_PAGE)
}

/** `includes`, and what stands in it without being a list. */
interface Includes {
  lists?: Record<string, string[]>
  unlisted?: Record<string, unknown>
}

function readIncludes(includes: unknown, edition: ShopEdition): Includes {
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

/** Newer shops look for nothing where a list should be before anything is shown, and at lists that name no alias. */
function requireLists(includes: object): void {
  const isWrong = (one: unknown) => one === null || (Array.isArray(includes) && !isArray(one))
  const [alias, names] = Object.entries(includes).find(([, one]) => isWrong(one)) ?? []
  if (alias === undefined) return
  const given = TYPE_NAMES[describeType(names)] ?? describeType(names)
  const detail = `The includes for type "${alias}" must be of the type array, ${given} given`
  throw createShopError(500, 'FRAMEWORK__INVALID_TYPE', detail)
}

function readGroup(name: unknown): string {
  if (typeof name !== 'string') throw createTypeError('group', name)
  return name
}

/** As `gettype` spells them, where PHP's type errors have shorter words. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  int: 'integer',
  float: 'double',
  bool: 'boolean',
  null: 'NULL',
}

/** Errors of a scored filter are answered alone, and point nowhere. */
function readQueries(queries: unknown, {now, edition}: CriteriaReading): ScoredFilter[] {
  if (!isArray(queries)) return []
  return Object.values(queries)
    .filter(isArray)
    .flatMap((one): ScoredFilter[] => {
      const {query, score, scoreField} = one as Written
      const errors = new CriteriaErrors(edition)
      const filter = readFilter((isArray(query) ? query : {}) as Written, '', {errors, now})
      if (!filter) throw removePointers(errors)
      const points = isNumeric(score) ? Number(score) : 1
      return [{filter, points, ...(typeof scoreField === 'string' ? {scoreField} : {})}]
    })
}

function removePointers(errors: CriteriaErrors): ShopError {
  const [first] = errors.entries
  if (!first) return new ShopError(400, [])
  const {source: _, ...entry} = first
  return new ShopError(400, [entry])
}

function readAssociations(
  associations: unknown,
  entity: Entity,
  reading: CriteriaReading,
): Record<string, EntityCriteria> {
  if (!isArray(associations)) return {}
  const nested = Object.entries(associations).filter(([, criteria]) => isArray(criteria))
  return Object.fromEntries(
    nested.map(([name, criteria]) => {
      const association = entity.associations.find(one => one.name === name)
      if (!association) throw createAssociationError(name)
      return [name, parseEntityCriteria(criteria, ENTITY_MODEL.get(association.target), reading, true)]
    }),
  )
}

const COUNT_MODES = ['none', 'exact', 'next-pages'] as const

function readCountMode(mode: unknown): EntityCriteria['countMode'] {
  if (mode === true) return 'exact'
  const byNumber = isNumeric(mode) ? COUNT_MODES[Math.trunc(Number(mode))] : undefined
  return byNumber ?? COUNT_MODES.find(name => name === mode) ?? 'none'
}

type WrittenFields = Record<string, unknown>

/** What `fields` asks of one entity: its own members, and the associations that dotted names load with it. */
interface WantedFields {
  /** `undefined` for all of them. */
  fields: readonly string[] | undefined
  associations: unknown
  /** Those that were not asked for by themselves. */
  loaded?: ReadonlySet<string>
}

/**
 * Reads `fields`. A dotted name loads the association in front of the dot, with the rest of the name as its fields.
 * Names that lead nowhere are left out.
 *
 * @param associations what was sent under that name, which stays
 * @throws ShopError 500 when `fields` is no list, 400 when it is too long
 * @see protocol.md §6.2, §6.6
 */
function readFields({fields, associations}: Written, entity: Entity, edition: ShopEdition): WantedFields {
  if (fields === undefined || fields === null) return {fields: undefined, associations}
  if (!isArray(fields)) throw createTypeError('fields', fields)
  const names = Object.values(fields).map(name => removeEntityPrefix(entity, convertToText(name)))
  if (names.length > CRITERIA.fields) throw createTooManyError('fields', names.length, CRITERIA.fields)
  if (names.length === 0) return {fields: undefined, associations}
  const asked = isArray(associations) ? (associations as WrittenFields) : {}
  const loaded: WrittenFields = {...asked}
  for (const name of names) {
    const [first = '', ...rest] = name.split('.')
    const association = entity.associations.find(one => one.name === first)
    const nested = rest.join('.')
    // Older shops show what is nested where it is asked for of the thing itself as well.
    const isShown = edition.name !== '6.5' || nested === '' || names.includes(nested)
    if (association && !association.hidden) loaded[first] = addField(loaded[first], isShown ? nested : 'id')
  }
  const own = names.map(name => name.split('.')[0] as string)
  const byFields = new Set(Object.keys(loaded).filter(name => !isArray(asked[name])))
  return {fields: [...own, ...Object.keys(loaded)], associations: loaded, loaded: byFields}
}

/** Orders, deliveries and payments of older shops come with their state, whoever asks. */
function addOwnStates(wanted: WantedFields, entity: Entity, {name}: ShopEdition): WantedFields {
  if (name !== '6.5' || wanted.fields || !entity.associations.some(({name: one}) => one === OWN_STATE))
    return wanted
  const asked = isArray(wanted.associations) ? (wanted.associations as WrittenFields) : {}
  if (isArray(asked[OWN_STATE])) return wanted
  const loaded = new Set([...(wanted.loaded ?? []), OWN_STATE])
  return {...wanted, associations: {...asked, [OWN_STATE]: {}}, loaded}
}

const OWN_STATE = 'stateMachineState'

/** The criteria of an association with one more field; without a field all of them. */
function addField(criteria: unknown, field: string): WrittenFields {
  const sent = (isArray(criteria) ? criteria : {}) as WrittenFields
  if (field === '') return sent
  const known = isArray(sent.fields) ? Object.values(sent.fields) : []
  return {...sent, fields: [...known, field]}
}

function removeEntityPrefix({name: prefix}: Entity, name: string): string {
  return name.startsWith(`${prefix}.`) ? name.slice(prefix.length + 1) : name
}
