import {FulfillmentOrderSchema} from '../../../wire/fulfillment-order/schema.js'
import type {ShopRoute} from '../../routes/route.js'
import type {Shop} from '../../shop.js'
import {SHOP_VERSION} from '../packages.js'
import {hyphenated} from '../serialise/json-api.js'
import {componentSchemas, schemaName} from './component-schemas.js'
import {CRITERIA_SCHEMA, ERRORS_SCHEMA} from './criteria-schema.js'
import {placeholders, templated} from './templated-path.js'

type Json = Record<string, unknown>

const JSON_TYPE = 'application/json'
const JSON_API_TYPE = 'application/vnd.api+json'
const ref = (name: string) => ({$ref: `#/components/schemas/${name}`})

/**
 * The interface as an OpenAPI document, made from the routes, the descriptions of entities, and the schemas of what is
 * sent.
 *
 * @param origin where the shop is reached, `http://127.0.0.1:8000`
 * @see protocol.md §1.7, OpenAPI 3.1
 */
export function openApi({model, provider}: Shop, routes: readonly ShopRoute[], origin: string): Json {
  const paths: Record<string, Json> = {}
  const known = new Map(model.entities.map(({name}) => [`/api/search/${hyphenated(name)}`, name]))
  for (const route of routes) {
    const path = templated(route.path)
    if (path !== '/' && path.endsWith('/')) continue
    paths[path] = {...paths[path], [route.method.toLowerCase()]: operation(route, known.get(route.path))}
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Shop administration',
      version: SHOP_VERSION,
      description: `What the bundled shop answers to, the ${provider} plugin included.`,
    },
    servers: [{url: origin}],
    security: [{bearer: []}],
    paths,
    components: {
      securitySchemes: {bearer: {type: 'http', scheme: 'bearer', bearerFormat: 'JWT'}},
      schemas: {
        ...componentSchemas(model),
        Criteria: CRITERIA_SCHEMA,
        Errors: ERRORS_SCHEMA,
        FulfillmentOrderRequest: FulfillmentOrderSchema,
      },
    },
  }
}

function operation(route: ShopRoute, searched: string | undefined): Json {
  const parameters = placeholders(route.path)
  const body = bodyOf(route)
  return {
    operationId: `${route.method.toLowerCase()} ${templated(route.path)}`,
    tags: [tagOf(route.path)],
    ...(route.auth === 'none' ? {security: []} : {}),
    ...(parameters.length > 0
      ? {parameters: parameters.map(name => ({name, in: 'path', required: true, schema: {type: 'string'}}))}
      : {}),
    ...(body ? {requestBody: {content: {[JSON_TYPE]: {schema: body}}}} : {}),
    responses: {
      200: {description: 'Done', ...(searched === undefined ? {} : {content: listing(searched)})},
      default: {description: 'Refused', content: {[JSON_TYPE]: {schema: ref('Errors')}}},
    },
  }
}

function bodyOf({method, path}: ShopRoute): Json | undefined {
  if (path.startsWith('/api/search')) return ref('Criteria')
  if (path === '/api/fulfillment/order') return ref('FulfillmentOrderRequest')
  return method === 'POST' || method === 'PATCH' || method === 'PUT' ? {} : undefined
}

/** The first word of the path that says what it is about. */
function tagOf(path: string): string {
  return path.split('/').find(part => part !== '' && part !== 'api' && part !== 'v1') ?? 'shop'
}

function listing(entity: string): Json {
  const data = {type: 'array', items: ref(schemaName(entity))}
  const aggregations = {type: ['object', 'array']}
  const properties = {total: {type: 'integer'}, data, aggregations}
  return {
    [JSON_TYPE]: {schema: {type: 'object', required: Object.keys(properties), properties}},
    [JSON_API_TYPE]: {schema: {type: 'object', required: ['data', 'included', 'links', 'meta']}},
  }
}
