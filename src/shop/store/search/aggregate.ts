import {type RawBuilder, sql} from 'kysely'
import {
  type AggregationPlan,
  BUCKET_COUNT,
  type Buckets,
  type EntitySearch,
  type Interval,
  type Metric,
  type RangeAggregation,
  type Sorting,
} from '../../../shopware/criteria.js'
import type {ShopDatabase} from '../schema/schema.js'
import {buildWhere} from './condition.js'
import {buildIndexPrefilter} from './index-prefilter.js'
import {createRootScope, type FieldReference, type QueryScope} from './scope.js'
import {buildDirectedOrder, scoreOf} from './sort-order.js'
import {buildNumericValue} from './values.js'

/**
 * Groups and counts everything that criteria find, ignoring page, order and post-filter.
 *
 * Rows count once for each of the many rows that filters join.
 *
 * @param most limit of rows; one more is read, so that the caller notices
 * @returns for each set of buckets: their keys from the outermost in, the count of the innermost, and the values of the
 * leaf; without buckets one row
 * @see protocol.md §6.5
 */
export async function aggregate(
  db: ShopDatabase,
  {entity, criteria, scored}: EntitySearch,
  plan: AggregationPlan,
  most: number,
): Promise<unknown[][]> {
  const found = {...criteria, filters: [...criteria.filters, ...plan.filters], postFilters: []}
  const prefilter = await buildIndexPrefilter(db, {entity, criteria: found, scored}, 'everything')
  const scope = createRootScope(entity, scored.length === 0)
  const where = buildWhere(found, scope, scoreOf(scored, scope)?.fits, prefilter)
  const levels: Level[] = []
  for (const level of plan.levels) levels.push(buildLevel(level, scope))
  const {values, groups} = selectLeafValues(plan.leaf, scope)
  const counted = sql`count(${sql.ref(`${scope.alias}.id`)})`
  const groupedBy = [...levels.map(({group}) => group), ...groups]
  const selected = [...levels.map(({key}) => key), counted, ...values]
  const [only] = plan.levels
  const limit =
    levels.length === 1 && groups.length === 0 && only?.type === 'terms' ? (only.limit ?? most) : most
  const query = sql`select ${sql.join(selected)} from ${scope.from} ${where}
    ${groupedBy.length === 0 ? sql`` : sql`group by ${sql.join(groupedBy)} order by ${orderOfGroups(levels, counted)}`}
    limit ${Math.min(limit, most) + 1}`
  const rows = await db.readRows(query.compile(db.reads))
  const before = levels.length + 1
  return rows.map(row => row.map((value, index) => (index < before ? value : readExtremeText(value))))
}

interface Level {
  group: RawBuilder<unknown>
  key: RawBuilder<unknown>
  order: RawBuilder<unknown>[]
  sorting: Sorting | undefined
}

function buildLevel(level: Buckets, scope: QueryScope): Level {
  const {field, sorting} = level
  const {plain, compared} = scope.findJoined(field)
  const isMoment = level.type === 'histogram'
  const key = sql`min(${isMoment ? compared : plain})`
  const group = isMoment ? buildIntervalKey(compared, level.interval) : compared
  const byKey = sql`min(${compared})`
  const order = sorting && sorting.field !== BUCKET_COUNT ? sortTerms(sorting, field, byKey, scope) : []
  return {group, key, order: [...order, buildDirectedOrder(byKey, false)], sorting}
}

function sortTerms(
  {field, descending, natural}: Sorting,
  own: string,
  byKey: RawBuilder<unknown>,
  scope: QueryScope,
): RawBuilder<unknown>[] {
  const value = field === own ? byKey : sql`min(${scope.findJoined(field).compared})`
  const terms = natural ? [sql`length(${value})`, value] : [value]
  return terms.map(term => buildDirectedOrder(term, descending))
}

/** Only the innermost buckets are sorted by count here: the counts of the others are known at the end. */
function orderOfGroups(levels: readonly Level[], counted: RawBuilder<unknown>): RawBuilder<unknown> {
  const innermost = levels.length - 1
  const terms = levels.flatMap(({order, sorting}, index) =>
    index === innermost && sorting?.field === BUCKET_COUNT
      ? [buildDirectedOrder(counted, sorting.descending), ...order]
      : order,
  )
  return terms.length === 0 ? sql`1` : sql.join(terms)
}

/** Separates a text's folded form from the text itself; it sorts before any other character. */
const BETWEEN = '\u0001'

/** The columns selected for each group, and additional grouping columns for them. */
interface LeafValues {
  values: RawBuilder<unknown>[]
  groups: RawBuilder<unknown>[]
}

/**
 * The columns for the innermost aggregation.
 *
 * @see protocol.md §6.5
 */
