import {FAULTS_PATH, type ServerReport, STATUS_PATH} from '../control/control.js'
import {FAULT_KEYS} from '../faults/rule.js'
import {FOR_BEARERS, referToErrors} from './error-responses.js'
import {
  type ApiOperation,
  answer,
  buildRequestBody,
  FOR_EVERYBODY,
  type Json,
  type Operations,
} from './operation.js'

/** The schemes of `components.securitySchemes` that these are for. */
const ADMINISTRATORS = [{server: []}]

const RULES = {rules: ['route=webhook,status=503,count=3', 'route=order,latency=2s,rate=5%']}
const REPORT: ServerReport = {
  version: '0.2.0',
  startedAt: '2026-03-01T08:00:00.000Z',
  provider: 'paypal',
  tokenPrefix: 'sw',
  counts: {customers: 1000, orders: 200, fulfillmentOrders: 0, webhookDeliveries: 0, salesChannels: 1},
}

const ROW = {id: 1, rule: RULES.rules[0], seen: 0, struck: 0}

/** What belongs to the server itself, and to no shop. */
export function buildServerOperations(): Operations {
  return {
    [`GET ${STATUS_PATH}`]: {
      ...buildServerOperation('serverStatus', 'Say what this server is, and what it holds'),
      responses: {
        200: answer('So it is.', {type: 'object'}, REPORT),
        ...referToErrors({401: 'administratorsOnly'}),
      },
    },
    [`GET ${FAULTS_PATH}`]: {
      ...buildServerOperation('listFaults', 'List the faults of this server'),
      responses: {200: buildRowsResponse('Its faults.'), ...referToErrors({401: 'administratorsOnly'})},
    },
    [`POST ${FAULTS_PATH}`]: {
      ...buildServerOperation('addFaults', 'Add faults: all of them, or none'),
      description: `A rule is key=value pairs with commas between. ${buildKeysDescription()}`,
      requestBody: buildRequestBody(
        {
          type: 'object',
          required: ['rules'],
          properties: {rules: {type: 'array', minItems: 1, items: {type: 'string'}}},
        },
        {'Two faults': RULES},
      ),
      responses: {
        200: buildRowsResponse('Those that were added.'),
        ...referToErrors({400: 'invalidRule', 401: 'administratorsOnly'}),
      },
    },
    [`DELETE ${FAULTS_PATH}`]: {
      ...buildServerOperation('clearFaults', 'Take all faults away'),
      responses: {204: {description: 'Gone.'}, ...referToErrors({401: 'administratorsOnly'})},
    },
    [`DELETE ${FAULTS_PATH}/{id}`]: {
      ...buildServerOperation('removeFault', 'Take one fault away'),
      parameters: [
        {
          name: 'id',
          in: 'path',
          required: true,
          description: 'As the list has it.',
          schema: {type: 'integer', minimum: 1},
          example: 1,
        },
      ],
      responses: {
        204: {description: 'Gone.'},
        ...referToErrors({401: 'administratorsOnly', 404: 'noSuchFault'}),
      },
    },
  }
}

function buildServerOperation(operationId: string, summary: string): Omit<ApiOperation, 'responses'> {
  return {operationId, tag: 'This server', summary, security: ADMINISTRATORS}
}

function buildRowsResponse(description: string): Json {
  const number = {type: 'integer'}
  const row = {
    type: 'object',
    required: ['id', 'rule', 'seen', 'struck'],
    properties: {id: number, rule: {type: 'string'}, seen: number, struck: number},
  }
  const schema = {type: 'object', properties: {faults: {type: 'array', items: row}}}
  return answer(description, schema, {faults: [ROW]})
}

function buildKeysDescription(): string {
  return FAULT_KEYS.map(({key, takes, means}) => `\`${key}=\` ${takes}: ${means}`).join('; ')
}

const OBJECT = {type: 'object'}
const LIST = {type: 'array', items: OBJECT}

