import type {Entity} from '../../shopware/entity.js'
import type {RouteResponse, ShopRequest} from '../http/route.js'
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
 * One thing as it is now, as plain JSON; empty when there is no such thing.
 *
 * @param showsForeignKeys whether the keys of what extends it are shown: every edition shows them of a bare thing
 */
export async function writeThing(
  shown: Pick<Thing, 'entity' | 'id'>,
  deps: DetailDeps,
  showsForeignKeys = true,
): Promise<string> {
  const {columns, rows} = await readThing(shown, deps)
  const options = {
    columns,
    includes: undefined,
    isFound: false,
    showsForeignKeys,
    hasScore: false,
    loaded: {},
  }
  return rows.map(createPlainWriter(shown.entity, options)).join()
}

/** Who may do a thing is shown how it is then, whatever else it may read. */
async function readThing({entity, id}: Pick<Thing, 'entity' | 'id'>, deps: DetailDeps) {
  const criteria = parseEntityCriteria({ids: [id]}, entity, {
    now: deps.now(),
    maxLimit: deps.maxLimit,
    edition: deps.edition,
  })
  const columns = listPageColumns(entity, {includes: undefined, associations: {}})
  const {rows} = await searchPage(deps.db, {entity, criteria, scored: []}, columns)
  return {columns, rows}
}

/** The answer that shows one thing: `{"data":{…}}`, in JSON:API with what belongs around it. */
export async function createDetailAnswer(
  shown: Thing,
  request: Pick<ShopRequest, 'origin' | 'path' | 'query'>,
  deps: DetailDeps,
): Promise<RouteResponse> {
  const {entity, form} = shown
  if (form === 'plain') {
    const data = await writeThing(shown, deps, deps.edition.showsForeignKeys)
    return {contentType: 'application/json', body: `{"data":${data}}`}
  }
  const {columns, rows} = await readThing(shown, deps)
  const included = new Map<string, string>()
  const shared = {apiUrl: `${request.origin}/api`, edition: deps.edition, included}
  const options = {columns, includes: undefined, linkage: {}, shared}
  const data = rows.map(createJsonApiWriter(entity, options)).join()
  const links = formatSelfLink(request)
  return {
    contentType: 'application/vnd.api+json',
    body: `{"data":${data},"included":[${[...included.values()].join()}],"links":${links}}`,
  }
}
