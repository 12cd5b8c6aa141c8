import {chooseModel} from '../../shopware/entities/entities.js'
import type {Entity, EntityModel} from '../../shopware/entity.js'
import {escapePlain} from '../../shopware/json-escape.js'
import {negotiateForm} from '../http/replies.js'
import type {RouteMethod, RouteResponse, ShopRequest, ShopRoute} from '../http/route.js'
import type {Principal} from '../oauth/caller.js'
import {cloneOne} from '../rules/write/clone.js'
import {sync} from '../rules/write/sync.js'
import {removeOne, writeOne} from '../rules/write/write.js'
import {removeBelow, writeBelow} from '../rules/write/write-below.js'
import {type Parameters, readParameter} from '../runtime/runtime.js'
import {createHttpError, createUnknownDefinitionError, type ShopError} from '../runtime/shop-error.js'
import {createDetailAnswer, writeThing} from '../search/detail.js'
import {isNestedPath, type NestedTarget, resolveNestedPath, splitPathOfOne} from '../search/nested-path.js'
import type {EntitySearchDeps} from '../search/prepare-search.js'
import {convertToHyphens} from '../search/response/json-api.js'
import {searchIds} from '../search/search.js'

/** Other ids match no route. @see protocol.md §1.6 */
const ID = ':id(^[0-9a-f]{32}$)'

/**
 * `POST /api/{entity}`, `PATCH` and `DELETE /api/{entity}/{id}` for every writable entity, the same below a row, and
 * `POST /api/_action/sync`. Single writes respond 204 with the entity's location, or 200 with the entity.
 */
export function createEntityRoutes(deps: EntitySearchDeps): ShopRoute[] {
  const written = chooseModel(deps.edition).entities.filter(({writing}) => writing)
  return [
    {method: 'POST', path: '/api/_action/sync', handle: request => answerSync(deps, request)},
    {
      method: 'POST',
      path: `/api/_action/clone/:entity/${ID}`,
      handle: request => answerClone(deps, request),
      isApart: true,
    },
    ...written.flatMap(entity => createRoutesOfEntity(deps, entity)),
    ...createRoutesBelow(deps),
  ]
}

function createRoutesOfEntity(deps: EntitySearchDeps, entity: Entity): ShopRoute[] {
  const path = `/api/${convertToHyphens(entity.name)}`
  const route = (method: RouteMethod, url: string, work: Work): ShopRoute => ({
    method,
    path: url,
    handle: request => answerWrite({entity, work}, request, deps),
  })
  return [
    route('POST', path, ({parameters}, caller) => {
      return writeOne({entity, written: readOne(parameters), mode: 'create', caller}, deps)
    }),
    route('PATCH', `${path}/${ID}`, ({parameters, params}, caller) => {
      const written = {...readOne(parameters), id: params.id}
      return writeOne({entity, written, mode: 'update', caller}, deps)
    }),
    route('DELETE', `${path}/${ID}`, async (request, caller) => {
      const {id = ''} = request.params
      await removeOne(entity, id, caller, deps)
      return id
    }),
  ]
}

/**
 * `POST /api/customer/{id}/addresses`, `PATCH` and `DELETE /api/customer/{id}/addresses/{id}`: the same below a row,
 * for writable entities.
 *
 * @see real-shop.md §3, rule 2
 */
function createRoutesBelow(deps: EntitySearchDeps): ShopRoute[] {
  const model = chooseModel(deps.edition)
  const readPath = ({entity = '', '*': rest = ''}: ShopRequest['params']) => `${entity}/${rest}`
  const route = (
    method: RouteMethod,
    find: (path: string) => PathBelow | undefined,
    work: (below: NestedTarget, id: string, request: ShopRequest) => Promise<string>,
  ): ShopRoute => ({
    method,
    path: '/api/:entity/*',
    accepts: params => {
      const found = find(readPath(params))
      return found !== undefined && isNestedPath(found.way, model) && isWritable(found.way, model)
    },
    handle: request => {
      const {way, id} = find(readPath(request.params)) as PathBelow
      const below = resolveNestedPath(way, model)
      return answerWrite({entity: below.entity, work: () => work(below, id, request)}, request, deps)
    },
  })
  const callerOf = (request: ShopRequest) => request.caller as Principal
  return [
    route(
      'POST',
      path => ({way: path, id: ''}),
      (below, _, request) => {
        const written = readOne(request.parameters)
        return writeBelow({...below, written, mode: 'create', caller: callerOf(request)}, deps)
      },
    ),
    route('PATCH', splitPathOfOne, (below, id, request) => {
      const written = {...readOne(request.parameters), id}
      return writeBelow({...below, written, mode: 'update', caller: callerOf(request)}, deps)
    }),
    route('DELETE', splitPathOfOne, async (below, id, request) => {
      await removeBelow(below, id, callerOf(request), deps)
      return id
    }),
  ]
}

