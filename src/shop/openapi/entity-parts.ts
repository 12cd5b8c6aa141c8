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

/** Path parameters for one step over an association, which is all that OpenAPI can describe. */
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

/** The operation id for an entity. @param verb its beginning */
export function nameOperation(verb: string, {name}: Entity, summary: string) {
  return {operationId: `${verb}${convertToSchemaName(name)}`, tag: findTag(name), summary}
}

/** The response with a page of entities, in both formats. */
export function buildListing(description: string, entity?: Entity): Json {
  const row = entity ? Type.Unsafe(referToSchema(convertToSchemaName(entity.name))) : Type.Object({})
  const example = entity && {total: 1, data: [buildExampleRow(entity)], aggregations: []}
  const {content} = buildResponse(description, describeSearchAnswer(row), example)
  const jsonApi = {schema: referToSchema('JsonApiDocument')}
  return {description, content: {...(content as Json), [JSON_API_TYPE]: jsonApi}}
}

/** The path parameter for an entity's id. */
export function buildEntityIdParameter({name}: Entity): Json {
  return buildIdParameter('id', `Id of the ${name.replaceAll('_', ' ')}.`, deriveExampleId(name))
}
