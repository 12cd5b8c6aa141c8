import {chooseModel, MAPPING_NAMES} from '../../shopware/entities/entities.js'
import {ROWLESS_ENTITIES} from '../../shopware/entities/other.js'
import type {Entity, EntityModel} from '../../shopware/entity.js'
import {negotiateForm} from '../http/replies.js'
import type {RouteResponse, ShopRequest, ShopRoute} from '../http/route.js'
import type {Principal} from '../oauth/caller.js'
import type {Parameters} from '../runtime/runtime.js'
import {createShopError, type ShopError} from '../runtime/shop-error.js'
import {isNestedPath, resolveNestedPath, splitPathOfOne} from '../search/nested-path.js'
import type {EntitySearchDeps, EntitySearchRequest} from '../search/prepare-search.js'
import type {JsonForm} from '../search/response/encoders.js'
import {convertToHyphens} from '../search/response/json-api.js'
import {PlainWriters} from '../search/response/response.js'
import {type AnswerDeps, searchEntities, searchIds, writeFound, writeFoundOne} from '../search/search.js'
import {SearchPlans} from '../search/search-plan.js'

const CONTENT_TYPES: Readonly<Record<JsonForm, string>> = {
  plain: 'application/json',
  'json-api': 'application/vnd.api+json',
}

/** Other ids match no route. @see protocol.md §1.6 */
const ID = ':id(^[0-9a-f]{32}$)'

/** Not in the OpenAPI document, which could not describe these. */
const APART = {isApart: true} as const

type Deps = EntitySearchDeps & AnswerDeps & {readonly plans: SearchPlans}
type Handle = ShopRoute['handle']

/**
 * Searches and reads of every entity, and of an entity's associations: `POST /api/search/customer`, `POST
 * /api/search-ids/customer`, `GET /api/customer`, `GET /api/customer/{id}`, `POST /api/search/customer/{id}/addresses`,
 * `GET /api/customer/{id}/addresses`. Reads take their criteria from the query string.
 *
 * @see protocol.md §6.1
 */
export function createReadRoutes(given: EntitySearchDeps): ShopRoute[] {
  const deps = {...given, writers: new PlainWriters(), plans: new SearchPlans()}
  const whole = chooseModel(given.edition).entities.flatMap(entity => {
    const name = convertToHyphens(entity.name)
    return [
      ...createSlashVariants(`/api/search/${name}`, request => answerSearch({entity}, request, deps)),
      ...createSlashVariants(`/api/search-ids/${name}`, request => answerSearchIds({entity}, request, deps)),
      read(`/api/${name}`, request => answerSearch({entity}, request, deps)),
      {
        ...read(`/api/${name}/${ID}`, request => answerOne(entity, request.params.id ?? '', request, deps)),
        ...(entity.writing ? {} : APART),
      },
    ]
  })
  return [...whole, ...createRoutesOfPaths(deps)]
}

/** Paths other than entities with a table: paths over associations, entities without rows, and mapping tables. */
function createRoutesOfPaths(deps: Deps): ShopRoute[] {
  const model = chooseModel(deps.edition)
  const search = (path: string, handle: Handle): ShopRoute => ({
    method: 'POST',
    path: `${path}/*`,
    accepts: params => isSearchedPath(params['*'] ?? '', model),
    handle,
  })
  return [
    search('/api/search', request =>
      answerSearch(resolvePath(request.params['*'] ?? '', model), request, deps),
    ),
    search('/api/search-ids', request =>
      answerSearchIds(resolvePath(request.params['*'] ?? '', model), request, deps),
    ),
    {
      ...read('/api/:entity', request =>
        answerSearch(resolvePath(request.params.entity ?? '', model), request, deps),
      ),
      accepts: ({entity = ''}) => findUnlisted(entity) !== undefined,
      ...APART,
    },
    {
      ...read('/api/:entity/*', request =>
        readPath(`${request.params.entity}/${request.params['*']}`, request, deps),
      ),
      accepts: params => isReadPath(`${params.entity}/${params['*']}`, model),
    },
  ]
}

