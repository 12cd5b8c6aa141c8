import {FulfillmentOrderSchema} from '../../wire/fulfillment-order/fulfillment-order.js'
import {FOR_BEARERS, refused} from './error-responses.js'
import {exampleId} from './example-entities.js'
import {EXAMPLE_ORDER} from './example-order.js'
import {answer, body, type Json, type Operations, schemaRef} from './operation.js'

const {reference, orderNumber = null} = EXAMPLE_ORDER

const ANSWER = {
  id: exampleId('fulfillment_order'),
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
export function fulfillmentOperations(): Operations {
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
      requestBody: body(schemaRef('FulfillmentOrderRequest'), {'Two lines, express': EXAMPLE_ORDER}),
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
        ...refused({
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
