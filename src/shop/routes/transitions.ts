import {actionsFrom, type MachineName, STATE_MACHINES, type StateMachine} from '../../wire/state-machines.js'
import {acceptedForm} from '../http/accept-header.js'
import type {Answer, ShopRequest, ShopRoute} from '../http/route.js'
import {stateId} from '../model/base-data.js'
import type {Caller} from '../oauth/caller.js'
import {requirePrivilege} from '../oauth/caller.js'
import {invalidStateField, moveState, unknownEntity} from '../rules/change-state.js'
import {escapePlain} from '../runtime/json-escape.js'
import {parameter} from '../runtime/parameters.js'
import type {Shop} from '../runtime/runtime.js'
import {httpError} from '../runtime/shop-error.js'
import {detailAnswer, writeThing} from '../search/detail.js'

/** State transitions of orders, deliveries and payments. @see protocol.md §5.3 */
export function transitionRoutes(shop: Shop): ShopRoute[] {
  return (Object.keys(STATE_MACHINES) as MachineName[]).flatMap((entity): ShopRoute[] => {
    const generic = `/api/_action/state-machine/${entity}/:id/state`
    return [
      {method: 'POST', path: `/api/_action/${entity}/:id/state/:action`, handle: move(shop, entity)},
      {method: 'POST', path: `${generic}/:action`, handle: moveGenerically(shop, entity)},
      {method: 'GET', path: generic, handle: request => listTransitions(shop, entity, request)},
    ]
  })
}

/** The bare state, whatever was accepted. */
function move(shop: Shop, entity: MachineName) {
  return async (request: ShopRequest): Promise<Answer> => {
    const id = await moved(shop, entity, request)
    return {
      contentType: 'application/json',
      body: await writeThing(shop, shop.model.get(STATE), id, 'plain', request.origin),
    }
  }
}

function moveGenerically(shop: Shop, entity: MachineName) {
  return async (request: ShopRequest): Promise<Answer> => {
    const form = acceptedForm(request.headers.accept)
    requirePrivilege(request.caller as Caller, `${entity}:update`)
    const id = await moved(shop, entity, request)
    return detailAnswer(shop, shop.model.get(STATE), id, form, request)
  }
}

const STATE = 'state_machine_state'

/** @returns the id of the state that it is in then */
async function moved(shop: Shop, entity: MachineName, request: ShopRequest): Promise<string> {
  checkStateField(request)
  const {id = '', action = ''} = request.params
  const state = await moveState({entity, id: id.toLowerCase(), action}, request.caller as Caller, shop)
  return stateId(STATE_MACHINES[entity].name, state)
}

async function listTransitions(shop: Shop, entity: MachineName, request: ShopRequest): Promise<Answer> {
  requirePrivilege(request.caller as Caller, `${entity}:read`)
  checkStateField(request)
  const {id = ''} = request.params
  const {stateChanges, db} = shop.store
  const from = await stateChanges.findState(db.reads, entity, id.toLowerCase())
  if (from === undefined) throw unknownEntity(entity, id)
  const transitions = describeTransitions(STATE_MACHINES[entity], from, request.path)
  return {contentType: 'application/json', body: escapePlain(JSON.stringify({transitions}))}
}

function describeTransitions(machine: StateMachine, from: string, path: string) {
  return actionsFrom(machine, from).map(actionName => {
    const to = machine.targets[actionName] ?? ''
    const words = to.replaceAll('_', ' ')
    return {
      name: words.charAt(0).toUpperCase() + words.slice(1),
      technicalName: to,
      actionName,
      fromStateName: from,
      toStateName: to,
      url: `${path}/${actionName}`,
    }
  })
}

/** Every machine of the shop governs the field `stateId`. */
function checkStateField({parameters, query}: ShopRequest): void {
  const name = parameter(query, 'stateFieldName') ?? parameter(parameters, 'stateFieldName') ?? 'stateId'
  if (typeof name === 'object') {
    throw httpError(400, 'Input value "stateFieldName" contains a non-scalar value.')
  }
  if (name !== 'stateId') throw invalidStateField(String(name))
}