function read(path: string, handle: Handle): ShopRoute {
  return {method: 'GET', path, handle}
}

function createSlashVariants(path: string, handle: Handle): ShopRoute[] {
  return [path, `${path}/`].map(one => ({method: 'POST', path: one, handle}))
}

/** An entity without a table, or the name of a mapping table. @param name with hyphens */
function findUnlisted(name: string): Entity | 'mapping' | undefined {
  const entity = ROWLESS_ENTITIES.find(one => convertToHyphens(one.name) === name)
  return entity ?? (MAPPING_NAMES.some(one => convertToHyphens(one) === name) ? 'mapping' : undefined)
}

function isSearchedPath(path: string, model: EntityModel): boolean {
  return isNestedPath(path, model) || findUnlisted(path.replace(/\/$/, '')) !== undefined
}

/** @throws ShopError 404 for an unknown association, 500 for a mapping table */
function resolvePath(path: string, model: EntityModel): Pick<EntitySearchRequest, 'entity' | 'nested'> {
  const unlisted = findUnlisted(path.replace(/\/$/, ''))
  if (unlisted === 'mapping') throw createMappingError()
  if (unlisted) return {entity: unlisted}
  const nested = resolveNestedPath(path, model)
  return {entity: nested.entity, nested}
}

function createMappingError(): ShopError {
  const detail = 'Mapping definition neither have entities nor collection.'
  return createShopError(500, 'FRAMEWORK__MAPPING_ENTITY_DEFINITION_CLASSES', detail)
}

function isReadPath(path: string, model: EntityModel): boolean {
  return isSearchedPath(splitPathOfOne(path)?.way ?? path, model)
}

async function readPath(path: string, request: ShopRequest, deps: Deps): Promise<RouteResponse> {
  const model = chooseModel(deps.edition)
  const one = splitPathOfOne(path)
  if (!one) return answerSearch(resolvePath(path, model), request, deps)
  return answerOne(resolvePath(one.way, model).entity, one.id, request, deps)
}

/** Reads have their criteria in the query string, searches in the body. */
function readCriteria(request: ShopRequest): Parameters {
  return request.method === 'GET' ? request.query : request.parameters
}

async function answerSearch(
  {entity, nested}: Pick<EntitySearchRequest, 'entity' | 'nested'>,
  request: ShopRequest,
  deps: Deps,
): Promise<RouteResponse> {
  const form = negotiateForm(request.headers.accept)
  const caller = request.caller as Principal
  const found = await searchEntities({entity, nested, written: readCriteria(request), caller}, deps)
  const body = await writeFound(found, form, request, deps)
  return {contentType: CONTENT_TYPES[form], body}
}

/** Responds with one entity, whatever path precedes its id, and with the associations in the criteria. */
async function answerOne(
  entity: Entity,
  id: string,
  request: ShopRequest,
  deps: Deps,
): Promise<RouteResponse> {
  const form = negotiateForm(request.headers.accept)
  const caller = request.caller as Principal
  const written = {...readCriteria(request), ids: [id]}
  const found = await searchEntities({entity, written, caller}, deps)
  return {contentType: CONTENT_TYPES[form], body: await writeFoundOne(found, form, request, deps)}
}

/** Always plain JSON, but `Accept` must contain a supported type. */
async function answerSearchIds(
  what: Pick<EntitySearchRequest, 'entity' | 'nested'>,
  request: ShopRequest,
  deps: EntitySearchDeps,
): Promise<RouteResponse> {
  negotiateForm(request.headers.accept)
  const caller = request.caller as Principal
  const ids = await searchIds({...what, written: request.parameters, caller}, deps)
  return {contentType: 'application/json', body: JSON.stringify(ids)}
}
