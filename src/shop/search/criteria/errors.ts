import type {ShopEdition} from '../../../shopware/editions.js'
import {LIMIT_EXCEEDED, NO_OFFSET} from '../../../shopware/error-texts.js'
import {
  convertToText,
  describeType,
  isArray,
  isNumeric,
  normalizeArrays,
} from '../../../shopware/php-values.js'
import type {ShopEntry} from '../../../wire/schemas/error-envelope.js'
import {createHttpError, createShopEntry, createShopError, ShopError} from '../../runtime/shop-error.js'

/** For a limit above the maximum. */
export function createLimitEntry(limit: number, maxLimit: number): ShopEntry {
  const detail = `The limit must be lower than or equal to MAX_LIMIT(=${maxLimit}). Given: ${limit}`
  return createShopEntry(400, LIMIT_EXCEEDED, detail, {pointer: '/limit', parameters: {maxLimit, limit}})
}

/** Collects the errors of a request's criteria. @see protocol.md §6.8, accumulation */
export class CriteriaErrors {
  /** @param edition edition that words them */
  constructor(readonly edition: ShopEdition) {}

  readonly #entries: ShopEntry[] = []

  get entries(): readonly ShopEntry[] {
    return this.#entries
  }

  add(
    code: string,
    detail: string,
    pointer: string,
    parameters: Record<string, unknown> = {path: pointer},
  ): void {
    this.#entries.push(createShopEntry(400, code, detail, {pointer, parameters}))
  }

  /** @param path path of the filter, when it differs from `pointer` */
  filter(detail: string, pointer: string, path = pointer): void {
    const parameters = this.edition.name === '6.5' ? {message: detail} : {path}
    this.add('FRAMEWORK__INVALID_FILTER_QUERY', detail, pointer, parameters)
  }

  /** @param item the invalid sorting, if it is in a list */
  sort(detail: string, pointer: string, item?: {readonly sent: unknown}): void {
    if (this.edition.name === '6.5') this.#addOlderSortError(pointer, item)
    else this.add('FRAMEWORK__INVALID_SORT_QUERY', detail, pointer)
  }

  /** Older shops do not check the type of items in a list. */
  #addOlderSortError(pointer: string, item?: {readonly sent: unknown}): void {
    if (item?.sent !== undefined && typeof item.sent === 'string') throw createHttpError(500, NO_OFFSET)
    if (item) throw createTypeError('sortField', undefined)
    this.add('FRAMEWORK__INVALID_SORT_QUERY', 'A value for the sort parameter is required.', pointer, {})
  }

  addAggregationError(detail: string, pointer: string): void {
    this.add('FRAMEWORK__INVALID_AGGREGATION_QUERY', detail, pointer, {message: detail})
  }

  limit(limit: unknown): void {
    const given = convertToGiven(limit)
    const detail = `The limit parameter must be a positive integer greater or equals than 1. Given: ${formatGivenValue('limit', given)}`
    this.add('FRAMEWORK__INVALID_LIMIT_QUERY', detail, '/limit', {limit: given})
  }

  limitTooLarge(limit: number, maxLimit: number): void {
    this.#entries.push(createLimitEntry(limit, maxLimit))
  }

  addPageError(page: unknown): void {
    const given = convertToGiven(page)
    const detail = `The page parameter must be a positive integer. Given: ${formatGivenValue('page', given)}`
    this.add('FRAMEWORK__INVALID_PAGE_QUERY', detail, '/page', {page: given})
  }

  /** @throws ShopError 400 with all collected errors, grouped by pointer */
  throwIfAny(): void {
    if (this.#entries.length === 0) return
    const byPointer = new Map<string | undefined, ShopEntry[]>()
    for (const entry of this.#entries) {
      const pointer = entry.source?.pointer
      byPointer.set(pointer, [...(byPointer.get(pointer) ?? []), entry])
    }
    throw new ShopError(400, [...byPointer.values()].flat())
  }
}

