import type {Answer, ShopRequest} from '../http/route.js'
import type {Entity} from '../model/entity.js'
import type {Caller} from '../oauth/caller.js'
import {escapeJsonApi} from '../runtime/json-escape.js'
import type {Form} from './response/encoders.js'
import {createJsonApiWriter} from './response/json-api.js'
import {createPlainWriter} from './response/plain-json.js'
import {type SearchDeps, search} from './search.js'

/** Who may do a thing is shown how it is then, whatever else it may read. */
const SYSTEM: Caller = {kind: 'integration', id: '', isAdministrator: true, privileges: new Set(), scopes: []}

/** A thing that an answer shows, and how it is written. */
interface Thing {
  readonly entity: Entity
  readonly id: string
  readonly form: Form
}

/** One thing as it is now, written in a form, with nothing around it; empty when there is no such thing. */
export async function writeThing(
  {entity, id, form}: Thing,
  origin: string,
  deps: SearchDeps,
): Promise<string> {
  const {columns, rows} = await search({entity, written: {ids: [id]}, caller: SYSTEM}, deps)
  const common = {columns, includes: undefined}
  const write =
    form === 'plain'
      ? createPlainWriter(entity, {...common, isFound: false, hasScore: false, loaded: {}})
      : createJsonApiWriter(entity, {...common, apiUrl: `${origin}/api`, linkage: {}})
  return rows.map(write).join()
}

/** The answer that shows one thing: `{"data":{…}}`, in JSON:API with what belongs around it. */
export async function createDetailAnswer(
  shown: Thing,
  request: Pick<ShopRequest, 'origin' | 'path' | 'queryString'>,
  deps: SearchDeps,
): Promise<Answer> {
  const {origin, path, queryString} = request
  const thing = await writeThing(shown, origin, deps)
  if (shown.form === 'plain') return {contentType: 'application/json', body: `{"data":${thing}}`}
  const self = queryString === '' ? `${origin}${path}` : `${origin}${path}?${queryString}`
  const links = escapeJsonApi(JSON.stringify({self}))
  return {
    contentType: 'application/vnd.api+json',
    body: `{"data":${thing},"included":[],"links":${links}}`,
  }
}
