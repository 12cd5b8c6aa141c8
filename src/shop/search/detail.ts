import type {RouteResponse, ShopRequest} from '../http/route.js'
import type {Entity} from '../model/entity.js'
import type {RuleDeps} from '../runtime/runtime.js'
import {listPageColumns, searchPage} from '../store/search/search.js'
import {parseEntityCriteria} from './criteria/criteria.js'
import type {JsonForm} from './response/encoders.js'
import {createJsonApiWriter} from './response/json-api.js'
import {formatSelfLink} from './response/page-links.js'
import {createPlainWriter} from './response/plain-json.js'

/** A thing that an answer shows, and how it is written. */
interface Thing {
  readonly entity: Entity
  readonly id: string
  readonly form: JsonForm
}

/** What showing one thing needs. */
interface DetailDeps extends RuleDeps {
  /** Rows a page. */
  readonly maxLimit: number | undefined
}

/**
 * One thing as it is now, written in a form, with nothing around it; empty when there is no such thing. Who may do a
 * thing is shown how it is then, whatever else it may read.
 */
export async function writeThing(
  {entity, id, form}: Thing,
  origin: string,
  deps: DetailDeps,
): Promise<string> {
  const criteria = parseEntityCriteria({ids: [id]}, entity, {
    now: deps.now(),
    maxLimit: deps.maxLimit,
    edition: deps.edition,
  })
  const columns = listPageColumns(entity, {includes: undefined, associations: {}})
  const {rows} = await searchPage(deps.db, {entity, criteria, scored: []}, columns)
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
  request: Pick<ShopRequest, 'origin' | 'path' | 'query'>,
  deps: DetailDeps,
): Promise<RouteResponse> {
  const thing = await writeThing(shown, request.origin, deps)
  if (shown.form === 'plain') return {contentType: 'application/json', body: `{"data":${thing}}`}
  return {
    contentType: 'application/vnd.api+json',
    body: `{"data":${thing},"included":[],"links":${formatSelfLink(request)}}`,
  }
}
