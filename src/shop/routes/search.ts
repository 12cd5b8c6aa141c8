import {acceptedForm} from '../http/accept-header.js'
import type {Answer, ShopRequest, ShopRoute} from '../http/route.js'
import type {Entity} from '../model/entity.js'
import type {Caller} from '../oauth/caller.js'
import type {Shop} from '../runtime/runtime.js'
import {isNestedPath, type NestedPlace, nestedPlace} from '../search/nested-path.js'
import type {Form} from '../search/response/encoders.js'
import {hyphenated} from '../search/response/json-api.js'
import {search, searchIds, writeFound} from '../search/search.js'

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
export function searchRoutes(shop: Shop): ShopRoute[] {
  const nested: ShopRoute = {
    method: 'POST',
    path: '/api/search/*',
    accepts: params => isNestedPath(shop.model, params['*'] ?? ''),
    handle: request => {
      const place = nestedPlace(shop.model, request.params['*'] ?? '')
      return answerSearch(shop, place.entity, request, place)
    },
  }
  const whole = shop.model.entities.flatMap(entity => {
    const name = hyphenated(entity.name)
    const find = (request: ShopRequest) => answerSearch(shop, entity, request)
    const findIds = (request: ShopRequest) => answerSearchIds(shop, entity, request)
    return [
      ...withAndWithoutSlash(`/api/search/${name}`, find),
      ...withAndWithoutSlash(`/api/search-ids/${name}`, findIds),
    ]
  })
  return [...whole, nested]
}

function withAndWithoutSlash(path: string, handle: ShopRoute['handle']): ShopRoute[] {
  return [path, `${path}/`].map(one => ({method: 'POST', path: one, handle}))
}

async function answerSearch(
  shop: Shop,
  entity: Entity,
  request: ShopRequest,
  place?: NestedPlace,
): Promise<Answer> {
  const form = acceptedForm(request.headers.accept)
  const found = await search(shop, entity, request.parameters, request.caller as Caller, place)
  const {origin, path, queryString} = request
  return {
    contentType: CONTENT_TYPES[form],
    body: await writeFound(shop, entity, found, form, {origin, path, queryString}, shop.plainWriters),
  }
}

/** Plain JSON whatever was asked for, but something that exists must have been. */
async function answerSearchIds(shop: Shop, entity: Entity, request: ShopRequest): Promise<Answer> {
  acceptedForm(request.headers.accept)
  const ids = await searchIds(shop, entity, request.parameters, request.caller as Caller)
  return {contentType: 'application/json', body: JSON.stringify(ids)}
}
