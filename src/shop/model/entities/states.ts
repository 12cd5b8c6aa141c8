import {customFields, dateTime, entity, id, ranked, text, toMany, toOne, version} from '../describe.js'

/** What may happen to an order, a delivery or a payment, one machine each. @see protocol.md §4.5, §5.3 */
export const stateMachine = entity('state_machine', {
  fields: [
    text('technicalName', {indexed: true}),
    text('name', {translated: true}),
    id('initialStateId'),
    customFields(),
  ],
  associations: [toMany('states', 'state_machine_state', 'stateMachineId')],
})

export const stateMachineState = entity('state_machine_state', {
  fields: [
    text('technicalName', {indexed: true}),
    text('name', {translated: true, ...ranked(500)}),
    id('stateMachineId', {indexed: true}),
    customFields(),
  ],
  associations: [
    toOne('stateMachine', 'state_machine'),
    toMany('orders', 'order', 'stateId'),
    toMany('orderTransactions', 'order_transaction', 'stateId'),
    toMany('orderDeliveries', 'order_delivery', 'stateId'),
  ],
})

/** Each step that something took from a state to another. */
export const stateMachineHistory = entity('state_machine_history', {
  fields: [
    id('referencedId', {indexed: true}),
    version('referencedVersionId'),
    id('stateMachineId'),
    text('entityName'),
    id('fromStateId'),
    id('toStateId'),
    text('transitionActionName'),
    id('userId'),
    id('integrationId'),
    dateTime('createdAt'),
    dateTime('updatedAt'),
  ],
  associations: [
    toOne('stateMachine', 'state_machine'),
    toOne('fromStateMachineState', 'state_machine_state', 'fromStateId'),
    toOne('toStateMachineState', 'state_machine_state', 'toStateId'),
    toOne('user', 'user'),
  ],
})
