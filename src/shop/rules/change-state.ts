import {listStateMachines} from '../../shopware/editions.js'
import {type MachineName, type StateMachine, transition} from '../../shopware/state-machines.js'
import type {Principal} from '../oauth/caller.js'
import {deriveStateId} from '../runtime/base-data.js'
import type {RuleDeps} from '../runtime/runtime.js'
import {createShopError, type ShopError} from '../runtime/shop-error.js'
import type {ShopConnection} from '../store/schema/schema.js'
import {changeState, findState} from '../store/state-changes.js'
import {updateOrderCounts} from './write/apply-plan.js'

/** The entity to change, and the action. */
interface TransitionRequest {
  readonly entity: MachineName
  readonly id: string
  readonly action: string
}

/**
 * Changes the state of an order, a delivery or a payment, in one write with reading the present state.
 *
 * @returns technical name of the new state; if that is the present one, nothing is written, except for `cancel` on 6.6,
 * which is applied again with all its effects
 * @throws ShopError 400 `SYSTEM__STATE_MACHINE_INVALID_ENTITY_ID`, `SYSTEM__ILLEGAL_STATE_TRANSITION`
 * @see protocol.md §5.3
 */
export async function moveState(
  request: TransitionRequest,
  caller: Principal,
  {db: {writes}, now, edition}: RuleDeps,
): Promise<string> {
  const {entity, id, action} = request
  const machine = listStateMachines(edition)[entity]
  const at = now()
  const move = async (db: ShopConnection) => {
    const from = await findState(db, entity, id)
    if (from === undefined) throw createUnknownEntityError(entity, id)
    const step = transition(machine, from, action)
    if (step.kind === 'illegal') throw createIllegalTransitionError(machine, from, action, step.possible)
    // Older shops always apply this action, even if its target is already reached.
    const isRepeated = step.kind === 'unchanged' && action === 'cancel' && edition.repeatsCancellation
    if (step.kind === 'moved' || isRepeated) {
      const by = caller.kind === 'user' ? {userId: caller.id} : {integrationId: caller.id}
      const change = {entity, id, machine: machine.name, action, from, to: step.to, ...by}
      const touched = new Map([[entity, new Set([id])]])
      await updateOrderCounts(touched, {db}, () => changeState(db, change, at))
    }
    return step.to
  }
  return writes.run(move)
}

/** @see protocol.md §5.3 */
function createIllegalTransitionError(
  machine: StateMachine,
  from: string,
  action: string,
  possible: readonly string[],
): ShopError {
  const currentState = deriveStateId(machine.name, from)
  const list = possible.join(', ')
  const detail = `Illegal transition "${action}" from state "${currentState}". Possible transitions are: ${list}`
  const parameters = {
    transition: action,
    currentState,
    possibleTransitionsString: list,
    possibleTransitions: possible,
  }
  return createShopError(400, 'SYSTEM__ILLEGAL_STATE_TRANSITION', detail, {parameters})
}

/** @see protocol.md §5.3 */
export function createUnknownEntityError(entityName: string, entityId: string): ShopError {
  const detail = `Unable to read entity "${entityName}" with id "${entityId}".`
  const parameters = {entityName, entityId}
  return createShopError(400, 'SYSTEM__STATE_MACHINE_INVALID_ENTITY_ID', detail, {parameters})
}

/** @see protocol.md §5.3 */
export function createInvalidStateFieldError(fieldName: string): ShopError {
  const detail = `Field "${fieldName}" does not exists or isn't of type StateMachineStateField.`
  return createShopError(400, 'SYSTEM__STATE_MACHINE_INVALID_STATE_FIELD', detail, {parameters: {fieldName}})
}
