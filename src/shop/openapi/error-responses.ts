import {findFaults} from '../../wire/fulfillment-order/validate-order.js'
import {
  accessDenied,
  invalidClient,
  invalidCredentials,
  invalidParameter,
  invalidRefreshToken,
  unsupportedGrant,
} from '../oauth/oauth-errors.js'
import {throttled} from '../oauth/throttle.js'
import {fieldErrors, keyReused, referenceConflict, tooLarge} from '../rules/submit-order.js'
import {
  blank,
  danglingId,
  inUse,
  nothingThere,
  violationEntry,
  wrongIntent,
} from '../rules/write/violations.js'
import {httpError, ShopError, shopError} from '../runtime/shop-error.js'
import {unmappedField} from '../search/criteria/errors.js'
import {exampleId} from './example-entities.js'
import {EXAMPLE_ORDER} from './examples.js'
import {JSON_TYPE, type Json, named, schemaRef} from './operation.js'

const FULFILLMENT_LIMIT_BYTES = 1024 * 1024

/** Nothing in it depends on the time. */
const WRONG_ORDER = {...EXAMPLE_ORDER, lines: [{sku: 'SW-1', quantity: 0}]}

const missingPrivilege = shopError(
  403,
  'FRAMEWORK__MISSING_PRIVILEGE_ERROR',
  '{"message":"Missing privilege","missingPrivileges":["customer:read"]}',
)

