import {
  MALFORMED_BODY,
  NO_WEBHOOK_BODY,
  REFRESH_TOKEN_REVOKED,
  WEBHOOK_NOT_EXECUTED,
  WRONG_WEBHOOK_TOKEN,
} from '../../shopware/error-texts.js'
import {findFaults} from '../../wire/fulfillment-order/validate-order.js'
import {createExpectedUserError, createMissingPrivilegeError} from '../oauth/caller.js'
import {createUnknownKeyKindError} from '../oauth/clients.js'
import {
  createAccessDeniedError,
  createInvalidClientError,
  createInvalidCredentialsError,
  createInvalidParameterError,
  createInvalidRefreshTokenError,
  createUnsupportedGrantError,
} from '../oauth/oauth-errors.js'
import {createThrottledError} from '../oauth/throttle.js'
import {createUnknownEntityError} from '../rules/change-state.js'
import {
  createFieldErrors,
  createKeyReusedError,
  createReferenceConflictError,
  createTooLargeError,
} from '../rules/submit-order.js'
import {createNoSalesChannelError} from '../rules/webhook-registration.js'
import {
  createBlankViolation,
  createDanglingIdError,
  createInUseError,
  createViolationEntry,
  createWrongIntentError,
} from '../rules/write/violations.js'
import {createHttpError, createNothingThereError, createShopError, ShopError} from '../runtime/shop-error.js'
import {createLimitEntry, createUnmappedFieldError} from '../search/criteria/errors.js'
import {deriveExampleId, EXAMPLE_ORDER} from './examples.js'
import {JSON_TYPE, type Json, nameExamples, referToSchema} from './operation.js'

const FULFILLMENT_LIMIT_BYTES = 1024 * 1024

const WRONG_ORDER = {...EXAMPLE_ORDER, lines: [{sku: 'SW-1', quantity: 0}]}

