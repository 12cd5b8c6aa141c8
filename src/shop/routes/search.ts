import {negotiateForm} from '../http/accept-header.js'
import type {Answer, ShopRequest, ShopRoute} from '../http/route.js'
import {ENTITIES} from '../model/entities/entities.js'
import type {Entity} from '../model/entity.js'
import type {Caller} from '../oauth/caller.js'
import {isNestedPath, resolveNestedPath} from '../search/nested-path.js'
import type {Form} from '../search/response/encoders.js'
import {convertToHyphens} from '../search/response/json-api.js'
import {PlainWriters} from '../search/response/response.js'
import {
  type AnswerDeps,
  type SearchDeps,
  type SearchRequest,
  search,
  searchIds,
  writeFound,
} from '../search/search.js'

const CONTENT_TYPES: Readonly<Record<Form, string>> = {
  plain: 'application/json',
  'json-api': 'application/vnd.api+json',
}

/**
 * `POST /api/search/{entity}` and `POST /api/search-ids/{entity}`, for every entity, and searches of what hangs on one
 * thing: `POST /api/search/customer/{id}/addresses`.
 *
 * @see protocol.md §6.1
 */
export function searchRoutes(given: SearchDeps): ShopRoute[] {
  const deps = {...given, writers: new PlainWriters()}
  const nested: ShopRoute = {
    method: 'POST',
    path: '/api/search/*',
    accepts: params => isNestedPath(params['*'] ?? ''),
    handle: request => {
      const place = resolveNestedPath(request.params['*'] ?? '')
      return answerSearch({entity: place.entity, place}, request, deps)
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
  what: Pick<SearchRequest, 'entity' | 'place'>,
  request: ShopRequest,
  deps: SearchDeps & AnswerDeps,
): Promise<Answer> {
  const form = negotiateForm(request.headers.accept)
  const found = await search({...what, written: request.parameters, caller: request.caller as Caller}, deps)
  const {origin, path, queryString} = request
  return {
    contentType: CONTENT_TYPES[form],
    body: await writeFound(found, form, {origin, path, queryString}, deps),
  }
}

/** Plain JSON whatever was asked for, but something that exists must have been. */
async function answerSearchIds(entity: Entity, request: ShopRequest, deps: SearchDeps): Promise<Answer> {
  negotiateForm(request.headers.accept)
  const ids = await searchIds({entity, written: request.parameters, caller: request.caller as Caller}, deps)
  return {contentType: 'application/json', body: JSON.stringify(ids)}
}
