import type {ShopEdition} from '../../shopware/editions.js'
import {chooseModel, ENTITY_MODEL} from '../../shopware/entities/entities.js'
import type {EntityModel} from '../../shopware/entity.js'
import {escapePlain} from '../../shopware/json-escape.js'
import {negotiateForm} from '../http/replies.js'
import type {RouteResponse, ShopRequest, ShopRoute} from '../http/route.js'
import {createExpectedUserError, type Principal} from '../oauth/caller.js'
import type {ShopRuntime} from '../runtime/runtime.js'
import {createDetailAnswer} from '../search/detail.js'
import type {EntitySearchDeps} from '../search/prepare-search.js'

const CONFIG = {
  versionRevision: '00000000000000000000000000000000',
  adminWorker: {
    enableAdminWorker: false,
    enableQueueStatsWorker: false,
    enableNotificationWorker: false,
    transports: [],
  },
  bundles: {},
  settings: {
    enableUrlFeature: true,
    appUrlReachable: true,
    appsRequireAppUrl: false,
    private_allowed_extensions: [],
    enableHtmlSanitizer: true,
    enableStagingMode: false,
    disableExtensionManagement: false,
  },
}

/**
 * Routes with facts about the shop, and its health check.
 *
 * @param routes all routes, these included
 * @see protocol.md §1.7
 */
export function createInfoRoutes(
  runtime: ShopRuntime,
  routes: () => readonly ShopRoute[],
  search: EntitySearchDeps,
): ShopRoute[] {
  const model = chooseModel(runtime.edition)
  const version = () => createJsonAnswer({version: runtime.edition.version})
  return [
    {method: 'GET', path: '/api/_info/version', handle: version},
    {method: 'GET', path: '/api/v1/_info/version', handle: version},
    {method: 'GET', path: '/api/_info/config', handle: request => answerConfig(runtime.edition, request)},
    {
      method: 'GET',
      path: '/api/_info/health-check',
      auth: 'none',
      handle: () => ({contentType: 'text/html; charset=UTF-8'}),
    },
    {method: 'GET', path: '/api/_info/me', handle: request => answerMe(request, search)},
    {method: 'GET', path: '/api/_info/ping', handle: answerPing},
    ...(runtime.edition.name === '6.5'
      ? []
      : [{method: 'GET', path: '/api/_info/routes', handle: () => answerRoutes(routes())} as const]),
    {method: 'GET', path: '/api/_info/entity-schema.json', handle: () => answerEntitySchema(model)},
    {method: 'GET', path: '/api/_info/open-api-schema.json', handle: () => answerSchemas(model)},
    {
      method: 'GET',
      path: '/api/_info/openapi3.json',
      handle: request => answerOpenApi(runtime, routes(), request),
    },
    ...['events.json', 'flow-actions.json', 'queue.json'].map(
      (name): ShopRoute => ({method: 'GET', path: `/api/_info/${name}`, handle: () => createJsonAnswer([])}),
    ),
  ]
}

/** The settings, which differ between versions. @see protocol.md §1.7 */
function answerConfig({name, version}: ShopEdition, {origin}: ShopRequest): RouteResponse {
  const {enableStagingMode, disableExtensionManagement, ...older} = CONFIG.settings
  const settings = name === '6.5' ? older : {...older, enableStagingMode, disableExtensionManagement}
  const added = name === '6.7' ? {appUrl: origin, shopId: 'storectl', inAppPurchases: []} : {}
  return createJsonAnswer({version, ...CONFIG, settings, ...added})
}

/** The signed-in user. @throws ShopError 403 for an integration */
async function answerMe(request: ShopRequest, search: EntitySearchDeps): Promise<RouteResponse> {
  const {id} = requirePerson(request)
  const form = negotiateForm(request.headers.accept)
  return createDetailAnswer({entity: ENTITY_MODEL.get('user'), id, form}, request, search)
}

function answerPing(request: ShopRequest): RouteResponse {
  requirePerson(request)
  return {status: 204}
}

function requirePerson({caller}: ShopRequest): Principal {
  if (caller?.kind === 'user') return caller
  throw createExpectedUserError()
}

/** Builds the document on demand only. */
async function answerRoutes(routes: readonly ShopRoute[]): Promise<RouteResponse> {
  const {convertToTemplatedPath: templated} = await import('../openapi/operation.js')
  const methods = new Map<string, string[]>()
  for (const {path, method, isApart} of routes) {
    if (isApart) continue
    const known = methods.get(templated(path)) ?? []
    methods.set(templated(path), known.includes(method) ? known : [...known, method])
  }
  return createJsonAnswer({endpoints: [...methods].map(([path, some]) => ({path, methods: some}))})
}

async function answerEntitySchema(model: EntityModel): Promise<RouteResponse> {
  const {buildEntitySchema: entitySchema} = await import('../openapi/entity-schemas.js')
  return createJsonAnswer(entitySchema(model))
}

async function answerSchemas(model: EntityModel): Promise<RouteResponse> {
  const {buildComponentSchemas: componentSchemas} = await import('../openapi/entity-schemas.js')
  return createJsonAnswer(componentSchemas(model))
}

async function answerOpenApi(
  runtime: ShopRuntime,
  routes: readonly ShopRoute[],
  {origin}: ShopRequest,
): Promise<RouteResponse> {
  const {openApi} = await import('../openapi/openapi.js')
  return createJsonAnswer(openApi(runtime, routes, origin))
}

function createJsonAnswer(value: unknown): RouteResponse {
  return {contentType: 'application/json', body: escapePlain(JSON.stringify(value))}
}
