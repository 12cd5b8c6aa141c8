import {Type} from '@sinclair/typebox'
import {type MachineName, STATE_MACHINES} from '../../shopware/state-machines.js'
import {FulfillmentAnswer} from '../../wire/schemas/fulfillment-order.js'
import {TokenRequest, TokenResponse} from '../../wire/schemas/token.js'
import {
  Notification,
  WebhookDeregistered,
  WebhookRegistered,
  WebhookStatus,
} from '../../wire/schemas/webhook.js'
import {ADMINISTRATION_CLIENT} from '../oauth/clients.js'
import {BASE_IDS} from '../runtime/base-data.js'
import {convertToSchemaName} from './entity-schemas.js'
import {FOR_BEARERS, referToErrors} from './error-responses.js'
import {
  CAPTURE_COMPLETED,
  DISPUTE_RESOLVED,
  deriveExampleId,
  EXAMPLE_ORDER,
  EXAMPLE_TRANSACTION_ID,
} from './examples.js'
import {
  type ApiOperation,
  buildIdParameter,
  buildPathParameter,
  buildRequestBody,
  buildResponse,
  FOR_EVERYBODY,
  FORM_TYPE,
  type Json,
  type Operations,
  referToSchema,
} from './operation.js'

const GRANTS = {
  'An integration': {grant_type: 'client_credentials', client_id: 'SWIA…', client_secret: '…'},
  'A user': {grant_type: 'password', client_id: ADMINISTRATION_CLIENT, username: 'admin', password: '…'},
  'A user, with a refresh token': {
    grant_type: 'refresh_token',
    client_id: ADMINISTRATION_CLIENT,
    refresh_token: 'def50200…',
  },
}

/** @see protocol.md §2 */
export function buildTokenOperations(): Operations {
  const {content, ...body} = buildRequestBody(TokenRequest, GRANTS)
  return {
    'POST /api/oauth/token': {
      operationId: 'token',
      tag: 'Access token',
      summary: 'Get an access token',
      description:
        'An integration signs in with its id and secret, in the body or by HTTP Basic. A user signs in with user name ' +
        'and password. A token expires after 10 minutes. Only a user gets a refresh token; it works once. ' +
        '`storectl server credentials` prints all credentials.',
      requestBody: {...body, content: {[FORM_TYPE]: {schema: buildTokenForm()}, ...(content as Json)}},
      responses: {
        200: buildResponse('Signed in.', TokenResponse, {
          token_type: 'Bearer',
          expires_in: 600,
          access_token: 'eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9…',
        }),
        ...referToErrors({400: 'invalidGrant', 401: 'unknownClient', 429: 'throttled', 500: 'unknownPrefix'}),
      },
      security: FOR_EVERYBODY,
    },
  }
}

/** All grants in one schema, so that the form has a field for each value. */
function buildTokenForm(): Json {
  const grants = TokenRequest.anyOf.map(({properties}) => properties.grant_type.const)
  // An empty example; without one the page would fill in the word "string".
  const describeText = (description: string) => ({type: 'string', description, examples: ['']})
  const describeSecret = (description: string) => ({...describeText(description), format: 'password'})
  return {
    type: 'object',
    required: ['grant_type', 'client_id'],
    properties: {
      grant_type: {type: 'string', enum: grants, default: grants[0]},
      client_id: describeText(`Id of the integration; \`${ADMINISTRATION_CLIENT}\` for a user.`),
      client_secret: describeSecret('Secret of the integration.'),
      username: describeText('User name.'),
      password: describeSecret('Password of the user.'),
      refresh_token: describeText('Refresh token of the last response.'),
      scope: describeText('Scopes, separated by spaces; optional.'),
    },
  }
}

/** @see protocol.md §4 */
export function buildWebhookOperations(provider: string, tokenPrefix: string): Operations {
  const base = `/api/_action/${provider}/webhook`
  return {
    [`POST ${base}/execute`]: {
      operationId: 'executeWebhook',
      tag: 'Payment webhook',
      summary: 'Receive an event of the payment provider',
      description:
        'Needs no access token, but the webhook token in the query; `storectl server credentials` prints it. ' +
        '200 means that the event was applied now or earlier, or that its type has no handler.',
      parameters: [
        {
          name: `${tokenPrefix}-token`,
          in: 'query',
          required: true,
          description: 'Webhook token of any sales channel; case and symbols are ignored.',
          schema: {type: 'string'},
        },
      ],
      requestBody: buildRequestBody(Notification, {
        'A type without a handler': DISPUTE_RESOLVED,
        'A payment of the example order (create it first)': CAPTURE_COMPLETED,
      }),
      responses: {
        200: {description: 'Accepted; no body.'},
        ...referToErrors({400: 'webhookRefused', 500: 'webhookFailed'}),
      },
      security: FOR_EVERYBODY,
    },
    [`GET ${base}/status/{salesChannelId}`]: describeRegistration(
      'webhookStatus',
      'Check the registration at the provider',
      WebhookStatus,
      referToErrors(FOR_BEARERS),
    ),
    [`POST ${base}/register/{salesChannelId}`]: describeRegistration(
      'registerWebhook',
      'Register the webhook at the provider',
      WebhookRegistered,
    ),
    [`DELETE ${base}/deregister/{salesChannelId}`]: describeRegistration(
      'deregisterWebhook',
      'Unregister the webhook at the provider',
      WebhookDeregistered,
    ),
  }
}

