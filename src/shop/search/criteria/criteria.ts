import type {EntityCriteria, ScoredFilter} from '../../../shopware/criteria.js'
import type {ShopEdition} from '../../../shopware/editions.js'
import {findModel} from '../../../shopware/entities/entities.js'
import type {Entity} from '../../../shopware/entity.js'
import {
  convertToText,
  isArray,
  isEmpty,
  isIntegerKey,
  isNumeric,
  isScalar,
  printArray,
} from '../../../shopware/php-values.js'
import {createShopError, ShopError} from '../../runtime/shop-error.js'
import {readAggregations} from './aggregations.js'
import {CriteriaErrors, createAssociationError, createTypeError} from './errors.js'
import {addOwnStates, findFieldNameError, readFields} from './fields.js'
import {type FilterReading, readFilter, readFilters} from './filters.js'
import {applyExcludes, readIncludes} from './includes.js'
import {readSorting} from './sorting.js'

/** Context for reading criteria. */
interface CriteriaReading {
  now: Date
  /** Most rows in a page: 500. @see protocol.md §1.7 */
  maxLimit: number | undefined
  edition: ShopEdition
}

type Written = Record<string, unknown>

/**
 * Parses the criteria of a search. Unknown members are ignored.
 *
 * @throws ShopError with all errors of limit, page, filters and sorting; a single one for ids, includes, associations
 * @see protocol.md §6.2, §6.8
 */
export function parseEntityCriteria(
  written: unknown,
  entity: Entity,
  reading: CriteriaReading,
  nested = false,
): EntityCriteria {
  // A list is copied to an object, because arrays have a `filter`, a `sort` and an `includes` of their own.
  const sent: Written = isArray(written) ? {...written} : {}
  const {edition} = reading
  const errors = new CriteriaErrors(edition)
  const filterReading = {errors, now: reading.now}
  const ids = readIds(sent.ids, edition)
  const paging = ids
    ? {limit: undefined, offset: 0}
    : readPaging(sent, nested ? undefined : reading.maxLimit, errors)
  const {lists, unlisted} = readIncludes(sent.includes, edition)
  const includes = applyExcludes(lists, sent.excludes, edition)
  const filters = readFilters(sent.filter, 'filter', filterReading)
  const grouping = isArray(sent.grouping) ? Object.values(sent.grouping).map(readGroup) : []
  const postFilters = readFilters(sent['post-filter'], 'post-filter', filterReading)
  const queries = readQueries(sent.query, filterReading)
  const term = convertToText(sent.term).trim()
  const sorting = readSorting(sent.sort, errors)
  const aggregations = readAggregations(sent.aggregations, filterReading)
  // Associations are checked before `fields`.
  if (isScalar(sent.fields)) readAssociations(sent.associations, entity, reading)
  const wanted = addOwnStates(readFields(sent, entity, edition), entity, edition)
  const associations = readAssociations(wanted.associations, entity, reading)
  errors.throwIfAny()
  const wrongField = findFieldNameError(sent)
  if (wrongField) throw wrongField
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
  // Older shops treat an empty list of ids as absent.
  if (isEmpty(list) && name === '6.5') return undefined
  if (isEmpty(list)) throw createInvalidIdsError(list, 'Ids should not be empty')
  return Object.values(list).map(one => {
    if (typeof one === 'string') return one
    const [key, id] = isArray(one) ? (Object.entries(one)[0] ?? []) : []
    if (key === undefined || isIntegerKey(key) || typeof id !== 'string')
      throw createInvalidIdsError(list, LIST_OF_IDS)
    return id
  })
}

const LIST_OF_IDS =
  'Ids should be a list of strings or a list of key value pairs, for entities with combined primary keys'

function createInvalidIdsError(ids: unknown, reason: string): ShopError {
  const dump = printArray(ids)
  const detail = `Invalid ids provided in criteria. ${reason}. Ids: ${dump}.`
  return createShopError(400, 'FRAMEWORK__INVALID_API_CRITERIA_IDS', detail, {
    parameters: {ids: dump, reason},
  })
}

/** @param maxLimit the default and the maximum; `undefined` inside associations */
function readPaging(
  sent: Written,
  maxLimit: number | undefined,
  errors: CriteriaErrors,
): Pick<EntityCriteria, 'limit' | 'offset'> {
  const {limit, page} = sent
  const count = limit === undefined || limit === null ? undefined : readLimit(limit, maxLimit, errors)
  const number = page === undefined || page === null ? 1 : readPage(page, errors)
  if ((count ?? 0) * (number - 1) > 2 ** 63) throw createTypeError('offset', 2 ** 63)
  // A page number beyond the integers is past the end, and so empty.
  const offset = Math.min((count ?? 0) * (number - 1), Number.MAX_SAFE_INTEGER)
  return {limit: count ?? maxLimit, offset}
}

function readLimit(limit: unknown, maxLimit: number | undefined, errors: CriteriaErrors): number {
  const count = isNumeric(limit) ? Math.trunc(Number(limit)) : 0
  if (count <= 0) errors.limit(limit)
  else if (maxLimit !== undefined && count > maxLimit) errors.limitTooLarge(count, maxLimit)
  return count
}

function readPage(page: unknown, errors: CriteriaErrors): number {
  const number = isNumeric(page) ? Math.trunc(Number(page)) : 0
  if (number <= 0) errors.addPageError(page)
  return Math.min(number, 2 ** 63)
}

function readGroup(name: unknown): string {
  if (typeof name !== 'string') throw createTypeError('group', name)
  return name
}

/** An error of a scored filter itself is sent alone and without a pointer; those inside it are collected. */
function readQueries(queries: unknown, {errors, now}: FilterReading): ScoredFilter[] {
  if (!isArray(queries)) return []
  return Object.values(queries)
    .filter(isArray)
    .map((one): ScoredFilter => {
      const {query, score, scoreField} = one as Written
      const written = query ?? {}
      if (!isArray(written)) throw createTypeError('filter', written)
      const alone = new CriteriaErrors(errors.edition)
      const filter = readFilter(written as Written, '', {errors: alone, nested: errors, isAlone: true, now})
      if (!filter) throw removePointers(alone)
      const points = score ?? 1
      if (typeof points !== 'number') throw createTypeError('score', points)
      if (scoreField !== undefined && scoreField !== null && typeof scoreField !== 'string')
        throw createTypeError('scoreField', scoreField)
      return {filter, points, ...(typeof scoreField === 'string' ? {scoreField} : {})}
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
      return [name, parseEntityCriteria(criteria, findModel(entity).get(association.target), reading, true)]
    }),
  )
}

const COUNT_MODES = ['none', 'exact', 'next-pages'] as const

function readCountMode(mode: unknown): EntityCriteria['countMode'] {
  if (mode === true) return 'exact'
  const byNumber = isNumeric(mode) ? COUNT_MODES[Math.trunc(Number(mode))] : undefined
  return byNumber ?? COUNT_MODES.find(name => name === mode) ?? 'none'
}
