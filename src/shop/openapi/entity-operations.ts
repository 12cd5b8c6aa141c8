import {Type} from '@sinclair/typebox'
import {ENTITY_MODEL} from '../../shopware/entities/entities.js'
import type {Entity, EntityModel, Field} from '../../shopware/entity.js'
import {allowOnly} from '../../wire/schemas/allow.js'
import {IdAnswer} from '../../wire/schemas/search.js'
import {EMAIL, USUAL_LENGTH} from '../rules/write/values.js'
import {convertToHyphens} from '../search/response/json-api.js'
import {VERIFIED_ENTITIES} from '../store/accounts.js'
import {buildEntityIdParameter, buildListing, listStepParameters, nameOperation} from './entity-parts.js'
import {buildFieldSchema} from './entity-schemas.js'
import {FOR_BEARERS, REFUSED_READS, referToErrors, WRITE_REFUSED} from './error-responses.js'
import {deriveExampleId, EXAMPLE_THINGS} from './examples.js'
import {
  type ApiOperation,
  buildEmptyResponse,
  buildRequestBody,
  buildResponse,
  formatPlural,
  formatSingular,
  type Json,
  LANGUAGE,
  type Operations,
  referToSchema,
} from './operation.js'

const FIRST_PAGE = {limit: 5, 'total-count-mode': 1}
const EXAMPLES = {'First page, with the total': FIRST_PAGE}

const CUSTOMER_EXAMPLES = {
  ...EXAMPLES,
  'By email address': {limit: 1, filter: [{type: 'equals', field: 'email', value: 'ada@example.test'}]},
  'By part of a name, with address, newest first': {
    limit: 25,
    filter: [{type: 'contains', field: 'lastName', value: 'byr'}],
    sort: [{field: 'createdAt', order: 'DESC'}],
    associations: {defaultBillingAddress: {}},
  },
  'Count by group': {
    limit: 1,
    aggregations: [{name: 'groups', type: 'terms', field: 'group.name'}],
  },
}

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
    ...nameOperation('search', entity, `Search ${words}`),
    parameters: [LANGUAGE],
    requestBody: buildRequestBody(
      referToSchema('Criteria'),
      entity.name === 'customer' ? CUSTOMER_EXAMPLES : EXAMPLES,
    ),
    responses: {200: buildListing(`The ${words} found.`, entity), ...REFUSED_READS},
  }
}

function searchIds(entity: Entity): ApiOperation {
  return {
    ...nameOperation('searchIds', entity, `Search ids of ${formatPlural(entity.name)}`),
    parameters: [LANGUAGE],
    requestBody: buildRequestBody(referToSchema('Criteria'), EXAMPLES),
    responses: {
      200: buildResponse('The ids.', IdAnswer, {total: 1, data: [deriveExampleId(entity.name)]}),
      ...REFUSED_READS,
    },
  }
}

function searchWhatHangsOn(): ApiOperation {
  return {
    path: '/api/search/{entity}/{id}/{association}',
    operationId: 'searchAssociation',
    tag: 'Other entities',
    summary: 'Search associated entities',
    description: 'The path can have more steps: `/api/search/order/{id}/transactions/{id}/captures`.',
    parameters: listStepParameters(),
    requestBody: buildRequestBody(referToSchema('Criteria'), EXAMPLES),
    responses: {200: buildListing('The entities found.'), ...REFUSED_READS},
  }
}

const NESTED = 'Associated entities can be written in the same request.'

/** Operations that write, one row at a time or several at once. */
export function writeOperations({entities}: EntityModel): Operations {
  const each = entities.filter(({writing}) => writing).flatMap(buildWriteOperations)
  return {...Object.fromEntries(each), 'POST /api/_action/sync': sync()}
}

function buildWriteOperations(entity: Entity): (readonly [string, ApiOperation])[] {
  const path = `/api/${convertToHyphens(entity.name)}`
  // Entities of accounts and roles need a user's token.
  const inPerson = VERIFIED_ENTITIES.includes(entity.name) ? {security: [{administrator: []}]} : {}
  return [
    [`POST ${path}`, {...create(entity), ...inPerson}],
    [`PATCH ${path}/{id}`, {...update(entity), ...inPerson}],
    [`DELETE ${path}/{id}`, {...remove(entity), ...inPerson}],
  ]
}

