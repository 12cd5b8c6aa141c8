import {FulfillmentOrderSchema} from '../../wire/fulfillment-order/fulfillment-order.js'
import {type MachineName, STATE_MACHINES} from '../../wire/state-machines.js'
import {convertToSchemaName} from './component-schemas.js'
import {FOR_BEARERS, referToErrors} from './error-responses.js'
import {deriveExampleId, EXAMPLE_TRANSACTION_ID} from './example-entities.js'
import {EXAMPLE_ORDER} from './examples.js'
import {
  type ApiOperation,
  answer,
  buildIdParameter,
  buildRequestBody,
  type Json,
  type Operations,
  referToSchema,
} from './operation.js'

const {reference, orderNumber = null} = EXAMPLE_ORDER

const ANSWER = {
  id: deriveExampleId('fulfillment_order'),
  reference,
  orderNumber,
  status: 'received',
  createdAt: '2026-03-01T08:00:00.000+00:00',
  lines: EXAMPLE_ORDER.lines.map(({sku, quantity}, index) => ({
    reference: String(index + 1),
    sku,
    quantity,
    status: 'received',
  })),
  apiAlias: 'fulfillment_order',
}

/** @see fulfillment-order.md */
export function buildFulfillmentOperations(): Operations {
  return {
    'POST /api/fulfillment/order': {
      operationId: 'submitFulfillmentOrder',
      tag: 'Fulfillment orders',
      summary: 'Submit an order, exactly once',
      description:
        'The same reference with the same content is answered as the first time, and nothing is made; with other ' +
        'content it is refused. A field that is not named here is an error.',
      parameters: [
        {
          name: 'Idempotency-Key',
          in: 'header',
          description: 'One for each order, at the caller’s choice.',
          schema: {type: 'string'},
        },
      ],
      requestBody: buildRequestBody(referToSchema('FulfillmentOrderRequest'), {
        'Two lines, express': EXAMPLE_ORDER,
      }),
      responses: {
        200: {
          ...answer('Taken, now or before.', answerSchema(), ANSWER),
          headers: {
            'Idempotency-Replayed': {
              description: 'There when the order had been taken before.',
              schema: {type: 'string', const: 'true'},
            },
          },
        },
        ...referToErrors({
          400: 'invalidOrder',
          ...FOR_BEARERS,
          409: 'referenceConflict',
          413: 'orderTooLarge',
          422: 'keyReused',
        }),
      },
    },
  }
}

/** For `components.schemas`. */
export const FULFILLMENT_SCHEMAS = {FulfillmentOrderRequest: FulfillmentOrderSchema}

function answerSchema(): Json {
  const text = {type: 'string'}
  const line = {
    type: 'object',
    required: ['reference', 'sku', 'quantity', 'status'],
    properties: {reference: text, sku: text, quantity: {type: 'integer'}, status: {const: 'received'}},
  }
  const properties = {
    id: text,
    reference: text,
    orderNumber: {type: ['string', 'null']},
    status: {type: 'string', enum: ['received', 'on_hold']},
    createdAt: {type: 'string', format: 'date-time'},
    lines: {type: 'array', items: line},
    apiAlias: {const: 'fulfillment_order'},
  }
  return {type: 'object', required: Object.keys(properties), properties}
}

const EXAMPLES: Readonly<Record<MachineName, {id: string; action: string}>> = {
  order: {id: deriveExampleId('order'), action: 'process'},
  order_delivery: {id: deriveExampleId('delivery of the order'), action: 'ship'},
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

function move(entity: MachineName): ApiOperation {
  const words = entity.replaceAll('_', ' ')
  return {
    operationId: `move${convertToSchemaName(entity)}`,
    tag: 'Orders',
    summary: `Move the state of an ${words}`,
    parameters: [buildOrderIdParameter(entity), buildActionParameter(entity)],
    responses: {
      200: answer('The new state.', referToSchema('StateMachineState')),
      ...referToErrors({400: 'illegalTransition', ...FOR_BEARERS}),
    },
  }
}

function moveGenerically(entity: MachineName): ApiOperation {
  const data = referToSchema('StateMachineState')
  return {
    ...move(entity),
    operationId: `moveStateOf${convertToSchemaName(entity)}`,
    summary: `Move the state of an ${entity.replaceAll('_', ' ')}, by its state machine`,
    responses: {
      200: answer('The new state.', {type: 'object', required: ['data'], properties: {data}}),
      ...referToErrors({400: 'illegalTransition', ...FOR_BEARERS, 415: 'unsupportedType'}),
    },
  }
}

function list(entity: MachineName): ApiOperation {
  const text = {type: 'string'}
  const names = ['name', 'technicalName', 'actionName', 'fromStateName', 'toStateName', 'url']
  const one = {type: 'object', properties: Object.fromEntries(names.map(name => [name, text]))}
  const transitions = {type: 'array', items: one}
  return {
    operationId: `listTransitionsOf${convertToSchemaName(entity)}`,
    tag: 'Orders',
    summary: `List what the state of an ${entity.replaceAll('_', ' ')} allows`,
    parameters: [buildOrderIdParameter(entity)],
    responses: {
      200: answer('What may come next.', {type: 'object', properties: {transitions}}),
      ...referToErrors({400: 'illegalTransition', ...FOR_BEARERS}),
    },
  }
}

function buildOrderIdParameter(entity: MachineName): Json {
  return buildIdParameter('id', `Of the ${entity.replaceAll('_', ' ')}.`, EXAMPLES[entity].id)
}

function buildActionParameter(entity: MachineName): Json {
  const {action: example} = EXAMPLES[entity]
  const schema = {type: 'string', enum: Object.keys(STATE_MACHINES[entity].targets)}
  return {name: 'action', in: 'path', required: true, description: 'What is to be done.', schema, example}
}
