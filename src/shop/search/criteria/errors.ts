import type {ShopEntry} from '../../../wire/schemas/error-envelope.js'
import {createHttpError, createShopEntry, createShopError, ShopError} from '../../runtime/shop-error.js'
import {convertToText, isArray} from './php-values.js'

/** Errors of one request's criteria, which are answered together. @see protocol.md §6.8, accumulation */
export class CriteriaErrors {
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

  /** @param path where the filter stands, when that differs from `pointer` */
  filter(detail: string, pointer: string, path = pointer): void {
    this.add('FRAMEWORK__INVALID_FILTER_QUERY', detail, pointer, {path})
  }

  sort(detail: string, pointer: string): void {
    this.add('FRAMEWORK__INVALID_SORT_QUERY', detail, pointer)
  }

  addAggregationError(detail: string, pointer: string): void {
    this.add('FRAMEWORK__INVALID_AGGREGATION_QUERY', detail, pointer, {message: detail})
  }

  limit(limit: unknown): void {
    const detail = `The limit parameter must be a positive integer greater or equals than 1. Given: ${formatGivenValue('limit', limit)}`
    this.add('FRAMEWORK__INVALID_LIMIT_QUERY', detail, '/limit', {limit})
  }

  limitTooLarge(limit: unknown, maxLimit: number): void {
    const detail = `The limit must be lower than or equal to MAX_LIMIT(=${maxLimit}). Given: ${convertToText(limit)}`
    this.add('FRAMEWORK__QUERY_LIMIT_EXCEEDED', detail, '/limit', {maxLimit, limit})
  }

  addPageError(page: unknown): void {
    const detail = `The page parameter must be a positive integer. Given: ${formatGivenValue('page', page)}`
    this.add('FRAMEWORK__INVALID_PAGE_QUERY', detail, '/page', {page})
  }

  /** @throws ShopError 400 with everything that was added */
  throwIfAny(): void {
    if (this.#entries.length > 0) throw new ShopError(400, this.#entries)
  }
}

/** What the shop's templates show of a value: arrays leave the placeholder in place. */
function formatGivenValue(name: string, value: unknown): string {
  if (isArray(value)) return `{{ ${name} }}`
  return value === '' ? '(empty)' : convertToText(value)
}

/** For aggregations that are no list at all, which is answered alone. */
export function createInvalidAggregationError(message: string): ShopError {
  return createShopError(400, 'FRAMEWORK__INVALID_AGGREGATION_QUERY', message, {parameters: {message}})
}

export function createUnmappedFieldError(field: string, entity: string): ShopError {
  return createShopError(
    400,
    'FRAMEWORK__UNMAPPED_FIELD',
    `Field "${field}" in entity "${entity}" was not found.`,
    {
      parameters: {field, entity},
    },
  )
}

export function createAccessorError(accessor: string): ShopError {
  const detail = `Accessor ${accessor} is not allowed in this api scope`
  return createShopError(500, 'FRAMEWORK__ACCESSOR_NOT_ALLOWED', detail, {parameters: {accessor}})
}

export function createAssociationError(association: string): ShopError {
  const detail = `Can not find association by name ${association}`
  return createShopError(500, 'FRAMEWORK__ASSOCIATION_NOT_FOUND', detail, {parameters: {association}})
}

export function createInvalidUuidError(value: unknown): ShopError {
  const input = convertToText(value)
  return createShopError(400, 'FRAMEWORK__INVALID_UUID', `Value is not a valid UUID: ${input}`, {
    parameters: {input},
  })
}

/** For a field whose values an aggregation can do nothing with. */
export function createUnsupportedFieldError(aggregation: string, field: string, kind: string): ShopError {
  const detail = `The field "${field}" of the type ${kind} is not supported in a ${aggregation} aggregation; int and float are.`
  return createShopError(500, 'FRAMEWORK__NOT_SUPPORTED_FIELD_FOR_AGGREGATION', detail, {
    parameters: {aggregation, field, type: kind},
  })
}

/** Where PHP would have thrown for a value of the wrong type. */
export function createTypeError(parameter: string, expected: string, actual: string): ShopError {
  return createHttpError(500, `${parameter}: Argument must be of type ${expected}, ${actual} given`)
}
