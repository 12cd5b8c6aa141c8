import type {EntitySearch} from '../../shopware/criteria.js'
import type {Entity} from '../../shopware/entity.js'
import {isId} from '../../shopware/ids.js'
import type {ShapedSearch} from '../store/search/search.js'

/** A parsed and checked search, for all searches that differ from it only in compared values. */
export interface SearchPlan {
  /** With the values of the first search. */
  readonly asked: EntitySearch
  readonly columns: readonly string[]
  readonly shaped: ShapedSearch
}

/** Criteria without their compared values. */
export interface CriteriaSketch {
  readonly shape: string
  /** In order. */
  readonly values: readonly string[]
}

/** Most cached plans: programs repeat few searches. */
const MOST_PLANS = 500

/** Longest cached shape: longer ones are rarely sent twice. */
const LONGEST_SHAPE = 2000
const LONGEST_VALUE = 200

/** A cache of the most recently used plans. */
export class SearchPlans {
  readonly #plans = new Map<string, SearchPlan>()

  find(entity: Entity, {shape}: CriteriaSketch): SearchPlan | undefined {
    return this.#plans.get(`${entity.name} ${shape}`)
  }

  keep(entity: Entity, {shape}: CriteriaSketch, plan: SearchPlan): void {
    if (this.#plans.size >= MOST_PLANS) this.#plans.clear()
    this.#plans.set(`${entity.name} ${shape}`, plan)
  }
}

/** Members of criteria that must be exactly the same in every search of one shape. */
const FIXED_MEMBERS: ReadonlySet<string> = new Set([
  'limit',
  'page',
  'sort',
  'fields',
  'includes',
  'total-count-mode',
])

/**
 * The shape of unparsed criteria: two of one shape have the same parsing and checks, at any time.
 *
 * @returns `undefined` where more than compared texts may differ
 */
export function sketchCriteria(written: unknown): CriteriaSketch | undefined {
  if (!isPlainObject(written)) return undefined
  const shape: unknown[] = []
  const values: string[] = []
  for (const name in written) {
    const member = written[name]
    shape.push(name)
    if (name === 'filter') {
      if (!Array.isArray(member) || !member.every(one => sketchFilter(one, shape, values))) return undefined
    } else if (FIXED_MEMBERS.has(name) || (name === 'associations' && holdsNothing(member))) {
      shape.push(member)
    } else return undefined
  }
  const text = JSON.stringify(shape)
  return text.length > LONGEST_SHAPE ? undefined : {shape: text, values}
}

/** @returns whether it only compares a field with texts */
function sketchFilter(filter: unknown, shape: unknown[], values: string[]): boolean {
  if (!isPlainObject(filter)) return false
  const {type, field, value, ...rest} = filter
  if (typeof field !== 'string' || !holdsNothing(rest)) return false
  const isList = type === 'equalsAny' && Array.isArray(value)
  if (!isList && type !== 'equals') return false
  const compared = isList ? value : [value]
  if (compared.length === 0 || !compared.every(isShortText)) return false
  values.push(...compared)
  // Fields with ids allow no other texts.
  shape.push(type, field, compared.length, compared.every(isId))
  return true
}

function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST_VALUE
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether it is empty, or contains only empty values. */
function holdsNothing(value: unknown): boolean {
  return isPlainObject(value) && Object.values(value).every(holdsNothing)
}
