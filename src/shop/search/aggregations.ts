import {
  type AggregationPlan,
  type CriteriaAggregation,
  type EntityCriteria,
  type EntitySearch,
  planOf,
} from '../../shopware/criteria.js'
import {chooseModel, isNewer} from '../../shopware/entities/entities.js'
import type {Entity} from '../../shopware/entity.js'
import {yieldToEventLoop} from '../runtime/event-loop.js'
import {ANSWER} from '../runtime/limits.js'
import type {RuleDeps} from '../runtime/runtime.js'
import {createHttpError} from '../runtime/shop-error.js'
import type {ShopDatabase} from '../store/schema/schema.js'
import {aggregate} from '../store/search/aggregate.js'
import {listPageColumns, searchPage} from '../store/search/search.js'
import {type AggregatedValue, type AggregationResult, type Bucket, buildBuckets} from './buckets.js'
import {createNoRepositoryError} from './criteria/errors.js'
import {getTextEncoder, type JsonForm} from './response/encoders.js'
import {createPlainWriter} from './response/plain-json.js'

/**
 * Runs the aggregations of a search; of two with one name the later one counts. A real shop has no limit of buckets and
 * keeps them all in memory; a `limit` on `terms` applies before ours.
 *
 * @throws ShopError 400 when one of them has more than 10,000 buckets, 500 for a histogram of an invalid date
 * @see protocol.md §6.5
 */
export async function runAggregations(search: EntitySearch, deps: RuleDeps): Promise<AggregationResult[]> {
  const results = new Map<string, AggregationResult>()
  for (const aggregation of search.criteria.aggregations) {
    if (results.size > 0) await yieldToEventLoop()
    const result = await runOne(search, aggregation, deps)
    results.set(result.name, result)
  }
  return [...results.values()]
}

async function runOne(
  search: EntitySearch,
  aggregation: CriteriaAggregation,
  {db, now}: RuleDeps,
): Promise<AggregationResult> {
  const plan = planOf(aggregation)
  const most = ANSWER.buckets
  const rows = search.entity.isRowless ? listRowsOfNothing(plan) : await aggregate(db, search, plan, most)
  if (rows.length > most) {
    throw createHttpError(
      400,
      `The aggregation "${aggregation.name}" has more than ${most} buckets; narrow the filter or limit it.`,
    )
  }
  const buildLeaf = (some: readonly (readonly unknown[])[]) => buildLeafResult(plan.leaf, some)
  return (
    buildBuckets(plan.levels, rows, buildLeaf, now()) ??
    ({kind: 'values', name: aggregation.name, values: []} as const)
  )
}

/** The result of a query over no rows: no buckets, or one set of empty values. */
function listRowsOfNothing({levels, leaf}: AggregationPlan): unknown[][] {
  return levels.length > 0 || leaf?.type === 'entity' ? [] : [[0, null, null, null, null]]
}

/** @param rows of one set of buckets: the count, then the leaf's values; several rows only for entities */
function buildLeafResult(
  leaf: AggregationPlan['leaf'],
  rows: readonly (readonly unknown[])[],
): AggregationResult | undefined {
  if (!leaf) return undefined
  const {name} = leaf
  const values = rows[0]?.slice(1) ?? []
  if (leaf.type === 'entity') {
    const ids = rows.map(row => row[1]).filter(id => id !== null)
    return {kind: 'entities', name, definition: leaf.definition, ids: ids.map(String)}
  }
  if (leaf.type === 'range') {
    const ranges = leaf.ranges.map(({key}, index) => [key, Number(values[index] ?? 0)] as const)
    return {kind: 'ranges', name, ranges: [...new Map(ranges)]}
  }
  if (leaf.type !== 'stats') return {kind: 'values', name, values: [readValue(leaf.type, values[0])]}
  const members = ['min', 'max', 'avg', 'sum'] as const
  // Without any rows even the average is null.
  const read = (member: (typeof members)[number], value: unknown) =>
    value === null || value === undefined ? ([member, 'text', null] as const) : readValue(member, value)
  return {kind: 'values', name, values: members.map((member, index) => read(member, values[index]))}
}

/** Minimum and maximum are texts, as from the shop's database; average and sum of nothing are 0. */
function readValue(member: 'count' | 'avg' | 'sum' | 'min' | 'max', value: unknown): AggregatedValue {
  if (member === 'count') return [member, 'int', Number(value ?? 0)]
  if (member === 'avg' || member === 'sum') return [member, 'float', requireFinite(Number(value ?? 0))]
  return [member, 'text', value === null || value === undefined ? null : String(value)]
}