/** A value in the shop's templates: for arrays the placeholder stays. */
function formatGivenValue(name: string, value: unknown): string {
  return isArray(value) ? `{{ ${name} }}` : convertToText(value)
}

/** The value as the shop compared it: numbers as integers, and a word for an empty text. */
function convertToGiven(value: unknown): unknown {
  if (isNumeric(value)) return Math.trunc(Number(value)) + 0
  return value === '' ? '(empty)' : normalizeArrays(value)
}

/** For aggregations that are not a list, which is sent alone. */
export function createInvalidAggregationError(message: string): ShopError {
  return createShopError(400, 'FRAMEWORK__INVALID_AGGREGATION_QUERY', message, {parameters: {message}})
}

export function createUnmappedFieldError(field: string, entity: string): ShopError {
  const detail = `Field "${field}" in entity "${entity}" was not found.`
  return createShopError(400, 'FRAMEWORK__UNMAPPED_FIELD', detail, {parameters: {field, entity}})
}

export function createAccessorError(accessor: string): ShopError {
  const detail = `Accessor ${accessor} is not allowed in this api scope`
  return createShopError(500, 'FRAMEWORK__ACCESSOR_NOT_ALLOWED', detail, {parameters: {accessor}})
}

export function createAssociationError(association: string): ShopError {
  const detail = `Can not find association by name ${association}`
  return createShopError(500, 'FRAMEWORK__ASSOCIATION_NOT_FOUND', detail, {parameters: {association}})
}

/** For a field that is computed for responses, and so cannot be compared. */
export function createRuntimeFieldError(field: string): ShopError {
  const detail = `Field ${field} is a Runtime field and cannot be used in a criteria`
  return createShopError(500, 'FRAMEWORK__RUNTIME_FIELD_IN_CRITERIA', detail, {parameters: {field}})
}

/** For an unknown entity in an aggregation. */
export function createNoRepositoryError(entityName: string): ShopError {
  const detail = `EntityRepository for entity "${entityName}" does not exist.`
  return createShopError(400, 'FRAMEWORK__EntityRepository_NOT_FOUND', detail, {parameters: {entityName}})
}

/** For ids that the database returns as bytes, not as text. */
export function createBytesError(): ShopError {
  return createHttpError(500, 'Malformed UTF-8 characters, possibly incorrectly encoded')
}

/** For a field whose type an aggregation does not support. */
export function createUnsupportedFieldError(aggregation: string, field: string, kind: string): ShopError {
  const detail = `The field "${field}" of the type ${kind} is not supported in a ${aggregation} aggregation; int and float are.`
  return createShopError(500, 'FRAMEWORK__NOT_SUPPORTED_FIELD_FOR_AGGREGATION', detail, {
    parameters: {aggregation, field, type: kind},
  })
}

