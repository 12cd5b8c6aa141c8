import type {Entity} from '../../shopware/entity.js'
import type {RouteResponse, ShopRequest} from '../http/route.js'
import type {RuleDeps} from '../runtime/runtime.js'
import {listPageColumns, searchPage} from '../store/search/search.js'
import {parseEntityCriteria} from './criteria/criteria.js'
import type {JsonForm} from './response/encoders.js'
import {createJsonApiWriter} from './response/json-api.js'
import {formatSelfLink} from './response/page-links.js'
import {createPlainWriter} from './response/plain-json.js'

/** An entity in a response, and its format. */
interface Thing {
  readonly entity: Entity
  readonly id: string
  readonly form: JsonForm
}

/** Dependencies for showing one entity. */
interface DetailDeps extends RuleDeps {
  /** Most rows in a page. */
  readonly maxLimit: number | undefined
}

/**
 * One entity in its present state, as plain JSON; empty when it does not exist.
 *
 * @param showsForeignKeys whether to show foreign keys of extensions: all editions do without associations
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

/** A caller who may write an entity is shown the result, even without the privilege to read it. */
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

/** The response with one entity: `{"data":{…}}`, in JSON:API with its envelope. */
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
