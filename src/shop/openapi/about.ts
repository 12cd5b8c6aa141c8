import {FOR_BEARERS, refused} from './error-responses.js'
import {answer, FOR_EVERYBODY, type Json, type Operation, type Operations} from './operation.js'

const OBJECT = {type: 'object'}
const LIST = {type: 'array', items: OBJECT}

/** @see protocol.md §1.7 */
export function aboutOperations(): Operations {
  const version = {type: 'object', required: ['version'], properties: {version: {type: 'string'}}}
  const endpoints = {type: 'object', properties: {endpoints: LIST}}
  return {
    'GET /api/_info/version': about('version', 'Say the version', version),
    'GET /api/v1/_info/version': about('versionByOldPath', 'Say the version, at its old path', version),
    'GET /api/_info/config': about('config', 'Say how the shop is set up', OBJECT),
    'GET /api/_info/health-check': {
      operationId: 'healthCheck',
      tag: 'About the shop',
      summary: 'Say that the shop lives',
      responses: {200: {description: 'It lives. The answer is empty.'}},
      security: FOR_EVERYBODY,
    },
    'GET /api/_info/routes': about('routes', 'List all paths with their methods', endpoints),
    'GET /api/_info/entity-schema.json': about('entitySchema', 'Describe entities, for forms', OBJECT),
    'GET /api/_info/open-api-schema.json': about(
      'openApiSchema',
      'Describe entities as JSON schemas',
      OBJECT,
    ),
    'GET /api/_info/openapi3.json': about('openApi', 'Give this document', OBJECT),
    'GET /api/_info/events.json': about('events', 'List business events: none', LIST),
    'GET /api/_info/flow-actions.json': about('flowActions', 'List actions of flows: none', LIST),
    'GET /api/_info/queue.json': about('queue', 'List message queues: none', LIST),
    ...accessKeyOperations(),
  }
}

const KEYS = {
  intergration: 'an integration',
  user: 'a user',
  'sales-channel': 'a sales channel',
  'product-export': 'a product export',
}

function accessKeyOperations(): Operations {
  const text = {type: 'string'}
  const schema = {
    type: 'object',
    required: ['accessKey'],
    properties: {accessKey: text, secretAccessKey: text},
  }
  const each = Object.entries(KEYS).map(([kind, words]) => {
    const operation: Operation = {
      operationId: `newAccessKeyFor-${kind}`,
      tag: 'Users and integrations',
      summary: `Make up an access key for ${words}`,
      description: 'Nothing is kept of it.',
      responses: {200: answer('A key, and a secret where there is one.', schema), ...refused(FOR_BEARERS)},
    }
    return [`GET /api/_action/access-key/${kind}`, operation]
  })
  return Object.fromEntries(each)
}

function about(operationId: string, summary: string, schema: Json): Operation {
  return {
    operationId,
    tag: 'About the shop',
    summary,
    responses: {200: answer('So it is.', schema), ...refused({401: 'unauthorized'})},
  }
}