/** The parameters for which PHP refuses values of another type, by our names. */
const PARAMETERS = {
  queries: ['Parser\\QueryStringParser::parseQueries()', 4, 'queries', 'array'],
  filter: ['Parser\\QueryStringParser::fromArray()', 2, 'query', 'array'],
  filterField: ['Parser\\QueryStringParser::buildFieldName()', 2, 'fieldName', 'string'],
  aggregatedField: ['Parser\\AggregationParser::buildFieldName()', 2, 'fieldName', 'string'],
  relativeOperator: ['Parser\\QueryStringParser::negateOperator()', 1, 'operator', 'string'],
  equalsValue: ['Filter\\EqualsFilter::__construct()', 2, 'value', 'string|int|float|bool|null'],
  prefixValue: ['Filter\\PrefixFilter::__construct()', 2, 'value', 'string|int|float|bool|null'],
  suffixValue: ['Filter\\SuffixFilter::__construct()', 2, 'value', 'string|int|float|bool|null'],
  notOperator: ['Filter\\MultiFilter::__construct()', 1, 'operator', 'string'],
  score: ['Query\\ScoreQuery::__construct()', 2, 'score', 'float'],
  scoreField: ['Query\\ScoreQuery::__construct()', 3, 'scoreField', '?string'],
  fieldAccessor: ['EntityDefinitionQueryHelper::getFieldsOfAccessor()', 2, 'accessor', 'string'],
  offset: ['Criteria::setOffset()', 1, 'offset', '?int'],
  rangeParameters: ['Filter\\RangeFilter::__construct()', 2, 'parameters', 'array'],
  sort: ['RequestCriteriaBuilder::parseSimpleSorting()', 2, 'query', 'string'],
  sortField: ['RequestCriteriaBuilder::buildFieldName()', 2, 'fieldName', 'string'],
  ids: ['Criteria::setIds()', 1, 'ids', 'array'],
  fields: ['Criteria::addFields()', 1, 'fields', 'array'],
  group: ['Grouping\\FieldGrouping::__construct()', 1, 'field', 'string'],
  aggregationIndex: ['Parser\\AggregationParser::parseAggregation()', 1, 'index', 'int'],
  aggregation: ['Parser\\AggregationParser::parseAggregation()', 3, 'aggregation', 'array'],
  bucketSortField: ['Sorting\\FieldSorting::__construct()', 1, 'field', 'string'],
  interval: ['Aggregation\\Bucket\\DateHistogramAggregation::__construct()', 3, 'interval', 'string'],
  format: ['Aggregation\\Bucket\\DateHistogramAggregation::__construct()', 6, 'format', '?string'],
  timeZone: ['Aggregation\\Bucket\\DateHistogramAggregation::__construct()', 7, 'timeZone', '?string'],
  definition: ['Aggregation\\Metric\\EntityAggregation::__construct()', 3, 'entity', 'string'],
  ranges: ['Aggregation\\Metric\\RangeAggregation::__construct()', 3, 'ranges', 'array'],
} as const satisfies Record<string, readonly [method: string, position: number, name: string, type: string]>

/** For a value of the wrong type on which PHP throws: 500, with the text of its type error. */
export function createTypeError(parameter: keyof typeof PARAMETERS, value: unknown): ShopError {
  const [method, position, name, type] = PARAMETERS[parameter]
  const folder = parameter === 'fieldAccessor' ? 'Dbal' : 'Search'
  const where = `Shopware\\Core\\Framework\\DataAbstractionLayer\\${folder}\\${method}`
  const detail = `${where}: Argument #${position} ($${name}) must be of type ${type}, ${describeType(value)} given`
  return createHttpError(500, detail)
}

/** For an error without a pointer, which PHP cannot add to the collected ones. */
export function createNoPointerError(): ShopError {
  const add = 'Shopware\\Core\\Framework\\DataAbstractionLayer\\Exception\\SearchRequestException::add()'
  return createHttpError(500, `${add}: Argument #2 ($pointer) must be of type string, null given`)
}

/** For a filter with an unknown operator, without a pointer. */
export function createRangeKeyError(key: string): ShopError {
  return createShopError(400, 'FRAMEWORK__INVALID_RANGE_FILTER_PARAMS', `Invalid range filter key ${key}`)
}

/** For an association in place of a field. */
export function createNoAccessorError(field: string): ShopError {
  const detail = `The field accessor builder for field ${field} was not found.`
  return createShopError(500, 'FRAMEWORK__FIELD_ACCESSOR_BUILDER_NOT_FOUND', detail, {parameters: {field}})
}

/** For `includes` without a list for an entity in the response. */
export function createIncludesError(value: unknown): ShopError {
  const detail = `in_array(): Argument #2 ($haystack) must be of type array, ${describeType(value)} given`
  return createHttpError(500, detail)
}

/** For grouping by an association, whose table the shop does not join for it. */
export function createGroupingError(): ShopError {
  const reason = "SQLSTATE[42S22]: Column not found: 1054 Unknown column in 'group statement'"
  return createHttpError(500, `An exception occurred while executing a query: ${reason}`, '1054')
}