/** @see protocol.md §1.7 */
export function buildInfoOperations(): Operations {
  const version = {type: 'object', required: ['version'], properties: {version: {type: 'string'}}}
  const endpoints = {type: 'object', properties: {endpoints: LIST}}
  return {
    'GET /api/_info/version': buildInfoOperation('version', 'Say the version', version),
    'GET /api/v1/_info/version': buildInfoOperation(
      'versionByOldPath',
      'Say the version, at its old path',
      version,
    ),
    'GET /api/_info/config': buildInfoOperation('config', 'Say how the shop is set up', OBJECT),
    'GET /api/_info/health-check': {
      operationId: 'healthCheck',
      tag: 'About the shop',
      summary: 'Say that the shop lives',
      responses: {200: {description: 'It lives. The answer is empty.'}},
      security: FOR_EVERYBODY,
    },
    'GET /api/_info/routes': buildInfoOperation('routes', 'List all paths with their methods', endpoints),
    'GET /api/_info/entity-schema.json': buildInfoOperation(
      'entitySchema',
      'Describe entities, for forms',
      OBJECT,
    ),
    'GET /api/_info/open-api-schema.json': buildInfoOperation(
      'openApiSchema',
      'Describe entities as JSON schemas',
      OBJECT,
    ),
    'GET /api/_info/openapi3.json': buildInfoOperation('openApi', 'Give this document', OBJECT),
    'GET /api/_info/events.json': buildInfoOperation('events', 'List business events: none', LIST),
    'GET /api/_info/flow-actions.json': buildInfoOperation(
      'flowActions',
      'List actions of flows: none',
      LIST,
    ),
    'GET /api/_info/queue.json': buildInfoOperation('queue', 'List message queues: none', LIST),
    ...buildAccessKeyOperations(),
  }
}

const KEYS = {
  intergration: 'an integration',
  user: 'a user',
  'sales-channel': 'a sales channel',
  'product-export': 'a product export',
}

function buildAccessKeyOperations(): Operations {
  const text = {type: 'string'}
  const schema = {
    type: 'object',
    required: ['accessKey'],
    properties: {accessKey: text, secretAccessKey: text},
  }
  const each = Object.entries(KEYS).map(([kind, words]) => {
    const operation: ApiOperation = {
      operationId: `newAccessKeyFor-${kind}`,
      tag: 'Users and integrations',
      summary: `Make up an access key for ${words}`,
      description: 'Nothing is kept of it.',
      responses: {
        200: answer('A key, and a secret where there is one.', schema),
        ...referToErrors(FOR_BEARERS),
      },
    }
    return [`GET /api/_action/access-key/${kind}`, operation]
  })
  return Object.fromEntries(each)
}

function buildInfoOperation(operationId: string, summary: string, schema: Json): ApiOperation {
  return {
    operationId,
    tag: 'About the shop',
    summary,
    responses: {200: answer('So it is.', schema), ...referToErrors({401: 'unauthorized'})},
  }
}

const PATH = '/api/_action/system-config'
const SETTINGS = {'SwagPayPal.settings.brandName': 'The bundled shop'}
const TEXTS = {type: 'object', additionalProperties: {type: ['string', 'null']}}
const REFUSED = referToErrors({400: 'invalidSetting', ...FOR_BEARERS})
const SAVED = {description: 'Kept.'}

/** Settings of the shop. @see protocol.md §4.1 */
export function buildSettingOperations(): Operations {
  const tag = 'About the shop'
  return {
    [`GET ${PATH}`]: {
      operationId: 'readSettings',
      tag,
      summary: 'Read settings',
      parameters: [
        query('domain', 'What their keys begin with.', {required: true, example: 'SwagPayPal.settings'}),
        buildSalesChannelParameter(),
        query('inherit', '`1` shows what holds for all where a sales channel has nothing of its own.'),
      ],
      responses: {200: answer('They, by whole key.', TEXTS, SETTINGS), ...REFUSED},
    },
    [`POST ${PATH}`]: {
      operationId: 'writeSettings',
      tag,
      summary: 'Write settings, or take them back by null',
      parameters: [buildSalesChannelParameter()],
      requestBody: buildRequestBody(TEXTS, {'One setting': SETTINGS}),
      responses: {204: SAVED, ...REFUSED},
    },
    [`POST ${PATH}/batch`]: {
      operationId: 'writeSettingsOfSeveral',
      tag,
      summary: 'Write settings of several sales channels',
      description: 'By id; `null` stands for all sales channels.',
      requestBody: buildRequestBody(
        {type: 'object', additionalProperties: TEXTS},
        {'For all': {null: SETTINGS}},
      ),
      responses: {204: SAVED, ...REFUSED},
    },
  }
}

function buildSalesChannelParameter(): Json {
  return query('salesChannelId', 'Whose settings; those for all sales channels when it is left out.')
}

function query(name: string, description: string, more: Json = {}): Json {
  return {name, in: 'query', description, schema: {type: 'string'}, ...more}
}
