import {BASE_IDS} from '../model/base-data.js'
import {FOR_BEARERS, referToErrors} from './error-responses.js'
import {CAPTURE_COMPLETED, DISPUTE_RESOLVED} from './examples.js'
import {
  type ApiOperation,
  answer,
  buildRequestBody,
  FOR_EVERYBODY,
  type Json,
  type Operations,
} from './operation.js'

const EXAMPLES = {
  'A type that changes nothing': DISPUTE_RESOLVED,
  'A payment of the example order (create that first)': CAPTURE_COMPLETED,
}

/** @see protocol.md §4 */
export function buildWebhookOperations(provider: string, tokenPrefix: string): Operations {
  const base = `/api/_action/${provider}/webhook`
  return {
    [`POST ${base}/execute`]: execute(tokenPrefix),
    [`GET ${base}/status/{salesChannelId}`]: buildRegistrationOperation(
      'webhookStatus',
      'Ask whether the provider sends notifications here',
      ['valid', 'invalid', 'missing'],
    ),
    [`POST ${base}/register/{salesChannelId}`]: buildRegistrationOperation(
      'registerWebhook',
      'Have the provider send notifications here',
      ['created', 'updated', 'nothing'],
    ),
    [`DELETE ${base}/deregister/{salesChannelId}`]: buildRegistrationOperation(
      'deregisterWebhook',
      'Have the provider send no notifications here',
      ['deleted', 'nothing'],
    ),
  }
}

function execute(tokenPrefix: string): ApiOperation {
  return {
    operationId: 'executeWebhook',
    tag: 'Payment webhook',
    summary: 'Take a notification of the payment provider',
    description:
      'Needs no access token: the one in the query guards it, which `storectl server credentials` shows. 200 says ' +
      'that the event was applied, or had been before, or is of a type that the shop does nothing about.',
    parameters: [
      {
        name: `${tokenPrefix}-token`,
        in: 'query',
        required: true,
        description: 'The webhook token of any sales channel; symbols in it and its case do not count.',
        schema: {type: 'string'},
      },
    ],
    requestBody: buildRequestBody(buildNotificationExample(), EXAMPLES),
    responses: {
      200: {description: 'Taken. The answer is empty.'},
      ...referToErrors({400: 'webhookRefused', 500: 'webhookFailed'}),
    },
    security: FOR_EVERYBODY,
  }
}

function buildNotificationExample(): Json {
  const text = {type: 'string'}
  return {
    type: 'object',
    required: ['event_type'],
    properties: {
      id: text,
      event_type: text,
      resource_type: text,
      resource_version: {type: 'string', enum: ['1.0', '2.0', '3.0'], default: '1.0'},
      summary: text,
      create_time: text,
      event_version: text,
      resource: {type: 'object'},
    },
  }
}

function buildRegistrationOperation(
  operationId: string,
  summary: string,
  results: readonly string[],
): ApiOperation {
  const result = {type: 'string', enum: results}
  return {
    operationId,
    tag: 'Payment webhook',
    summary,
    parameters: [
      {
        name: 'salesChannelId',
        in: 'path',
        required: true,
        description: '`null` stands for all sales channels that have no webhook of their own.',
        schema: {type: 'string', pattern: '^([0-9a-f]{32}|null)$'},
        examples: {all: {value: 'null'}, one: {value: BASE_IDS.salesChannel}},
      },
    ],
    responses: {
      200: answer('What is so now.', {type: 'object', required: ['result'], properties: {result}}),
      ...referToErrors({...FOR_BEARERS, 404: 'unknownSalesChannel'}),
    },
  }
}
