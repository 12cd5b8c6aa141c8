import type {StateMachine} from '../../wire/state-machines.js'
import {stateId} from '../model/base-data.js'
import {type ShopError, shopError} from '../runtime/shop-error.js'

/** @see protocol.md §5.3 */
export function illegalTransition(
  machine: StateMachine,
  from: string,
  action: string,
  possible: readonly string[],
): ShopError {
  const currentState = stateId(machine.name, from)
  const list = possible.join(', ')
  const detail = `Illegal transition "${action}" from state "${currentState}". Possible transitions are: ${list}`
  const parameters = {
    transition: action,
    currentState,
    possibleTransitionsString: list,
    possibleTransitions: possible,
  }
  return shopError(400, 'SYSTEM__ILLEGAL_STATE_TRANSITION', detail, {parameters})
}

/** @see protocol.md §5.3 */
export function unknownEntity(entityName: string, entityId: string): ShopError {
  const detail = `Unable to read entity "${entityName}" with id "${entityId}".`
  const parameters = {entityName, entityId}
  return shopError(400, 'SYSTEM__STATE_MACHINE_INVALID_ENTITY_ID', detail, {parameters})
}

/** @see protocol.md §5.3 */
export function invalidStateField(fieldName: string): ShopError {
  const detail = `Field "${fieldName}" does not exists or isn't of type StateMachineStateField.`
  return shopError(400, 'SYSTEM__STATE_MACHINE_INVALID_STATE_FIELD', detail, {parameters: {fieldName}})
}
