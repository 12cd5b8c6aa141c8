import {chooseModel} from '../../shopware/entities/entities.js'
import {ErrorEnvelope} from '../../wire/schemas/error-envelope.js'
import {FulfillmentOrderSchema} from '../../wire/schemas/fulfillment-order.js'
import {JsonApiAnswer, SearchModule} from '../../wire/schemas/search.js'
import type {ShopRoute} from '../http/route.js'
import {ADMINISTRATION_CLIENT} from '../oauth/clients.js'
import type {ShopRuntime} from '../runtime/runtime.js'
import {buildBelowOperations} from './below-operations.js'
import {searchOperations, writeOperations} from './entity-operations.js'
import {buildComponentSchemas} from './entity-schemas.js'
import {buildErrorResponses} from './error-responses.js'
import {
  API_TAGS,
  type ApiOperation,
  buildIdParameter,
  convertToTemplatedPath,
  type Json,
  listPlaceholders,
  type Operations,
  referToSchema,
} from './operation.js'
import {buildReadOperations} from './read-operations.js'
import {buildInfoOperations, buildServerOperations, buildSettingOperations} from './server-operations.js'
import {
  buildFulfillmentOperations,
  buildTokenOperations,
  buildTransitionOperations,
  buildWebhookOperations,
} from './shop-operations.js'

/**
 * The API as an OpenAPI document, generated from the routes, the entities, and the schemas of requests.
 *
 * @param origin the shop's origin, `http://127.0.0.1:8000`
 * @see protocol.md §1.7, OpenAPI 3.1
 */
export function openApi(runtime: ShopRuntime, routes: readonly ShopRoute[], origin: string): Json {
  const paths = buildPaths(routes, buildOperations(runtime))
  return {
    openapi: '3.1.0',
    info: {
      title: 'The bundled shop',
      version: runtime.edition.version,
      summary: 'A Shopware-6-style shop, served by storectl.',
      description:
        'All operations of the bundled shop. To sign in, use **Authorize** with the credentials from ' +
        '`storectl server credentials`. The examples work as they are.',
    },
    servers: [{url: origin, description: 'This server.'}],
    security: [{integration: []}, {administrator: []}, {bearer: []}],
    tags: Object.entries(API_TAGS).map(([name, description]) => ({name, description})),
    paths,
    components: {
      securitySchemes: buildSecuritySchemes(origin),
      parameters: {
        language: {
          name: 'sw-language-id',
          in: 'header',
          description: 'Language of translated fields (default: the system language).',
          schema: {type: 'string', pattern: '^[0-9a-f]{32}$'},
        },
      },
      responses: buildErrorResponses(paths),
      schemas: {
        ...buildComponentSchemas(chooseModel(runtime.edition)),
        ...buildSearchSchemas(runtime.limits.maxLimit),
        FulfillmentOrderRequest: FulfillmentOrderSchema,
        Errors: ErrorEnvelope,
        JsonApiDocument: JsonApiAnswer,
      },
    },
  }
}

/** Schemas of criteria and their parts. References among them become references in the document. */
function buildSearchSchemas(maxLimit: number | undefined): Json {
  const {Criteria, ...others} = SearchModule.Import('Criteria').$defs
  const limit = {...Criteria.properties.limit, ...(maxLimit === undefined ? {} : {maximum: maxLimit})}
  const schemas = {...others, Criteria: {...Criteria, properties: {...Criteria.properties, limit}}}
  const refer = (key: string, value: unknown) => {
    if (key === '$id') return undefined
    return key === '$ref' ? referToSchema(String(value)).$ref : value
  }
  return JSON.parse(JSON.stringify(schemas, refer))
}

/** In the order of the described operations. A trailing slash makes no separate operation. */
function buildPaths(routes: readonly ShopRoute[], operations: Operations): Record<string, Json> {
  const served = new Map(
    routes
      .filter(route => !route.isApart)
      .map(({method, path}) => ({method, path: convertToTemplatedPath(path)}))
      .filter(({path}) => !path.endsWith('/'))
      .map(route => [`${route.method} ${route.path}`, route]),
  )
  const found: Record<string, Json> = {}
  for (const name of new Set([...Object.keys(operations), ...served.keys()])) {
    const route = served.get(name)
    if (!route) continue
    const operation = operations[name] ?? buildUndescribedOperation(route.method, route.path)
    const path = operation.path ?? route.path
    found[path] = {...found[path], [route.method.toLowerCase()]: writeOperation(operation)}
  }
  return found
}

/** The operation of a route without a description. */
function buildUndescribedOperation(method: string, path: string): ApiOperation {
  return {
    operationId: `${method} ${path}`.toLowerCase().replace(/[^a-z]+/g, '-'),
    tag: 'About the shop',
    summary: `${method} ${path}`,
    ...(listPlaceholders(path).length > 0
      ? {parameters: listPlaceholders(path).map(name => buildIdParameter(name, name))}
      : {}),
    responses: {200: {description: 'Done.'}},
  }
}

function writeOperation({path: _, tag, ...operation}: ApiOperation): Json {
  return {...operation, tags: [tag]}
}

/** Descriptions of all routes, by method and templated path. Those of an entity are generated from its definition. */
export function buildOperations({
  provider,
  tokenPrefix,
  edition,
}: Pick<ShopRuntime, 'provider' | 'tokenPrefix' | 'edition'>): Operations {
  const model = chooseModel(edition)
  return {
    ...buildTokenOperations(),
    ...buildFulfillmentOperations(),
    ...buildWebhookOperations(provider, tokenPrefix),
    ...searchOperations(model),
    ...buildReadOperations(model),
    ...writeOperations(model),
    ...buildBelowOperations(),
    ...buildTransitionOperations(),
    ...buildInfoOperations(),
    ...buildSettingOperations(),
    ...buildServerOperations(),
  }
}

/** Security schemes by name. @param origin the shop's origin */
function buildSecuritySchemes(origin: string): Record<string, Json> {
  const tokenUrl = `${origin}/api/oauth/token`
  return {
    integration: {
      type: 'oauth2',
      description: 'Integration: client id and client secret from `storectl server credentials`.',
      flows: {clientCredentials: {tokenUrl, scopes: {}}},
    },
    administrator: {
      type: 'oauth2',
      description:
        'User: user name and password from `storectl server credentials`. ' +
        `The client id is \`${ADMINISTRATION_CLIENT}\`, without a secret.`,
      flows: {password: {tokenUrl, scopes: {}}},
    },
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'An access token.',
    },
    server: {
      type: 'http',
      scheme: 'basic',
      description: 'For fault injection: client id as user name, client secret as password.',
    },
  }
}