/** Errors that operations share, with exactly the entries that the shop sends. */
const REFUSALS = {
  unauthorized: buildErrorResponse('Missing, invalid or expired access token (lifetime: 10 minutes).', {
    'No token': createAccessDeniedError('Missing "Authorization" header'),
    'Expired or forged': createAccessDeniedError('Access token could not be verified'),
  }),
  missingPrivilege: buildErrorResponse('The caller lacks a privilege.', {
    'Missing privilege': createMissingPrivilegeError(['customer:read']),
  }),
  invalidCriteria: buildErrorResponse('The criteria are not valid.', {
    'Malformed JSON': createHttpError(400, MALFORMED_BODY),
    'Unknown field': createUnmappedFieldError('foo', 'customer'),
    'Limit too large': new ShopError(400, [createLimitEntry(501, 500)]),
  }),
  unsupportedType: buildErrorResponse('`Accept` is missing, or names no available media type.', {
    'No Accept': createHttpError(415, 'All provided media types are unsupported. ()'),
  }),
  invalidGrant: buildErrorResponse('The grant is not valid.', {
    'Wrong user name or password': createInvalidCredentialsError(),
    'Unsupported grant': createUnsupportedGrantError(),
    'Missing field': createInvalidParameterError('username'),
  }),
  unknownClient: buildErrorResponse('Unknown client, wrong secret, or invalid refresh token.', {
    'Wrong id or secret': createInvalidClientError(undefined),
    'Refresh token used before': createInvalidRefreshTokenError(REFRESH_TOKEN_REVOKED),
  }),
  throttled: buildErrorResponse('Too many attempts; without `Retry-After`.', {
    'Wait 10 seconds': createThrottledError(10),
  }),
  unknownPrefix: buildErrorResponse('The client id has an unknown prefix.', {
    'Unknown prefix': createUnknownKeyKindError(),
  }),
  invalidOrder: buildErrorResponse('Invalid fields, all listed. Nothing was created.', {
    'Invalid field': createFieldErrors(findFaults(WRONG_ORDER, new Date(0))),
  }),
  referenceConflict: buildErrorResponse(
    'The reference belongs to an order with other content. Nothing was changed.',
    {
      'Reference conflict': createReferenceConflictError('EXAMPLE-1'),
    },
  ),
  orderTooLarge: buildErrorResponse('The order is larger than 1 MiB.', {
    'Too large': createTooLargeError(FULFILLMENT_LIMIT_BYTES),
  }),
  keyReused: buildErrorResponse('The `Idempotency-Key` was used for another order.', {
    'Key reused': createKeyReusedError('key-1'),
  }),
  webhookRefused: buildErrorResponse('Unknown token, missing body, or an event that cannot be applied.', {
    'Unknown token': createHttpError(400, WRONG_WEBHOOK_TOKEN),
    'No payload': createHttpError(400, NO_WEBHOOK_BODY),
    'Not applied': createHttpError(400, WEBHOOK_NOT_EXECUTED),
  }),
  webhookFailed: buildErrorResponse('The body is not an event, or the handler failed.', {
    'No event type': createHttpError(
      500,
      'Typed property Swag\\PayPal\\RestApi\\V1\\Api\\Webhook::$eventType must not be accessed before initialization',
    ),
  }),
  invalidValues: buildErrorResponse('Invalid values.', {
    'Missing field': new ShopError(400, [createViolationEntry(createBlankViolation(), '/0/email') as never]),
    'Unknown id': createWrongIntentError('customer', 'update'),
    'Id already exists': createWrongIntentError('customer', 'create'),
  }),
  notThere: buildErrorResponse('Not found.', {
    'Not found': createNothingThereError('customer', deriveExampleId('customer')),
  }),
  inUse: buildErrorResponse('Other entities refer to it.', {
    'In use': createInUseError('customer_group', {customer: 1}),
  }),
  danglingId: buildErrorResponse('A foreign key does not exist.', {
    'Unknown group': createDanglingIdError('customer', 'group_id'),
  }),
  illegalTransition: buildErrorResponse('Unknown id, or a transition that its state does not allow.', {
    'Unknown id': createUnknownEntityError('order', deriveExampleId('order')),
  }),
  unknownSalesChannel: buildErrorResponse('Unknown sales channel.', {
    'Unknown sales channel': createNoSalesChannelError(deriveExampleId('nothing')),
  }),
  invalidSetting: buildErrorResponse('Missing or invalid settings.', {
    'Not a string': createHttpError(400, 'The setting "SwagPayPal.settings.brandName" is not a string.'),
  }),
  peopleOnly: buildErrorResponse('The caller is an integration; only users are allowed.', {
    'An integration': createExpectedUserError(),
  }),
  noSuchFault: buildErrorResponse('Unknown fault.', {
    'Unknown fault': createShopError(404, 'STORECTL__NO_SUCH_FAULT', 'Unknown fault 9.', {
      parameters: {id: '9'},
    }),
  }),
  invalidRule: buildErrorResponse('Invalid rule; no rule was added.', {
    'Not a list': createShopError(400, 'STORECTL__FAULT_RULE', '"rules" must be a list of strings.'),
  }),
  administratorsOnly: buildErrorResponse('Requires the id and secret of an administrator’s integration.', {
    'Unknown caller': createShopError(
      401,
      'STORECTL__UNKNOWN_CALLER',
      "Requires the id and secret of the shop's own integration.",
    ),
  }),
} as const

export type Refusal = keyof typeof REFUSALS

/** For `components.responses`: the errors to which paths refer. */
export function buildErrorResponses(paths: Json): Record<string, Json> {
  const text = JSON.stringify(paths)
  return Object.fromEntries(
    Object.entries(REFUSALS).filter(([name]) => text.includes(`"${formatResponseRef(name)}"`)),
  )
}

const formatResponseRef = (name: string): string => `#/components/responses/${name}`

/** Errors by status, for an operation's `responses`. */
export function referToErrors(names: Readonly<Record<number, Refusal>>): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(names).map(([status, name]) => [status, {$ref: formatResponseRef(name)}]),
  )
}

/** Errors of every operation that needs a token. */
export const FOR_BEARERS = {401: 'unauthorized', 403: 'missingPrivilege'} as const

/** Errors of every read with criteria. */
export const REFUSED_READS = referToErrors({400: 'invalidCriteria', ...FOR_BEARERS, 415: 'unsupportedType'})

function buildErrorResponse(description: string, examples: Readonly<Record<string, ShopError>>): Json {
  const values = Object.entries(examples).map(([summary, {entries}]) => [summary, {errors: entries}])
  const content = {schema: referToSchema('Errors'), examples: nameExamples(Object.fromEntries(values))}
  return {description, content: {[JSON_TYPE]: content}}
}

/** Errors of a write besides those of its values. */
export const WRITE_REFUSED = {...FOR_BEARERS, 415: 'unsupportedType', 500: 'danglingId'} as const
