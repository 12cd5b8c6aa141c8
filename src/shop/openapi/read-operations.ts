import {Type} from '@sinclair/typebox'
import type {Entity, EntityModel} from '../../shopware/entity.js'
import {IdAnswer} from '../../wire/schemas/search.js'
import {convertToHyphens} from '../search/response/json-api.js'
import {buildEntityIdParameter, buildListing, listStepParameters, nameOperation} from './entity-parts.js'
import {convertToSchemaName} from './entity-schemas.js'
import {FOR_BEARERS, REFUSED_READS, referToErrors} from './error-responses.js'
import {buildExampleRow, deriveExampleId} from './examples.js'
import {
  type ApiOperation,
  buildRequestBody,
  buildResponse,
  formatPlural,
  formatSingular,
  LANGUAGE,
  type Operations,
  referToSchema,
} from './operation.js'

const QUERY = 'Criteria go into the query string: `limit=5&filter[active]=1&sort=-createdAt`.'

/** Reads without a body. @see protocol.md §6.1 */
export function buildReadOperations({entities}: EntityModel): Operations {
  const each = entities.flatMap(entity => {
    const path = `/api/${convertToHyphens(entity.name)}`
    const one = entity.writing ? [[`GET ${path}/{id}`, describeOne(entity)] as const] : []
    return [[`GET ${path}`, describeList(entity)] as const, ...one]
  })
  return {
    ...Object.fromEntries(each),
    'GET /api/{entity}/{path}': describeStep(),
    'POST /api/search-ids/{path}': describeIdsOfStep(),
  }
}

function describeList(entity: Entity): ApiOperation {
  const words = formatPlural(entity.name)
  return {
    ...nameOperation('list', entity, `List ${words}`),
    description: QUERY,
    parameters: [LANGUAGE],
    responses: {200: buildListing(`A page of ${words}.`, entity), ...REFUSED_READS},
  }
}

function describeOne(entity: Entity): ApiOperation {
  const data = Type.Unsafe<unknown>(referToSchema(convertToSchemaName(entity.name)))
  return {
    ...nameOperation('read', entity, `Read ${formatSingular(entity.name)}`),
    parameters: [buildEntityIdParameter(entity), LANGUAGE],
    responses: {
      200: buildResponse('The entity.', Type.Object({data}), {data: buildExampleRow(entity)}),
      ...referToErrors({...FOR_BEARERS, 404: 'notThere', 415: 'unsupportedType'}),
    },
  }
}

function describeStep(): ApiOperation {
  return {
    path: '/api/{entity}/{id}/{association}',
    operationId: 'listAssociation',
    tag: 'Other entities',
    summary: 'List associated entities',
    description: `${QUERY} The path can have more steps.`,
    parameters: listStepParameters(),
    responses: {200: buildListing('The entities found.'), ...REFUSED_READS},
  }
}

function describeIdsOfStep(): ApiOperation {
  return {
    path: '/api/search-ids/{entity}/{id}/{association}',
    operationId: 'searchIdsOfAssociation',
    tag: 'Other entities',
    summary: 'Search ids of associated entities',
    parameters: listStepParameters(),
    requestBody: buildRequestBody(referToSchema('Criteria'), {'First page': {limit: 5}}),
    responses: {
      200: buildResponse('The ids.', IdAnswer, {total: 1, data: [deriveExampleId('customer_address')]}),
      ...REFUSED_READS,
    },
  }
}
