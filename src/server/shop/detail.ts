import type {Entity} from '../../shop-model/entity.js'
import {escapeJsonApi} from '../json-escape.js'
import type {Answer, ShopRequest} from '../routes/route.js'
import type {Shop} from '../shop.js'
import type {Caller} from './caller.js'
import {search} from './search.js'
import type {Form} from './serialise/encoders.js'
import {jsonApiWriter} from './serialise/json-api.js'
import {plainWriter} from './serialise/plain.js'

/** Who may do a thing is shown how it is then, whatever else it may read. */
const SYSTEM: Caller = {kind: 'integration', id: '', isAdministrator: true, privileges: new Set(), scopes: []}

/** One thing as it is now, written in a form, with nothing around it; empty when there is no such thing. */
export async function writeThing(
  shop: Shop,
  entity: Entity,
  id: string,
  form: Form,
  origin: string,
): Promise<string> {
  const {columns, rows} = await search(shop, entity, {ids: [id]}, SYSTEM)
  const common = {columns, includes: undefined}
  const write =
    form === 'plain'
      ? plainWriter(entity, {...common, isFound: false, hasScore: false, loaded: {}})
      : jsonApiWriter(entity, {...common, apiUrl: `${origin}/api`, linkage: {}})
  return rows.map(write).join()
}

/** The answer that shows one thing: `{"data":{…}}`, in JSON:API with what belongs around it. */
export async function detailAnswer(
  shop: Shop,
  entity: Entity,
  id: string,
  form: Form,
  request: Pick<ShopRequest, 'origin' | 'path' | 'queryString'>,
): Promise<Answer> {
  const {origin, path, queryString} = request
  const thing = await writeThing(shop, entity, id, form, origin)
  if (form === 'plain') return {contentType: 'application/json', body: `{"data":${thing}}`}
  const self = queryString === '' ? `${origin}${path}` : `${origin}${path}?${queryString}`
  const links = escapeJsonApi(JSON.stringify({self}))
  return {
    contentType: 'application/vnd.api+json',
    body: `{"data":${thing},"included":[],"links":${links}}`,
  }
}