function create(entity: Entity): ApiOperation {
  const example = EXAMPLE_THINGS[entity.name]?.made
  const examples = example ? {'An example': {id: deriveExampleId(entity.name), ...example}} : {}
  return {
    ...nameOperation('create', entity, `Create ${formatSingular(entity.name)}`),
    description: `${NESTED} Without an \`id\`, the shop generates one.`,
    parameters: [LANGUAGE],
    requestBody: buildRequestBody(buildWriteSchema(entity, true), examples),
    responses: {
      204: buildEmptyResponse('Created.'),
      ...referToErrors({400: 'invalidValues', ...WRITE_REFUSED}),
    },
  }
}

function update(entity: Entity): ApiOperation {
  const example = EXAMPLE_THINGS[entity.name]?.changed
  return {
    ...nameOperation('update', entity, `Change ${formatSingular(entity.name)}`),
    description: `Fields that are absent stay unchanged. ${NESTED}`,
    parameters: [buildEntityIdParameter(entity), LANGUAGE],
    requestBody: buildRequestBody(buildWriteSchema(entity, false), example ? {'An example': example} : {}),
    responses: {
      204: buildEmptyResponse('Changed.'),
      ...referToErrors({400: 'invalidValues', ...WRITE_REFUSED}),
    },
  }
}

function remove(entity: Entity): ApiOperation {
  return {
    ...nameOperation('delete', entity, `Delete ${formatSingular(entity.name)}`),
    parameters: [buildEntityIdParameter(entity)],
    responses: {
      204: buildEmptyResponse('Deleted.'),
      ...referToErrors({...FOR_BEARERS, 404: 'notThere', 409: 'inUse', 415: 'unsupportedType'}),
    },
  }
}

function isSynced({name, writing}: Entity): boolean {
  return writing !== undefined && !VERIFIED_ENTITIES.includes(name)
}

const SyncOperation = Type.Object({
  entity: allowOnly(ENTITY_MODEL.entities.filter(isSynced).map(({name}) => name)),
  action: allowOnly(['upsert', 'delete']),
  payload: Type.Array(Type.Object({}, {minProperties: 1}), {minItems: 1}),
})
const SyncRequest = Type.Union([Type.Array(SyncOperation), Type.Record(Type.String(), SyncOperation)])
const Lists = Type.Union([Type.Object({}), Type.Array(Type.Unknown())])
const SyncAnswer = Type.Object({data: Lists, notFound: Lists, deleted: Lists})

function sync(): ApiOperation {
  const id = deriveExampleId('tag of a sync')
  return {
    operationId: 'sync',
    tag: 'Other entities',
    summary: 'Write several entities, all or none',
    requestBody: buildRequestBody(SyncRequest, {
      'Create or update': {tags: {entity: 'tag', action: 'upsert', payload: [{id, name: 'Wholesale'}]}},
      Delete: {tags: {entity: 'tag', action: 'delete', payload: [{id}]}},
    }),
    responses: {
      200: buildResponse('The ids, by entity.', SyncAnswer, {
        extensions: [],
        data: {tag: [id]},
        notFound: [],
        deleted: [],
      }),
      ...referToErrors({400: 'invalidValues', ...FOR_BEARERS, 500: 'danglingId'}),
    },
  }
}

function buildWriteSchema(entity: Entity, isNew: boolean): Json {
  const {required = [], readOnly = [], onlyNew = [], defaults = {}, secrets = {}} = entity.writing ?? {}
  const describe = (field: Field) => describeWrittenField(entity, field)
  const isWritten = ({name, hidden, constant, madeOf}: Field) =>
    constant === undefined &&
    !madeOf &&
    !readOnly.includes(name) &&
    (isNew || !onlyNew.includes(name)) &&
    (!hidden || name in secrets)
  const properties = entity.fields.filter(isWritten).map(field => [field.name, describe(field)])
  const needed = required.filter(name => !(name in defaults))
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(isNew && needed.length > 0 ? {required: needed} : {}),
  }
}

function describeWrittenField({writing}: Entity, field: Field): Json {
  const {name, kind} = field
  const schema = buildFieldSchema(field)
  const isNeeded = writing?.required.includes(name)
  const type = isNeeded ? [schema.type].flat()[0] : schema.type
  if (kind !== 'text') return {...schema, type}
  const maxLength = writing?.longest[name] ?? USUAL_LENGTH
  const minLength = Math.max(writing?.shortest[name] ?? 0, isNeeded ? 1 : 0)
  return {
    ...schema,
    type,
    ...(minLength > 0 ? {minLength} : {}),
    ...(Number.isFinite(maxLength) ? {maxLength} : {}),
    ...(writing?.emails.includes(name) ? {pattern: EMAIL.source} : {}),
  }
}
