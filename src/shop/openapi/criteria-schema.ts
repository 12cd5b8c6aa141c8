const listOf = (items: object) => ({type: 'array', items})
const texts = listOf({type: 'string'})
const filters = {oneOf: [listOf({$ref: '#/components/schemas/Criteria/$defs/Filter'}), {type: 'object'}]}

/** What a search takes; members that are not named here have no effect. @see protocol.md §6.2, §6.3, §6.5 */
export const buildCriteriaSchema = (maxLimit: number) => ({
  type: 'object',
  properties: {
    ids: {oneOf: [texts, {type: 'string', description: 'with | between them'}]},
    limit: {type: 'integer', minimum: 1, maximum: maxLimit},
    page: {type: 'integer', minimum: 1},
    term: {type: 'string'},
    filter: filters,
    'post-filter': filters,
    query: listOf({
      type: 'object',
      required: ['query'],
      properties: {query: {type: 'object'}, score: {type: 'number'}, scoreField: {type: 'string'}},
    }),
    sort: {
      oneOf: [
        {type: 'string', description: 'names with commas; - in front for descending order'},
        listOf({
          type: 'object',
          required: ['field'],
          properties: {
            field: {type: 'string'},
            order: {type: 'string', enum: ['ASC', 'DESC']},
            naturalSorting: {type: 'boolean'},
            type: {type: 'string', enum: ['count']},
          },
        }),
      ],
    },
    'total-count-mode': {enum: [0, 1, 2, 'none', 'exact', 'next-pages']},
    associations: {type: 'object', additionalProperties: {$ref: '#/components/schemas/Criteria'}},
    includes: {type: 'object', additionalProperties: texts},
    fields: texts,
    grouping: texts,
    aggregations: listOf({$ref: '#/components/schemas/Criteria/$defs/Aggregation'}),
  },
  $defs: {
    Filter: {
      type: 'object',
      required: ['type'],
      properties: {
        type: {
          enum: [
            ...[
              'equals',
              'equalsAny',
              'equalsAll',
              'contains',
              'prefix',
              'suffix',
              'range',
              'since',
              'until',
            ],
            ...['not', 'nand', 'nor', 'and', 'or', 'multi'],
          ],
        },
        field: {type: 'string'},
        value: {},
        parameters: {type: 'object'},
        operator: {type: 'string'},
        queries: listOf({type: 'object'}),
      },
    },
    Aggregation: {
      type: 'object',
      required: ['name', 'type'],
      properties: {
        name: {type: 'string'},
        type: {
          enum: [
            ...[
              'count',
              'avg',
              'sum',
              'min',
              'max',
              'stats',
              'range',
              'entity',
              'filter',
              'terms',
              'histogram',
            ],
          ],
        },
        field: {type: 'string'},
      },
    },
  },
})

/** Every refusal. @see protocol.md §1.3 */
export const ERRORS_SCHEMA = {
  type: 'object',
  required: ['errors'],
  properties: {
    errors: listOf({
      type: 'object',
      required: ['status', 'code', 'detail'],
      properties: {
        status: {type: 'string'},
        code: {type: 'string'},
        title: {type: 'string'},
        detail: {type: ['string', 'null']},
        source: {type: 'object', properties: {pointer: {type: 'string'}}},
        meta: {type: 'object'},
      },
    }),
  },
}

/** An answer to `Accept: application/vnd.api+json`. @see protocol.md §6.6, JSON:API 1.0 */
export const JSON_API_SCHEMA = {
  type: 'object',
  required: ['data', 'included', 'links', 'meta'],
  properties: {
    data: listOf({
      type: 'object',
      required: ['id', 'type'],
      properties: {
        id: {type: 'string'},
        type: {type: 'string'},
        attributes: {type: 'object'},
        links: {type: 'object'},
        relationships: {type: ['object', 'array']},
      },
    }),
    included: listOf({type: 'object'}),
    links: {type: 'object', additionalProperties: {type: 'string'}},
    meta: {type: 'object', properties: {totalCountMode: {type: 'integer'}, total: {type: 'integer'}}},
    aggregations: {type: ['object', 'array']},
  },
}
