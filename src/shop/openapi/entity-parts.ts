import {Type} from '@sinclair/typebox'
import type {Entity} from '../../shopware/entity.js'
import {describeSearchAnswer} from '../../wire/schemas/search.js'
import {convertToSchemaName} from './entity-schemas.js'
import {buildExampleRow, deriveExampleId} from './examples.js'
import {
  buildIdParameter,
  buildPathParameter,
  buildResponse,
  findTag,
  JSON_API_TYPE,
  type Json,
  LANGUAGE,
  referToSchema,
} from './operation.js'

/** The parts of a path that goes one step over an association, as far as OpenAPI can say it. */
export function listStepParameters(): readonly Json[] {
  const schema = {type: 'string', pattern: '^[A-Za-z-]+$'}
  const describeText = (name: string, description: string, example: string) =>
    buildPathParameter(name, description, schema, {example})
  return [
    describeText('entity', 'Entity name, with hyphens.', 'customer'),
    buildIdParameter('id', 'Id of the entity.', deriveExampleId('customer')),
    describeText('association', 'Name of the association.', 'addresses'),
    LANGUAGE,
  ]
}

/** What an operation on one kind of things is called. @param verb with which its id begins */
export function nameOperation(verb: string, {name}: Entity, summary: string) {
  return {operationId: `${verb}${convertToSchemaName(name)}`, tag: findTag(name), summary}
}

/** A page of things, in both forms. */
export function buildListing(description: string, entity?: Entity): Json {
  const row = entity ? Type.Unsafe(referToSchema(convertToSchemaName(entity.name))) : Type.Object({})
  const example = entity && {total: 1, data: [buildExampleRow(entity)], aggregations: []}
  const {content} = buildResponse(description, describeSearchAnswer(row), example)
  const jsonApi = {schema: referToSchema('JsonApiDocument')}
  return {description, content: {...(content as Json), [JSON_API_TYPE]: jsonApi}}
}

/** The id of one thing, in the path. */
export function buildEntityIdParameter({name}: Entity): Json {
  return buildIdParameter('id', `Id of the ${name.replaceAll('_', ' ')}.`, deriveExampleId(name))
}
