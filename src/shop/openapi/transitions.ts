import {type MachineName, STATE_MACHINES} from '../../wire/state-machines.js'
import {schemaName} from './component-schemas.js'
import {FOR_BEARERS, refused} from './error-responses.js'
import {EXAMPLE_TRANSACTION_ID, exampleId} from './example-entities.js'
import {answer, idParameter, type Json, type Operation, type Operations, schemaRef} from './operation.js'

const EXAMPLES: Readonly<Record<MachineName, {id: string; action: string}>> = {
  order: {id: exampleId('order'), action: 'process'},
  order_delivery: {id: exampleId('delivery of the order'), action: 'ship'},
  order_transaction: {id: EXAMPLE_TRANSACTION_ID, action: 'paid'},
}

/** @see protocol.md §5.3 */
export function transitionOperations(): Operations {
  const each = (Object.keys(STATE_MACHINES) as MachineName[]).flatMap(entity => {
    const generic = `/api/_action/state-machine/${entity}/{id}/state`
    return [
      [`POST /api/_action/${entity}/{id}/state/{action}`, move(entity)],
      [`POST ${generic}/{action}`, moveGenerically(entity)],
      [`GET ${generic}`, list(entity)],
    ] as const
  })
  return Object.fromEntries(each)
}

function move(entity: MachineName): Operation {
  const words = entity.replaceAll('_', ' ')
  return {
    operationId: `move${schemaName(entity)}`,
    tag: 'Orders',
    summary: `Move the state of an ${words}`,
    parameters: [idOf(entity), actionOf(entity)],
    responses: {
      200: answer('The new state.', schemaRef('StateMachineState')),
      ...refused({400: 'illegalTransition', ...FOR_BEARERS}),
    },
  }
}

function moveGenerically(entity: MachineName): Operation {
  const data = schemaRef('StateMachineState')
  return {
    ...move(entity),
    operationId: `moveStateOf${schemaName(entity)}`,
    summary: `Move the state of an ${entity.replaceAll('_', ' ')}, by its state machine`,
    responses: {
      200: answer('The new state.', {type: 'object', required: ['data'], properties: {data}}),
      ...refused({400: 'illegalTransition', ...FOR_BEARERS, 415: 'unsupportedType'}),
    },
  }
}

function list(entity: MachineName): Operation {
  const text = {type: 'string'}
  const names = ['name', 'technicalName', 'actionName', 'fromStateName', 'toStateName', 'url']
  const one = {type: 'object', properties: Object.fromEntries(names.map(name => [name, text]))}
  const transitions = {type: 'array', items: one}
  return {
    operationId: `listTransitionsOf${schemaName(entity)}`,
    tag: 'Orders',
    summary: `List what the state of an ${entity.replaceAll('_', ' ')} allows`,
    parameters: [idOf(entity)],
    responses: {
      200: answer('What may come next.', {type: 'object', properties: {transitions}}),
      ...refused({400: 'illegalTransition', ...FOR_BEARERS}),
    },
  }
}

function idOf(entity: MachineName): Json {
  return idParameter('id', `Of the ${entity.replaceAll('_', ' ')}.`, EXAMPLES[entity].id)
}

function actionOf(entity: MachineName): Json {
  const {action: example} = EXAMPLES[entity]
  const schema = {type: 'string', enum: Object.keys(STATE_MACHINES[entity].targets)}
  return {name: 'action', in: 'path', required: true, description: 'What is to be done.', schema, example}
}
