import {type RawBuilder, sql} from 'kysely'
import type {AggregationPlan, Metric, RangeAggregation} from '../../../shop-model/aggregation.js'
import type {FieldPlace, Scope} from './scope.js'

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
  const values = leaf.type === 'range' ? rangeValues(leaf, place) : metricValues(leaf, place)
  return {values, groups: []}
}

function rangeValues({ranges}: RangeAggregation, {plain}: FieldPlace): RawBuilder<unknown>[] {
  return ranges.map(({from, to}) => {
    const lower = from === undefined ? [] : [sql`${plain} >= ${from}`]
    const upper = to === undefined ? [] : [sql`${plain} < ${to}`]
    const inside = sql.join([sql`${plain} is not null`, ...lower, ...upper], sql` and `)
    return sql`sum(case when ${inside} then 1 else 0 end)`
  })
}

function metricValues({type}: Metric, place: FieldPlace): RawBuilder<unknown>[] {
  const number = numeric(place)
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

function numeric({field, plain}: FieldPlace): RawBuilder<unknown> {
  const isNumber = field.kind === 'int' || field.kind === 'float' || field.kind === 'bool'
  return isNumber ? plain : sql`cast(${plain} as real)`
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
