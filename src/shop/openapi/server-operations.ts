import {Type} from '@sinclair/typebox'
import {FAULTS_PATH, STATUS_PATH} from '../../wire/control-paths.js'
import {FaultList, FaultRules, ServerReport} from '../../wire/schemas/server.js'
import {FAULT_KEYS} from '../faults/parse.js'
import {FOR_BEARERS, referToErrors} from './error-responses.js'
import {
  type ApiOperation,
  buildPathParameter,
  buildRequestBody,
  buildResponse,
  FOR_EVERYBODY,
  type Json,
  type Operations,
} from './operation.js'

const RULES = {rules: ['route=webhook,status=503,count=3', 'route=order,latency=2s,rate=5%']}
const REPORT: ServerReport = {
  version: '0.2.0',
  startedAt: '2026-03-01T08:00:00.000Z',
  provider: 'paypal',
  tokenPrefix: 'sw',
  counts: {customers: 1000, orders: 200, fulfillmentOrders: 0, webhookDeliveries: 0, salesChannels: 1},
}
const FAULTS = {faults: [{id: 1, rule: RULES.rules[0], matched: 0, injected: 0}]}
const GONE = {204: {description: 'Removed.'}}
const REFUSED = {401: 'administratorsOnly'} as const

/** Operations of the bundled server itself, which no real shop has. */
export function buildServerOperations(): Operations {
  const own = {tag: 'This server', security: [{server: []}]} as const
  const refused = referToErrors(REFUSED)
  return {
    [`GET ${STATUS_PATH}`]: {
      ...own,
      operationId: 'serverStatus',
      summary: 'Show version, start time and row counts',
      responses: {200: buildResponse('The status.', ServerReport, REPORT), ...refused},
    },
    [`GET ${FAULTS_PATH}`]: {
      ...own,
      operationId: 'listFaults',
      summary: 'List fault injection rules',
      responses: {200: buildResponse('The rules.', FaultList, FAULTS), ...refused},
    },
    [`POST ${FAULTS_PATH}`]: {
      ...own,
      operationId: 'addFaults',
      summary: 'Add fault injection rules, all or none',
      description: `A rule is a comma-separated list of key=value pairs. ${listFaultKeys()}`,
      requestBody: buildRequestBody(FaultRules, {'Two rules': RULES}),
      responses: {
        200: buildResponse('The added rules.', FaultList, FAULTS),
        ...referToErrors({400: 'invalidRule', ...REFUSED}),
      },
    },
    [`DELETE ${FAULTS_PATH}`]: {
      ...own,
      operationId: 'clearFaults',
      summary: 'Remove all fault injection rules',
      responses: {...GONE, ...refused},
    },
    [`DELETE ${FAULTS_PATH}/{id}`]: {
      ...own,
      operationId: 'removeFault',
      summary: 'Remove a fault injection rule',
      parameters: [buildPathParameter('id', 'Id of the rule.', {type: 'integer', minimum: 1}, {example: 1})],
      responses: {...GONE, ...referToErrors({...REFUSED, 404: 'noSuchFault'})},
    },
  }
}

function listFaultKeys(): string {
  return FAULT_KEYS.map(({key, takes, means}) => `\`${key}=\` ${takes}: ${means}`).join('; ')
}

const Anything = Type.Object({})
const List = Type.Array(Anything)
const Version = Type.Object({version: Type.String()})

/** By path below `/api`: the operation's id, its summary and its response. */
const INFO: Readonly<Record<string, readonly [string, string, Json]>> = {
  '_info/version': ['version', 'Get the version', Version],
  'v1/_info/version': ['versionByOldPath', 'Get the version (old path)', Version],
  '_info/config': ['config', 'Get the configuration', Anything],
  '_info/routes': ['routes', 'List all paths with their methods', Type.Object({endpoints: List})],
  '_info/entity-schema.json': ['entitySchema', 'Get the entity schema', Anything],
  '_info/open-api-schema.json': ['openApiSchema', 'Get the entities as JSON Schema', Anything],
  '_info/openapi3.json': ['openApi', 'Get this document', Anything],
  '_info/events.json': ['events', 'List business events (always empty)', List],
  '_info/flow-actions.json': ['flowActions', 'List flow actions (always empty)', List],
  '_info/queue.json': ['queue', 'List message queues (always empty)', List],
}

