import type {Entity, EntityModel, Field} from '../model/entity.js'
import {convertToHyphens} from '../search/response/json-api.js'
import {buildFieldSchema, convertToSchemaName} from './component-schemas.js'
import {FOR_BEARERS, referToErrors} from './error-responses.js'
import {deriveExampleId, EXAMPLE_THINGS} from './example-entities.js'
import {
  type ApiOperation,
  answer,
  buildIdParameter,
  buildRequestBody,
  findTag,
  formatSingular,
  type Json,
  LANGUAGE,
  type Operations,
} from './operation.js'

const REFUSED = {...FOR_BEARERS, 415: 'unsupportedType', 500: 'danglingId'} as const
const NESTED = 'What belongs to it may be written with it.'

/** What is written, one thing at a time or several at once. */
export function writeOperations({entities}: EntityModel): Operations {
  const each = entities.filter(({writing}) => writing).flatMap(buildWriteOperations)
  return {...Object.fromEntries(each), 'POST /api/_action/sync': sync()}
}

function buildWriteOperations(entity: Entity): (readonly [string, ApiOperation])[] {
  const path = `/api/${convertToHyphens(entity.name)}`
  return [
    [`POST ${path}`, create(entity)],
    [`PATCH ${path}/{id}`, update(entity)],
    [`DELETE ${path}/{id}`, remove(entity)],
  ]
}

function create(entity: Entity): ApiOperation {
  const example = EXAMPLE_THINGS[entity.name]?.made
  const examples = example ? {'An example': {id: deriveExampleId(entity.name), ...example}} : {}
  return {
    operationId: `create${convertToSchemaName(entity.name)}`,
    tag: findTag(entity.name),
    summary: `Create ${formatSingular(entity.name)}`,
    description: `${NESTED} Without an \`id\` it gets one.`,
    parameters: [LANGUAGE],
    requestBody: buildRequestBody(buildWriteSchema(entity, true), examples),
    responses: {204: buildEmptyResponse('Created.'), ...referToErrors({400: 'invalidValues', ...REFUSED})},
  }
}

function update(entity: Entity): ApiOperation {
  const example = EXAMPLE_THINGS[entity.name]?.changed
  return {
    operationId: `update${convertToSchemaName(entity.name)}`,
    tag: findTag(entity.name),
    summary: `Change ${formatSingular(entity.name)}`,
    description: `What is not named stays. ${NESTED}`,
    parameters: [buildEntityIdParameter(entity), LANGUAGE],
    requestBody: buildRequestBody(buildWriteSchema(entity, false), example ? {'An example': example} : {}),
    responses: {204: buildEmptyResponse('Changed.'), ...referToErrors({400: 'invalidValues', ...REFUSED})},
  }
}

function remove(entity: Entity): ApiOperation {
  return {
    operationId: `delete${convertToSchemaName(entity.name)}`,
    tag: findTag(entity.name),
    summary: `Delete ${formatSingular(entity.name)}`,
    parameters: [buildEntityIdParameter(entity)],
    responses: {
      204: buildEmptyResponse('Deleted.'),
      ...referToErrors({...FOR_BEARERS, 404: 'notThere', 409: 'inUse', 415: 'unsupportedType'}),
    },
  }
}

function sync(): ApiOperation {
  const id = deriveExampleId('tag of a sync')
  const operation = {
    type: 'object',
    required: ['entity', 'action', 'payload'],
    properties: {
      entity: {type: 'string', description: 'With underscores.'},
      action: {type: 'string', enum: ['upsert', 'delete']},
      payload: {type: 'array', items: {type: 'object'}},
    },
  }
  const lists = {type: ['object', 'array']}
  const answered = {data: lists, notFound: lists, deleted: lists}
  return {
    operationId: 'sync',
    tag: 'Other entities',
    summary: 'Write several things at once, all or none',
    requestBody: buildRequestBody(
      {
        oneOf: [
          {type: 'array', items: operation},
          {type: 'object', additionalProperties: operation},
        ],
      },
      {
        'Add or change': {tags: {entity: 'tag', action: 'upsert', payload: [{id, name: 'Wholesale'}]}},
        'Take away': {tags: {entity: 'tag', action: 'delete', payload: [{id}]}},
      },
    ),
    responses: {
      200: answer(
        'Done, by entity.',
        {type: 'object', properties: answered},
        {extensions: [], data: {tag: [id]}, notFound: [], deleted: []},
      ),
      ...referToErrors({400: 'invalidValues', ...FOR_BEARERS, 500: 'danglingId'}),
    },
  }
}

function buildEntityIdParameter({name}: Entity): Json {
  return buildIdParameter('id', `Of the ${name.replaceAll('_', ' ')}.`, deriveExampleId(name))
}

function buildEmptyResponse(description: string): Json {
  return {description, headers: {Location: {description: 'Where it is.', schema: {type: 'string'}}}}
}

function buildWriteSchema(entity: Entity, isNew: boolean): Json {
  const {required = [], readOnly = [], onlyNew = [], defaults = {}, secrets = {}} = entity.writing ?? {}
  const isWritten = ({name, hidden, constant}: Field) =>
    constant === undefined &&
    !readOnly.includes(name) &&
    (isNew || !onlyNew.includes(name)) &&
    (!hidden || name in secrets)
  const properties = entity.fields.filter(isWritten).map(field => [field.name, buildFieldSchema(field)])
  const needed = required.filter(name => !(name in defaults))
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(isNew && needed.length > 0 ? {required: needed} : {}),
  }
}
