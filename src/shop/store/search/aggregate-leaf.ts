import {type RawBuilder, sql} from 'kysely'
import type {AggregationPlan, Metric, RangeAggregation} from '../../model/aggregation.js'
import type {SearchEngine} from '../schema/search-dialect.js'
import type {FieldPlace, Scope} from './scope.js'
import {numeric} from './values.js'

/** Stands between what a text is compared by and the text itself; nothing in either sorts before it. */
const BETWEEN = '\u0001'

/** What is selected of each group, and what groups are split by for it. */
interface LeafValues {
  values: RawBuilder<unknown>[]
  groups: RawBuilder<unknown>[]
}

/**
 * The columns that answer for the innermost aggregation.
 *
 * @see protocol.md §6.5
 */
export function leafValues(leaf: AggregationPlan['leaf'], scope: Scope): LeafValues {
  if (!leaf) return {values: [], groups: []}
  const place = scope.findJoined(leaf.field)
  if (leaf.type === 'entity') return {values: [sql`min(${place.plain})`], groups: [place.compared]}
  const values =
    leaf.type === 'range' ? rangeValues(leaf, place, scope.engine) : metricValues(leaf, place, scope.engine)
  return {values, groups: []}
}

function rangeValues(
  {ranges}: RangeAggregation,
  place: FieldPlace,
  engine: SearchEngine,
): RawBuilder<unknown>[] {
  const number = numeric(place, engine)
  return ranges.map(({from, to}) => {
    const lower = from === undefined ? [] : [sql`${number} >= ${asNumber(from)}`]
    const upper = to === undefined ? [] : [sql`${number} < ${asNumber(to)}`]
    const inside = sql.join([sql`${place.plain} is not null`, ...lower, ...upper], sql` and `)
    return sql`sum(case when ${inside} then 1 else 0 end)`
  })
}

/** A fraction may stand beside a whole number of the database's. */
function asNumber(value: number): RawBuilder<number> {
  return sql<number>`cast(${value} as double precision)`
}

function metricValues({type}: Metric, place: FieldPlace, engine: SearchEngine): RawBuilder<unknown>[] {
  const number = engine.exact(numeric(place, engine))
  switch (type) {
    case 'count':
      return [sql`count(distinct ${place.compared})`]
    case 'avg':
      return [sql`avg(${number})`]
    case 'sum':
      return [sql`sum(${number})`]
    case 'min':
    case 'max':
      return [extreme(type, place)]
    default:
      return [extreme('min', place), extreme('max', place), sql`avg(${number})`, sql`sum(${number})`]
  }
}

/** Texts are compared without case and accents, and told as they are. */
function extreme(type: 'min' | 'max', {field, compared, plain}: FieldPlace): RawBuilder<unknown> {
  const of = type === 'min' ? sql`min` : sql`max`
  if (field.kind !== 'text' && field.kind !== 'custom-fields') return sql`${of}(${plain})`
  if (field.constant !== undefined) return sql`${of}(${plain})`
  return sql`${of}(${compared} || ${BETWEEN} || ${plain})`
}

/** The text itself out of what an extreme was found by; anything else as it is. */
export function extremeText(value: unknown): unknown {
  return typeof value === 'string' ? value.slice(value.indexOf(BETWEEN) + 1) : value
}