/** JSON cannot express infinity. */
function requireFinite(number: number): number {
  return Number.isFinite(number) ? number : 0
}

/** Dependencies for writing the results of aggregations. */
interface AggregationWriting extends Pick<RuleDeps, 'edition'> {
  readonly db: ShopDatabase
  readonly form: JsonForm
}

/** Rows in one read. */
const PAGE = 500

/**
 * The member `aggregations` of a response: an object by name, `[]` when there are none.
 *
 * @throws ShopError 400 for an unknown entity
 * @see protocol.md §6.5, envelope
 */
export async function writeAggregations(
  results: readonly AggregationResult[],
  writing: AggregationWriting,
): Promise<string> {
  const {form} = writing
  if (results.length === 0) return '[]'
  const written: string[] = []
  for (const result of results) {
    const name = getTextEncoder(form)(result.name)
    const alias = getTextEncoder(form)(`${result.name}_aggregation`)
    const members = await writeMembers(result, writing)
    written.push(`${name}:{"name":${name},${members}"apiAlias":${alias}}`)
  }
  return `{${written.join()}}`
}

/** Writes the members between name and alias, each followed by a comma. @param isInside whether it is in a bucket */
async function writeMembers(
  result: AggregationResult,
  writing: AggregationWriting,
  isInside = false,
): Promise<string> {
  const {form} = writing
  switch (result.kind) {
    case 'values':
      return result.values.map(value => `"${value[0]}":${writeValue(value, form)},`).join('')
    case 'ranges': {
      const counts = result.ranges.map(([key, count]) => `${getTextEncoder(form)(key)}:${count}`)
      return `"ranges":${counts.length === 0 ? '[]' : `{${counts.join()}}`},`
    }
    case 'entities':
      return `"entities":[${await writeEntities(result.definition, result.ids, writing)}],`
    case 'buckets': {
      const buckets: string[] = []
      for (const bucket of result.buckets) buckets.push(await writeBucket(bucket, writing, isInside))
      return `"buckets":[${buckets.join()}],`
    }
  }
}

/** The content of a bucket, nested buckets included, has `extensions` and no alias. */
async function writeBucket(
  {key, count, nested}: Bucket,
  writing: AggregationWriting,
  isInside: boolean,
): Promise<string> {
  const text = getTextEncoder(writing.form)
  const start = `${isInside ? '{"extensions":[],' : '{'}"key":${text(key)},"count":${count}`
  const end = isInside ? '}' : ',"apiAlias":"aggregation_bucket"}'
  if (!nested) return `${start}${end}`
  const name = text(nested.name)
  const members = (await writeMembers(nested, writing, true)).slice(0, -1)
  return `${start},${name}:{"extensions":[],"name":${name},${members}}${end}`
}

function writeValue([, kind, value]: AggregatedValue, form: JsonForm): string {
  if (value === null) return 'null'
  if (kind === 'text') return getTextEncoder(form)(value)
  return form === 'json-api' && kind === 'float' && Number.isInteger(value) ? `${value}.0` : String(value)
}

const EVERYTHING: EntityCriteria = {
  limit: undefined,
  offset: 0,
  filters: [],
  postFilters: [],
  queries: [],
  sorting: [],
  countMode: 'none',
  grouping: [],
  aggregations: [],
  associations: {},
}

/**
 * The members of an entity in an aggregation: its own fields, without those that a search adds; since 6.7 without a
 * version for entities that have none.
 */
function listReducedMembers(entity: Entity): readonly string[] {
  const associations = new Set(entity.associations.map(({name}) => name))
  const own = entity.plainOrder.filter(name => !associations.has(name))
  const version = entity.versioned || !isNewer(entity) ? ['versionId'] : []
  return [...own, ...version, 'translated', 'createdAt', 'updatedAt', 'customFields', 'id']
}

/** Writes entities, read a page at a time. */
async function writeEntities(
  definition: string,
  ids: readonly string[],
  {db, form, edition}: AggregationWriting,
): Promise<string> {
  const entity = chooseModel(edition).entities.find(({name}) => name === definition)
  if (!entity) throw createNoRepositoryError(definition)
  const columns = listPageColumns(entity, {includes: undefined, associations: {}})
  const write = createPlainWriter(entity, {
    columns,
    isFound: false,
    hasScore: false,
    loaded: {},
    includes: listReducedMembers(entity),
    form,
  })
  const written: string[] = []
  for (let start = 0; start < ids.length; start += PAGE) {
    const criteria = {...EVERYTHING, ids: ids.slice(start, start + PAGE)}
    const {rows} = await searchPage(db, {entity, criteria, scored: []}, columns)
    written.push(...rows.map(write))
  }
  return written.join()
}