/** Refusals that operations share, with the very entries that the shop sends. */
const REFUSALS = {
  unauthorized: refusal('No token, or one that is not valid: it lasts ten minutes.', {
    'No token': accessDenied('Missing "Authorization" header'),
    'Expired or forged': accessDenied('Access token could not be verified'),
  }),
  missingPrivilege: refusal('The caller lacks a privilege.', {'Missing privilege': missingPrivilege}),
  invalidCriteria: refusal('The criteria are not valid.', {
    'Malformed JSON': httpError(400, 'The JSON payload is malformed.'),
    'Unknown field': unmappedField('foo', 'customer'),
    'Limit too large': new ShopError(400, [
      {
        status: '400',
        code: 'FRAMEWORK__QUERY_LIMIT_EXCEEDED',
        title: 'Bad Request',
        detail: 'The limit must be lower than or equal to MAX_LIMIT(=500). Given: 501',
        source: {pointer: '/limit'},
        meta: {parameters: {maxLimit: 500, limit: 501}},
      },
    ]),
  }),
  unsupportedType: refusal('`Accept` names nothing that there is; it has to be sent.', {
    'No Accept': httpError(415, 'All provided media types are unsupported. ()'),
  }),
  invalidGrant: refusal('The grant is not valid.', {
    'Wrong user name or password': invalidCredentials(),
    'No such grant': unsupportedGrant(),
    'A field is missing': invalidParameter('username'),
  }),
  unknownClient: refusal('The client or its secret, or the refresh token, is not known.', {
    'Wrong id or secret': invalidClient(undefined),
    'Refresh token used before': invalidRefreshToken('Token has been revoked'),
  }),
  throttled: refusal('Too many attempts; there is no `Retry-After`.', {'Wait 10 seconds': throttled(10)}),
  unknownPrefix: refusal('The client id has no prefix that the shop knows.', {
    'Unknown prefix': shopError(
      500,
      'FRAMEWORK__API_INVALID_ACCESS_KEY',
      'Access key is invalid and could not be identified.',
    ),
  }),
  invalidOrder: refusal('Fields are not valid: all of them at once. Nothing was created.', {
    'Invalid field': fieldErrors(findFaults(WRONG_ORDER, new Date(0))),
  }),
  referenceConflict: refusal('The reference belongs to an order with other content. Nothing was changed.', {
    'Reference conflict': referenceConflict('EXAMPLE-1'),
  }),
  orderTooLarge: refusal('The order is larger than 1 MiB.', {'Too large': tooLarge(FULFILLMENT_LIMIT_BYTES)}),
  keyReused: refusal('The `Idempotency-Key` was used for another order.', {'Key reused': keyReused('key-1')}),
  webhookRefused: refusal('The token is not known, there was no payload, or the event cannot be applied.', {
    'Unknown token': httpError(400, 'Shopware token is invalid'),
    'No payload': httpError(400, 'No webhook data sent'),
    'Not applied': httpError(400, 'An error occurred during execution of webhook'),
  }),
  webhookFailed: refusal('The payload does not have the form of an event, or the handler failed.', {
    'No event type': httpError(
      500,
      'Typed property Swag\\PayPal\\RestApi\\V1\\Api\\Webhook::$eventType must not be accessed before initialization',
    ),
  }),
  invalidValues: refusal('Values are not valid.', {
    'Missing field': new ShopError(400, [violationEntry(blank(), '/0/email') as never]),
    'Nothing to change': wrongIntent('customer', 'update'),
    'Id is taken': wrongIntent('customer', 'create'),
  }),
  notThere: refusal('There is no such thing.', {
    'Not there': nothingThere('customer', exampleId('customer')),
  }),
  inUse: refusal('Other things need it.', {'In use': inUse('customer_group', {customer: 1})}),
  danglingId: refusal('An id leads to nothing.', {
    'No such group': danglingId('customer', 'group_id'),
  }),
  illegalTransition: refusal('There is no such thing, or its state does not allow the action.', {
    'Unknown id': shopError(
      400,
      'SYSTEM__STATE_MACHINE_INVALID_ENTITY_ID',
      `Unable to read entity "order" with id "${exampleId('order')}".`,
      {parameters: {entityName: 'order', entityId: exampleId('order')}},
    ),
  }),
  unknownSalesChannel: refusal('There is no such sales channel.', {
    'Unknown sales channel': shopError(
      404,
      'SYSTEM__SALES_CHANNEL_NOT_FOUND',
      `Could not find sales channel with id "${exampleId('nothing')}"`,
      {parameters: {entity: 'sales channel', field: 'id', value: exampleId('nothing')}},
    ),
  }),
  invalidSetting: refusal('Something is missing, or is no setting.', {
    'No text': httpError(
      400,
      'The setting "SwagPayPal.settings.brandName" is no text, and only texts are kept here.',
    ),
  }),
  noSuchFault: refusal('There is no such fault.', {
    'No such fault': shopError(404, 'STORECTL__NO_SUCH_FAULT', 'There is no fault 9.', {
      parameters: {id: '9'},
    }),
  }),
  invalidRule: refusal('A rule is not valid; none was added.', {
    'Not a list': shopError(400, 'STORECTL__FAULT_RULE', 'A list of texts is expected in "rules".'),
  }),
  administratorsOnly: refusal('Id and secret of an administrator’s integration are needed.', {
    'Unknown caller': shopError(
      401,
      'STORECTL__UNKNOWN_CALLER',
      "The id and secret of the shop's own integration are needed.",
    ),
  }),
} as const

export type Refusal = keyof typeof REFUSALS

/** For `components.responses`: those that the paths name. */
export function refusalResponses(paths: Json): Record<string, Json> {
  const text = JSON.stringify(paths)
  return Object.fromEntries(Object.entries(REFUSALS).filter(([name]) => text.includes(`"${place(name)}"`)))
}

const place = (name: string): string => `#/components/responses/${name}`

/** Refusals by status, as an operation lists them. */
export function refused(names: Readonly<Record<number, Refusal>>): Record<string, Json> {
  return Object.fromEntries(Object.entries(names).map(([status, name]) => [status, {$ref: place(name)}]))
}

/** What every operation for a bearer may answer. */
export const FOR_BEARERS = {401: 'unauthorized', 403: 'missingPrivilege'} as const

function refusal(description: string, examples: Readonly<Record<string, ShopError>>): Json {
  const values = Object.entries(examples).map(([summary, {entries}]) => [summary, {errors: entries}])
  const content = {schema: schemaRef('Errors'), examples: named(Object.fromEntries(values))}
  return {description, content: {[JSON_TYPE]: content}}
}
