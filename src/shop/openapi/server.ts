import type {ServerReport} from '../control/control.js'
import {FAULTS_PATH, STATUS_PATH} from '../control/path.js'
import {FAULT_KEYS} from '../faults/rule.js'
import {refused} from './error-responses.js'
import {answer, body, type Json, type Operation, type Operations} from './operation.js'

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
export function serverOperations(): Operations {
  return {
    [`GET ${STATUS_PATH}`]: {
      ...ofServer('serverStatus', 'Say what this server is, and what it holds'),
      responses: {
        200: answer('So it is.', {type: 'object'}, REPORT),
        ...refused({401: 'administratorsOnly'}),
      },
    },
    [`GET ${FAULTS_PATH}`]: {
      ...ofServer('listFaults', 'List the faults of this server'),
      responses: {200: rows('Its faults.'), ...refused({401: 'administratorsOnly'})},
    },
    [`POST ${FAULTS_PATH}`]: {
      ...ofServer('addFaults', 'Add faults: all of them, or none'),
      description: `A rule is key=value pairs with commas between. ${keys()}`,
      requestBody: body(
        {
          type: 'object',
          required: ['rules'],
          properties: {rules: {type: 'array', minItems: 1, items: {type: 'string'}}},
        },
        {'Two faults': RULES},
      ),
      responses: {
        200: rows('Those that were added.'),
        ...refused({400: 'invalidRule', 401: 'administratorsOnly'}),
      },
    },
    [`DELETE ${FAULTS_PATH}`]: {
      ...ofServer('clearFaults', 'Take all faults away'),
      responses: {204: {description: 'Gone.'}, ...refused({401: 'administratorsOnly'})},
    },
    [`DELETE ${FAULTS_PATH}/{id}`]: {
      ...ofServer('removeFault', 'Take one fault away'),
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
        ...refused({401: 'administratorsOnly', 404: 'noSuchFault'}),
      },
    },
  }
}

function ofServer(operationId: string, summary: string): Omit<Operation, 'responses'> {
  return {operationId, tag: 'This server', summary, security: ADMINISTRATORS}
}

function rows(description: string): Json {
  const number = {type: 'integer'}
  const row = {
    type: 'object',
    required: ['id', 'rule', 'seen', 'struck'],
    properties: {id: number, rule: {type: 'string'}, seen: number, struck: number},
  }
  const schema = {type: 'object', properties: {faults: {type: 'array', items: row}}}
  return answer(description, schema, {faults: [ROW]})
}

function keys(): string {
  return FAULT_KEYS.map(({key, takes, means}) => `\`${key}=\` ${takes}: ${means}`).join('; ')
}