const KEYS = {
  intergration: 'an integration',
  user: 'a user',
  'sales-channel': 'a sales channel',
  'product-export': 'a product export',
}

const AccessKey = Type.Object({accessKey: Type.String(), secretAccessKey: Type.Optional(Type.String())})

/** @see protocol.md §1.7 */
export function buildInfoOperations(): Operations {
  const infos = Object.entries(INFO).map(([path, [operationId, summary, schema]]): [string, ApiOperation] => [
    `GET /api/${path}`,
    {
      operationId,
      tag: 'About the shop',
      summary,
      responses: {200: buildResponse('Success.', schema), ...referToErrors({401: 'unauthorized'})},
    },
  ])
  const keys = Object.entries(KEYS).map(([kind, words]): [string, ApiOperation] => [
    `GET /api/_action/access-key/${kind}`,
    {
      operationId: `newAccessKeyFor-${kind}`,
      tag: 'Users and integrations',
      summary: `Generate an access key for ${words}`,
      description: 'The key is not stored.',
      responses: {
        200: buildResponse('The key, with its secret if it has one.', AccessKey),
        ...referToErrors(FOR_BEARERS),
      },
    },
  ])
  const health: ApiOperation = {
    operationId: 'healthCheck',
    tag: 'About the shop',
    summary: 'Check that the shop responds',
    responses: {200: {description: 'Healthy; no body.'}},
    security: FOR_EVERYBODY,
  }
  return {
    ...Object.fromEntries(infos),
    'GET /api/_info/health-check': health,
    'GET /api/_info/me': describePersonal('me', 'Get the current user', {
      200: buildResponse('The user.', Type.Object({data: Anything})),
    }),
    'GET /api/_info/ping': describePersonal('ping', 'Check that a user is signed in', {
      204: {description: 'Signed in.'},
    }),
    ...Object.fromEntries(keys),
  }
}

/** Operations for users only. */
function describePersonal(
  operationId: string,
  summary: string,
  success: ApiOperation['responses'],
): ApiOperation {
  return {
    operationId,
    tag: 'About the shop',
    summary,
    responses: {...success, ...referToErrors({401: 'unauthorized', 403: 'peopleOnly'})},
    security: [{administrator: []}],
  }
}

const SETTINGS = {'SwagPayPal.settings.brandName': 'The bundled shop'}
const Settings = {type: 'object', additionalProperties: {type: ['string', 'null']}}

/** Settings of the shop. @see protocol.md §4.1 */
export function buildSettingOperations(): Operations {
  const path = '/api/_action/system-config'
  const tag = 'About the shop'
  const refused = referToErrors({400: 'invalidSetting', ...FOR_BEARERS})
  const saved = {204: {description: 'Saved.'}, ...refused}
  const channel = describeQuery(
    'salesChannelId',
    'Sales channel; without it, the settings for all sales channels.',
  )
  const domain = describeQuery('domain', 'Prefix of the keys.', {
    required: true,
    example: 'SwagPayPal.settings',
  })
  return {
    [`GET ${path}`]: {
      operationId: 'readSettings',
      tag,
      summary: 'Read settings',
      parameters: [
        domain,
        channel,
        describeQuery('inherit', '`1` includes the settings for all sales channels.'),
      ],
      responses: {200: buildResponse('The settings, by full key.', Settings, SETTINGS), ...refused},
    },
    [`GET ${path}/check`]: {
      operationId: 'checkSettings',
      tag,
      summary: 'Ask whether a domain has settings',
      parameters: [domain],
      responses: {200: buildResponse('The answer.', {type: 'boolean'}, true), ...refused},
    },
    [`POST ${path}`]: {
      operationId: 'writeSettings',
      tag,
      summary: 'Write settings; null removes one',
      parameters: [channel],
      requestBody: buildRequestBody(Settings, {'One setting': SETTINGS}),
      responses: saved,
    },
    [`POST ${path}/batch`]: {
      operationId: 'writeSettingsOfSeveral',
      tag,
      summary: 'Write settings of several sales channels',
      description: 'By sales channel id; `null` means all sales channels.',
      requestBody: buildRequestBody(
        {type: 'object', additionalProperties: Settings},
        {'For all': {null: SETTINGS}},
      ),
      responses: saved,
    },
  }
}

function describeQuery(name: string, description: string, more: Json = {}): Json {
  return {name, in: 'query', description, schema: {type: 'string'}, ...more}
}
