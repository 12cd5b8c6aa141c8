import {type Static, type TSchema, Type} from '@sinclair/typebox'
import {allowNull, allowOnly} from './allow.js'

const Name = Type.String({minLength: 1})
const Names = Type.Array(Type.String())
const ID = '[0-9A-Fa-f]{32}'
const Text = Type.String({minLength: 1})
const Scalar = Type.Union([Text, Type.Number(), Type.Boolean()])
const Bound = allowNull(Type.Union([Text, Type.Number()]))
const Members = Type.Optional(Type.Array(Type.Ref('Filter')))
const Called = Type.String({pattern: '^[^?:]+$'})
const metric = {name: Called, field: Name}

/** One filter, or several joined by an operator. @see protocol.md §6.3 */
const Filter = Type.Union([
  Type.Object({type: Type.Literal('equals'), field: Name, value: allowNull(Scalar)}),
  Type.Object({
    type: allowOnly(['equalsAny', 'equalsAll']),
    field: Name,
    value: Type.Array(Scalar, {minItems: 1}),
  }),
  Type.Object({type: allowOnly(['contains', 'prefix', 'suffix']), field: Name, value: Scalar}),
  Type.Object({
    type: Type.Literal('range'),
    field: Name,
    parameters: Type.Partial(Type.Object({gt: Bound, gte: Bound, lt: Bound, lte: Bound}), {
      additionalProperties: false,
    }),
  }),
  Type.Object({
    type: allowOnly(['since', 'until']),
    field: Name,
    value: Type.String({description: 'ISO 8601 duration: `P7D`'}),
    parameters: Type.Object({operator: allowOnly(['eq', 'neq', 'gt', 'gte', 'lt', 'lte'])}),
  }),
  Type.Object({type: allowOnly(['and', 'or', 'nand', 'nor']), queries: Members}),
  Type.Object({
    type: Type.Literal('not'),
    operator: Type.Optional(allowOnly(['and', 'or', 'xor'])),
    queries: Members,
  }),
  Type.Object({type: Type.Literal('multi'), operator: Type.Optional(Type.String()), queries: Members}),
])

const Sort = Type.Object({
  field: Type.String(),
  order: Type.Optional(allowOnly(['ASC', 'DESC'])),
  naturalSorting: Type.Optional(Type.Boolean()),
  type: Type.Optional(Type.Literal('count', {description: 'By how many there are'})),
})

const inside = {sort: Type.Optional(Type.Ref('Sort')), aggregation: Type.Optional(Type.Ref('Aggregation'))}

/** @see protocol.md §6.5 */
const Aggregation = Type.Union([
  Type.Object({...metric, type: allowOnly(['count', 'avg', 'sum', 'min', 'max', 'stats'])}),
  Type.Object({
    ...metric,
    type: Type.Literal('range'),
    ranges: Type.Array(
      Type.Partial(Type.Object({from: Type.Number(), to: Type.Number(), key: Type.String()})),
      {minItems: 1},
    ),
  }),
  Type.Object({...metric, type: Type.Literal('entity'), definition: Type.String()}),
  Type.Object({
    name: Called,
    type: Type.Literal('filter'),
    filter: Type.Array(Type.Ref('Filter'), {minItems: 1}),
    aggregation: Type.Ref('Aggregation'),
  }),
  Type.Object({
    ...metric,
    type: Type.Literal('terms'),
    limit: Type.Optional(Type.Integer({minimum: 0, description: 'How many values at most'})),
    ...inside,
  }),
  Type.Object({
    ...metric,
    type: Type.Literal('histogram'),
    interval: allowOnly(['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year']),
    format: Type.Optional(Type.String({description: 'In the letters of PHP’s `date`'})),
    timeZone: Type.Optional(Type.String()),
    ...inside,
  }),
])

/** A map is a list of `equals`. */
const Filters = Type.Optional(
  Type.Union([Type.Array(Type.Ref('Filter')), Type.Record(Text, Scalar, {description: 'Values by field'})]),
)

/** The body of a search; members that are not named here have no effect. @see protocol.md §6.2, §6.3, §6.5 */
const Criteria = Type.Object({
  ids: Type.Optional(
    Type.Union([
      Type.Array(Type.String({pattern: `^${ID}$`}), {minItems: 1}),
      Type.String({pattern: `^${ID}(\\|${ID})*$`, description: 'With | between them'}),
    ]),
  ),
  limit: Type.Optional(Type.Integer({minimum: 1, description: '500 when it is left out'})),
  page: Type.Optional(Type.Integer({minimum: 1, description: 'Without `limit` it has no effect'})),
  term: Type.Optional(Type.String()),
  filter: Filters,
  'post-filter': Filters,
  query: Type.Optional(
    Type.Array(
      Type.Object({
        query: Type.Ref('Filter'),
        score: Type.Optional(Type.Number()),
        scoreField: Type.Optional(Type.String()),
      }),
    ),
  ),
  sort: Type.Optional(
    Type.Union([
      Type.Array(Type.Ref('Sort')),
      Type.String({minLength: 1, description: 'Names with commas; - in front for descending order'}),
    ]),
  ),
  'total-count-mode': Type.Optional(allowOnly([0, 1, 2, 'none', 'exact', 'next-pages'])),
  associations: Type.Optional(Type.Record(Type.String(), Type.Ref('Criteria'))),
  includes: Type.Optional(Type.Record(Type.String(), Names, {description: 'Properties by `apiAlias`'})),
  fields: Type.Optional(Names),
  grouping: Type.Optional(Names),
  aggregations: Type.Optional(Type.Array(Type.Ref('Aggregation'))),
})

/** The parts of a search by name, because they refer to each other. */
export const SearchModule = Type.Module({Filter, Sort, Aggregation, Criteria})
const imported = {
  filter: SearchModule.Import('Filter'),
  sort: SearchModule.Import('Sort'),
  aggregation: SearchModule.Import('Aggregation'),
}
export type Filter = Static<typeof imported.filter>
export type Sort = Static<typeof imported.sort>
export type Aggregation = Static<typeof imported.aggregation>

/** The response to a search in plain JSON. @param row schema of each row @see protocol.md §6.6 */
export const describeSearchAnswer = <T extends TSchema>(row: T) =>
  Type.Object({
    total: Type.Integer(),
    data: Type.Array(row),
    aggregations: Type.Union([Type.Object({}), Type.Tuple([])]),
  })

/** The response of `search-ids`. @see protocol.md §6.1 */
export const IdAnswer = Type.Object({total: Type.Integer(), data: Names})

/** A response to `Accept: application/vnd.api+json`. @see protocol.md §6.6, JSON:API 1.0 */
export const JsonApiAnswer = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      type: Type.String(),
      attributes: Type.Optional(Type.Object({})),
      links: Type.Optional(Type.Object({})),
      relationships: Type.Optional(Type.Union([Type.Object({}), Type.Tuple([])])),
    }),
  ),
  included: Type.Array(Type.Object({})),
  links: Type.Record(Type.String(), Type.String()),
  meta: Type.Object({totalCountMode: Type.Integer(), total: Type.Integer()}),
  aggregations: Type.Optional(Type.Union([Type.Object({}), Type.Tuple([])])),
})
