import {negotiateForm} from '../http/accept-header.js'
import type {RouteResponse, ShopRequest, ShopRoute} from '../http/route.js'
import {ENTITIES} from '../model/entities/entities.js'
import type {Entity} from '../model/entity.js'
import type {Principal} from '../oauth/caller.js'
import {isNestedPath, resolveNestedPath} from '../search/nested-path.js'
import type {JsonForm} from '../search/response/encoders.js'
import {convertToHyphens} from '../search/response/json-api.js'
import {PlainWriters} from '../search/response/response.js'
import {
  type AnswerDeps,
  type EntitySearchDeps,
  type EntitySearchRequest,
  searchEntities,
  searchIds,
  writeFound,
} from '../search/search.js'

const CONTENT_TYPES: Readonly<Record<JsonForm, string>> = {
  plain: 'application/json',
  'json-api': 'application/vnd.api+json',
}

/**
 * `POST /api/search/{entity}` and `POST /api/search-ids/{entity}`, for every entity, and searches of what hangs on one
 * thing: `POST /api/search/customer/{id}/addresses`.
 *
 * @see protocol.md §6.1
 */
export function searchRoutes(given: EntitySearchDeps): ShopRoute[] {
  const deps = {...given, writers: new PlainWriters()}
  const nested: ShopRoute = {
    method: 'POST',
    path: '/api/search/*',
    accepts: params => isNestedPath(params['*'] ?? ''),
    handle: request => {
      const nested = resolveNestedPath(request.params['*'] ?? '')
      return answerSearch({entity: nested.entity, nested}, request, deps)
    },
  }
  const whole = ENTITIES.flatMap(entity => {
    const name = convertToHyphens(entity.name)
    const find = (request: ShopRequest) => answerSearch({entity}, request, deps)
    const findIds = (request: ShopRequest) => answerSearchIds(entity, request, deps)
    return [
      ...createSlashVariants(`/api/search/${name}`, find),
      ...createSlashVariants(`/api/search-ids/${name}`, findIds),
    ]
  })
  return [...whole, nested]
}

function createSlashVariants(path: string, handle: ShopRoute['handle']): ShopRoute[] {
  return [path, `${path}/`].map(one => ({method: 'POST', path: one, handle}))
}

async function answerSearch(
  what: Pick<EntitySearchRequest, 'entity' | 'nested'>,
  request: ShopRequest,
  deps: EntitySearchDeps & AnswerDeps,
): Promise<RouteResponse> {
  const form = negotiateForm(request.headers.accept)
  const found = await searchEntities(
    {...what, written: request.parameters, caller: request.caller as Principal},
    deps,
  )
  const {origin, path, queryString} = request
  return {
    contentType: CONTENT_TYPES[form],
    body: await writeFound(found, form, {origin, path, queryString}, deps),
  }
}

/** Plain JSON whatever was asked for, but something that exists must have been. */
async function answerSearchIds(
  entity: Entity,
  request: ShopRequest,
  deps: EntitySearchDeps,
): Promise<RouteResponse> {
  negotiateForm(request.headers.accept)
  const ids = await searchIds(
    {entity, written: request.parameters, caller: request.caller as Principal},
    deps,
  )
  return {contentType: 'application/json', body: JSON.stringify(ids)}
}