type PathBelow = NonNullable<ReturnType<typeof splitPathOfOne>>

/** Whether a path leads to a writable entity, or nowhere; signed-in callers get an error for the latter. */
function isWritable(way: string, model: EntityModel): boolean {
  try {
    return resolveNestedPath(way, model).entity.writing !== undefined
  } catch {
    return true
  }
}

/** A write of one entity. */
interface Writing {
  readonly entity: Entity
  readonly work: Work
}

/** Responds with the entity's location, or with `_response` with the entity itself. */
async function answerWrite(
  {entity, work}: Writing,
  request: ShopRequest,
  deps: EntitySearchDeps,
): Promise<RouteResponse> {
  const form = negotiateForm(request.headers.accept)
  const id = await work(request, request.caller as Principal)
  if (request.method !== 'DELETE' && Object.hasOwn(request.query, SHOW_IT)) {
    return createDetailAnswer({entity, id, form}, request, deps)
  }
  const location = `${request.origin}/api/${convertToHyphens(entity.name)}/${id}`
  return {status: 204, headers: {location}}
}

/** @returns the id of the written entity */
type Work = (request: ShopRequest, caller: Principal) => Promise<string>

/** With this in the query, with any value, a write responds with the entity; without it, only with its location. */
const SHOW_IT = '_response'

/** @throws ShopError 400 for several entities */
function readOne(parameters: Parameters): Values {
  if (Array.isArray(parameters) && parameters.length > 0) throw createSingleEntityError()
  return {...parameters}
}

function createSingleEntityError(): ShopError {
  return createHttpError(
    400,
    'Only single write operations are supported. Please send the entities one by one or use the /sync api endpoint.',
  )
}

async function answerClone(
  deps: EntitySearchDeps,
  {params, parameters, caller}: ShopRequest,
): Promise<RouteResponse> {
  const {entity: name = '', id = ''} = params
  const entity = chooseModel(deps.edition).entities.find(one => convertToHyphens(one.name) === name)
  if (!entity?.writing) throw createUnknownDefinitionError(name.replaceAll('-', '_'))
  const overwrites = readParameter(parameters, 'overwrites') ?? {}
  if (typeof overwrites !== 'object')
    throw createHttpError(
      400,
      'Unexpected value for parameter "overwrites": expecting "array", got "string".',
    )
  const withChildren = !['0', 'false', 'off', 'no', ''].includes(
    String(readParameter(parameters, 'cloneChildren') ?? true).toLowerCase(),
  )
  const readThing = async (kind: Entity, one: string) => {
    const text = await writeThing({entity: kind, id: one}, deps)
    return text === '' ? undefined : (JSON.parse(text) as Values)
  }
  const request = {entity, id, overwrites: {...overwrites}, withChildren, caller: caller as Principal}
  const made = await cloneOne(request, {...deps, readThing})
  return {contentType: 'application/json', body: JSON.stringify({id: made})}
}

type Values = Readonly<Record<string, unknown>>

async function answerSync(deps: EntitySearchDeps, {parameters, caller}: ShopRequest): Promise<RouteResponse> {
  const findIds = async (entity: Entity, written: object) => {
    const everything = {...deps, maxLimit: undefined}
    const {data} = await searchIds({entity, written, caller: caller as Principal}, everything)
    return data.map(String)
  }
  const {data, notFound, deleted} = await sync(parameters, caller as Principal, {...deps, findIds})
  const body = {
    extensions: [],
    data: convertToPhpArray(data),
    notFound: convertToPhpArray(notFound),
    deleted: convertToPhpArray(deleted),
  }
  return {contentType: 'application/json', body: escapePlain(JSON.stringify(body))}
}

/** An empty one is a list. @see protocol.md §8, trap 26 */
function convertToPhpArray(record: Readonly<Record<string, unknown>>): unknown {
  return Object.keys(record).length > 0 ? record : []
}