function selectLeafValues(leaf: AggregationPlan['leaf'], scope: QueryScope): LeafValues {
  if (!leaf) return {values: [], groups: []}
  const reference = scope.findJoined(leaf.field)
  if (leaf.type === 'entity') return {values: [sql`min(${reference.plain})`], groups: [reference.compared]}
  const values =
    leaf.type === 'range' ? selectRangeValues(leaf, reference) : selectMetricValues(leaf, reference)
  return {values, groups: []}
}

function selectRangeValues({ranges}: RangeAggregation, reference: FieldReference): RawBuilder<unknown>[] {
  const number = buildNumericValue(reference)
  return ranges.map(({from, to}) => {
    const lower = from === undefined ? [] : [sql`${number} >= ${from}`]
    const upper = to === undefined ? [] : [sql`${number} < ${to}`]
    const inside = sql.join([sql`${reference.plain} is not null`, ...lower, ...upper], sql` and `)
    return sql`sum(case when ${inside} then 1 else 0 end)`
  })
}

function selectMetricValues({type}: Metric, reference: FieldReference): RawBuilder<unknown>[] {
  const number = buildNumericValue(reference)
  switch (type) {
    case 'count':
      return [sql`count(distinct ${reference.compared})`]
    case 'avg':
      return [sql`avg(${number})`]
    case 'sum':
      return [sql`sum(${number})`]
    case 'min':
    case 'max':
      return [selectExtreme(type, reference)]
    default:
      return [
        selectExtreme('min', reference),
        selectExtreme('max', reference),
        sql`avg(${number})`,
        sql`sum(${number})`,
      ]
  }
}

/** Texts are compared without case and accents, and returned unchanged. */
function selectExtreme(type: 'min' | 'max', {field, compared, plain}: FieldReference): RawBuilder<unknown> {
  const of = type === 'min' ? sql`min` : sql`max`
  if (field.kind === 'date') return sql`substr(${of}(${plain}), 1, 10)`
  if (field.kind !== 'text' && field.kind !== 'custom-fields') return sql`${of}(${plain})`
  if (field.constant !== undefined) return sql`${of}(${plain})`
  return sql`${of}(${compared} || ${BETWEEN} || ${plain})`
}

/** Extracts the text from the result of `selectExtreme`; other values stay unchanged. */
function readExtremeText(value: unknown): unknown {
  return typeof value === 'string' ? value.slice(value.indexOf(BETWEEN) + 1) : value
}

/** Length of the prefix of `2024-10-24 21:30:46.123` that identifies an interval. */
const LEADING: Readonly<Partial<Record<Interval, number>>> = {
  minute: 16,
  hour: 13,
  day: 10,
  month: 7,
  year: 4,
}

/**
 * The common key of all times in an interval, using only integers and parts of text.
 *
 * @param moment a stored time
 * @see protocol.md §6.5, `histogram`
 */
function buildIntervalKey(moment: RawBuilder<unknown>, interval: Interval): RawBuilder<unknown> {
  const leading = LEADING[interval]
  if (leading !== undefined) return sql`substr(${moment}, 1, ${sql.lit(leading)})`
  const year = sql`substr(${moment}, 1, 4)`
  if (interval === 'quarter') return sql`${year} || '-' || cast((${extractMonth(moment)} + 2) / 3 as text)`
  return sql`${year} || '-' || cast(${computeWeek(moment)} as text)`
}

function extractMonth(moment: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`cast(substr(${moment}, 6, 2) as integer)`
}

/**
 * The week number from the Julian day number, with integer arithmetic and parts of text that both engines share.
 *
 * @see ISO 8601, and the usual algorithms for calendars
 */
function computeWeek(moment: RawBuilder<unknown>): RawBuilder<number> {
  const day = computeJulianDay(moment)
  const inCycle = sql`((((${day} + 31741 - (${day} % 7)) % 146097) % 36524) % 1461)`
  const leap = sql`(${inCycle} / 1460)`
  return sql<number>`((((${inCycle} - ${leap}) % 365) + ${leap}) / 7 + 1)`
}

/** The Julian day number, which modulo 7 is 0 on Mondays. */
function computeJulianDay(moment: RawBuilder<unknown>): RawBuilder<number> {
  const isEarly = sql`((14 - ${extractMonth(moment)}) / 12)`
  const year = sql`(cast(substr(${moment}, 1, 4) as integer) + 4800 - ${isEarly})`
  const fromMarch = sql`(${extractMonth(moment)} + 12 * ${isEarly} - 3)`
  const day = sql`cast(substr(${moment}, 9, 2) as integer)`
  return sql<number>`(${day} + (153 * ${fromMarch} + 2) / 5 + 365 * ${year} + ${year} / 4 - ${year} / 100 + ${year} / 400 - 32045)`
}
