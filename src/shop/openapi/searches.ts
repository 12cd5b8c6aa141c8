import type {Entity, EntityModel} from '../model/entity.js'
import {convertToHyphens} from '../search/response/json-api.js'
import {convertToSchemaName} from './component-schemas.js'
import {FOR_BEARERS, referToErrors} from './error-responses.js'
import {buildExampleRow, deriveExampleId} from './example-entities.js'
import {
  type ApiOperation,
  answer,
  buildIdParameter,
  buildRequestBody,
  findTag,
  formatPlural,
  JSON_API_TYPE,
  JSON_TYPE,
  type Json,
  LANGUAGE,
  type Operations,
  referToSchema,
} from './operation.js'

const FIRST_PAGE = {limit: 5, 'total-count-mode': 1}
const EXAMPLES = {'The first few, and how many there are': FIRST_PAGE}

const CUSTOMER_EXAMPLES = {
  ...EXAMPLES,
  'By e-mail': {limit: 1, filter: [{type: 'equals', field: 'email', value: 'ada@example.test'}]},
  'Part of a name, with address, newest first': {
    limit: 25,
    filter: [{type: 'contains', field: 'lastName', value: 'byr'}],
    sort: [{field: 'createdAt', order: 'DESC'}],
    associations: {defaultBillingAddress: {}},
  },
  'How many in each group': {
    limit: 1,
    aggregations: [{name: 'groups', type: 'terms', field: 'group.name'}],
  },
}

const REFUSED = referToErrors({400: 'invalidCriteria', ...FOR_BEARERS, 415: 'unsupportedType'})

/** @see protocol.md §6.1 */
export function searchOperations({entities}: EntityModel): Operations {
  const each = entities.flatMap(entity => {
    const name = convertToHyphens(entity.name)
    return [
      [`POST /api/search/${name}`, search(entity)],
      [`POST /api/search-ids/${name}`, searchIds(entity)],
    ] as const
  })
  return {...Object.fromEntries(each), 'POST /api/search/{path}': searchWhatHangsOn()}
}

function search(entity: Entity): ApiOperation {
  const words = formatPlural(entity.name)
  return {
    operationId: `search${convertToSchemaName(entity.name)}`,
    tag: findTag(entity.name),
    summary: `Search ${words}`,
    parameters: [LANGUAGE],
    requestBody: buildRequestBody(
      referToSchema('Criteria'),
      entity.name === 'customer' ? CUSTOMER_EXAMPLES : EXAMPLES,
    ),
    responses: {200: buildListing(`The ${words} that were found.`, entity), ...REFUSED},
  }
}

function searchIds(entity: Entity): ApiOperation {
  const ids = {type: 'array', items: {type: 'string'}}
  const properties = {total: {type: 'integer'}, data: ids}
  const schema = {type: 'object', required: ['total', 'data'], properties}
  return {
    operationId: `searchIds${convertToSchemaName(entity.name)}`,
    tag: findTag(entity.name),
    summary: `Search ids of ${formatPlural(entity.name)}`,
    parameters: [LANGUAGE],
    requestBody: buildRequestBody(referToSchema('Criteria'), EXAMPLES),
    responses: {
      200: answer('Their ids.', schema, {total: 1, data: [deriveExampleId(entity.name)]}),
      ...REFUSED,
    },
  }
}

/** One step over an association, as far as a path of OpenAPI can say it. */
function searchWhatHangsOn(): ApiOperation {
  const describeText = (name: string, description: string, example: string) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema: {type: 'string', pattern: '^[A-Za-z-]+$'},
    example,
  })
  return {
    path: '/api/search/{entity}/{id}/{association}',
    operationId: 'searchAssociation',
    tag: 'Other entities',
    summary: 'Search what hangs on one thing',
    description: 'More steps may follow: `/api/search/order/{id}/transactions/{id}/captures`.',
    parameters: [
      describeText('entity', 'With hyphens.', 'customer'),
      buildIdParameter('id', 'Of the thing.', deriveExampleId('customer')),
      describeText('association', 'By name.', 'addresses'),
      LANGUAGE,
    ],
    requestBody: buildRequestBody(referToSchema('Criteria'), EXAMPLES),
    responses: {200: buildListing('What was found.'), ...REFUSED},
  }
}

function buildListing(description: string, entity?: Entity): Json {
  const row = entity ? referToSchema(convertToSchemaName(entity.name)) : {type: 'object'}
  const properties = {
    total: {type: 'integer'},
    data: {type: 'array', items: row},
    aggregations: {type: ['object', 'array']},
  }
  const schema = {type: 'object', required: Object.keys(properties), properties}
  const example = entity && {total: 1, data: [buildExampleRow(entity)], aggregations: []}
  return {
    description,
    content: {
      [JSON_TYPE]: {schema, ...(example ? {example} : {})},
      [JSON_API_TYPE]: {schema: referToSchema('JsonApiDocument')},
    },
  }
}
