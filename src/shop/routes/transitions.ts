import {listStateMachines} from '../../shopware/editions.js'
import {ENTITIES, ENTITY_MODEL} from '../../shopware/entities/entities.js'
import {isId} from '../../shopware/ids.js'
import {escapePlain} from '../../shopware/json-escape.js'
import {
  listActions,
  type MachineName,
  STATE_MACHINES,
  type StateMachine,
} from '../../shopware/state-machines.js'
import {negotiateForm} from '../http/replies.js'
import type {RouteResponse, ShopRequest, ShopRoute} from '../http/route.js'
import {type Principal, requirePrivilege} from '../oauth/caller.js'
import {createInvalidStateFieldError, createUnknownEntityError, moveState} from '../rules/change-state.js'
import {deriveStateId, formatStateName} from '../runtime/base-data.js'
import {readParameter} from '../runtime/runtime.js'
import {createHttpError, createInvalidUuidError, createUnknownDefinitionError} from '../runtime/shop-error.js'
import {createDetailAnswer, writeThing} from '../search/detail.js'
import type {EntitySearchDeps} from '../search/prepare-search.js'
import {findState} from '../store/state-changes.js'

/** State transitions of orders, deliveries and payments. @see protocol.md §5.3 */
export function transitionRoutes(deps: EntitySearchDeps): ShopRoute[] {
  const governed = (Object.keys(STATE_MACHINES) as MachineName[]).flatMap((entity): ShopRoute[] => {
    const generic = `/api/_action/state-machine/${entity}/:id/state`
    return [
      {method: 'POST', path: `/api/_action/${entity}/:id/state/:action`, handle: move(deps, entity)},
      {method: 'POST', path: `${generic}/:action`, handle: moveGenerically(deps, entity)},
      {method: 'GET', path: generic, handle: request => listTransitions(deps, entity, request)},
    ]
  })
  return [...governed, ...createRoutesOfOthers()]
}

/** Entities without a state machine, and unknown names. */
function createRoutesOfOthers(): ShopRoute[] {
  const path = '/api/_action/state-machine/:entity/:id/state'
  const accepts = ({entity = ''}) => !Object.hasOwn(STATE_MACHINES, entity)
  const handle = ({params: {entity = '', id = ''}}: ShopRequest): never => {
    if (!ENTITIES.some(({name}) => name === entity)) throw createUnknownDefinitionError(entity)
    throw createUnknownEntityError(entity, id)
  }
  return [
    {method: 'GET', path, accepts, handle, isApart: true},
    {method: 'POST', path: `${path}/:action`, accepts, handle, isApart: true},
  ]
}

/** Responds with the plain state without its alias, whatever `Accept` says. */
function move(deps: EntitySearchDeps, entity: MachineName) {
  return async (request: ShopRequest): Promise<RouteResponse> => {
    const id = await applyTransition(deps, entity, request)
    return {
      contentType: 'application/json',
      body: removeAlias(await writeThing({entity: STATE, id}, deps)),
    }
  }
}

function removeAlias(thing: string): string {
  return thing.replace(/,"apiAlias":"\w+"\}$/, '}')
}

function moveGenerically(deps: EntitySearchDeps, entity: MachineName) {
  return async (request: ShopRequest): Promise<RouteResponse> => {
    const form = negotiateForm(request.headers.accept)
    requirePrivilege(request.caller as Principal, `${entity}:update`)
    const id = await applyTransition(deps, entity, request)
    return createDetailAnswer({entity: STATE, id, form}, request, deps)
  }
}

const STATE = ENTITY_MODEL.get('state_machine_state')

/** @returns the id of the new state */
async function applyTransition(
  deps: EntitySearchDeps,
  entity: MachineName,
  request: ShopRequest,
): Promise<string> {
  checkStateField(request)
  const {id = '', action = ''} = request.params
  if (!isId(id)) throw createInvalidUuidError(id)
  const state = await moveState({entity, id: id.toLowerCase(), action}, request.caller as Principal, deps)
  return deriveStateId(STATE_MACHINES[entity].name, state)
}

async function listTransitions(
  deps: EntitySearchDeps,
  entity: MachineName,
  request: ShopRequest,
): Promise<RouteResponse> {
  requirePrivilege(request.caller as Principal, `${entity}:read`)
  checkStateField(request)
  const {id = ''} = request.params
  if (!isId(id)) throw createInvalidUuidError(id)
  const from = await findState(deps.db.reads, entity, id.toLowerCase())
  if (from === undefined) throw createUnknownEntityError(entity, id)
  const transitions = describeTransitions(listStateMachines(deps.edition)[entity], from, request.path)
  return {contentType: 'application/json', body: escapePlain(JSON.stringify({transitions}))}
}

function describeTransitions(machine: StateMachine, from: string, path: string) {
  return listActions(machine, from).map(actionName => {
    const to = machine.targets[actionName] ?? ''
    return {
      name: formatStateName(to),
      technicalName: to,
      actionName,
      fromStateName: from,
      toStateName: to,
      url: `${path}/${actionName}`,
    }
  })
}

/** Every state machine of the shop controls the field `stateId`. */
function checkStateField({parameters, query}: ShopRequest): void {
  const name =
    readParameter(query, 'stateFieldName') ?? readParameter(parameters, 'stateFieldName') ?? 'stateId'
  if (typeof name === 'object') {
    throw createHttpError(400, 'Input value "stateFieldName" contains a non-scalar value.')
  }
  if (name !== 'stateId') throw createInvalidStateFieldError(String(name))
}