function describeRegistration(
  operationId: string,
  summary: string,
  result: typeof WebhookStatus | typeof WebhookRegistered | typeof WebhookDeregistered,
  refused = referToErrors({...FOR_BEARERS, 404: 'unknownSalesChannel'}),
): ApiOperation {
  const channel = buildPathParameter(
    'salesChannelId',
    '`null`: all sales channels without a webhook of their own.',
    {type: 'string', pattern: '^([0-9a-f]{32}|null)$'},
    {examples: {all: {value: 'null'}, one: {value: BASE_IDS.salesChannel}}},
  )
  return {
    operationId,
    tag: 'Payment webhook',
    summary,
    parameters: [channel],
    responses: {
      200: buildResponse('The result.', Type.Object({result})),
      ...refused,
    },
  }
}

/** @see fulfillment-order.md */
export function buildFulfillmentOperations(): Operations {
  const {reference, orderNumber = null} = EXAMPLE_ORDER
  const example: FulfillmentAnswer = {
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
  return {
    'POST /api/fulfillment/order': {
      operationId: 'submitFulfillmentOrder',
      tag: 'Fulfillment orders',
      summary: 'Submit an order, exactly once',
      description:
        'A repeated reference with the same content gets the first response and creates nothing. With different ' +
        'content it is refused. Unknown fields are errors.',
      parameters: [
        {
          name: 'Idempotency-Key',
          in: 'header',
          description: 'Unique key of the order, chosen by the caller.',
          schema: {type: 'string'},
        },
      ],
      requestBody: buildRequestBody(referToSchema('FulfillmentOrderRequest'), {
        'Two lines, express': EXAMPLE_ORDER,
      }),
      responses: {
        200: {
          ...buildResponse('Accepted now or earlier.', FulfillmentAnswer, example),
          headers: {
            'Idempotency-Replayed': {
              description: 'Set if the order was accepted earlier.',
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

const MOVES: Readonly<Record<MachineName, {id: string; action: string}>> = {
  order: {id: deriveExampleId('order'), action: 'process'},
  order_delivery: {id: deriveExampleId('delivery of the order'), action: 'ship'},
  order_transaction: {id: EXAMPLE_TRANSACTION_ID, action: 'paid'},
}

/** @see protocol.md §5.3 */
export function buildTransitionOperations(): Operations {
  const machines = Object.keys(STATE_MACHINES) as MachineName[]
  return Object.assign({}, ...machines.map(describeTransitions))
}

function describeTransitions(entity: MachineName): Operations {
  const generic = `/api/_action/state-machine/${entity}/{id}/state`
  const [words, name] = [entity.replaceAll('_', ' '), convertToSchemaName(entity)]
  const id = buildIdParameter('id', `Id of the ${words}.`, MOVES[entity].id)
  const actions = {type: 'string', enum: Object.keys(STATE_MACHINES[entity].targets)}
  const action = buildPathParameter('action', 'Transition to make.', actions, {
    example: MOVES[entity].action,
  })
  const state = referToSchema('StateMachineState')
  const refused = {400: 'illegalTransition', ...FOR_BEARERS} as const
  return {
    [`POST /api/_action/${entity}/{id}/state/{action}`]: {
      operationId: `move${name}`,
      tag: 'Orders',
      summary: `Change the state of an ${words}`,
      parameters: [id, action],
      responses: {200: buildResponse('The new state.', state), ...referToErrors(refused)},
    },
    [`POST ${generic}/{action}`]: {
      operationId: `moveStateOf${name}`,
      tag: 'Orders',
      summary: `Change the state of an ${words} through its state machine`,
      parameters: [id, action],
      responses: {
        200: buildResponse('The new state.', Type.Object({data: Type.Unsafe(state)})),
        ...referToErrors({...refused, 415: 'unsupportedType'}),
      },
    },
    [`GET ${generic}`]: {
      operationId: `listTransitionsOf${name}`,
      tag: 'Orders',
      summary: `List the transitions of an ${words}`,
      parameters: [id],
      responses: {200: buildResponse('The possible transitions.', Transitions), ...referToErrors(refused)},
    },
  }
}

const MEMBERS = ['name', 'technicalName', 'actionName', 'fromStateName', 'toStateName', 'url']
const Transition = Type.Object(Object.fromEntries(MEMBERS.map(name => [name, Type.String()])))
const Transitions = Type.Object({transitions: Type.Array(Transition)})
