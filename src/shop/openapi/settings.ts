import {FOR_BEARERS, refused} from './error-responses.js'
import {answer, body, type Json, type Operations} from './operation.js'

const PATH = '/api/_action/system-config'
const SETTINGS = {'SwagPayPal.settings.brandName': 'The bundled shop'}
const TEXTS = {type: 'object', additionalProperties: {type: ['string', 'null']}}
const REFUSED = refused({400: 'invalidSetting', ...FOR_BEARERS})
const SAVED = {description: 'Kept.'}

/** Settings of the shop. @see protocol.md §4.1 */
export function settingOperations(): Operations {
  const tag = 'About the shop'
  return {
    [`GET ${PATH}`]: {
      operationId: 'readSettings',
      tag,
      summary: 'Read settings',
      parameters: [
        query('domain', 'What their keys begin with.', {required: true, example: 'SwagPayPal.settings'}),
        salesChannel(),
        query('inherit', '`1` shows what holds for all where a sales channel has nothing of its own.'),
      ],
      responses: {200: answer('They, by whole key.', TEXTS, SETTINGS), ...REFUSED},
    },
    [`POST ${PATH}`]: {
      operationId: 'writeSettings',
      tag,
      summary: 'Write settings, or take them back by null',
      parameters: [salesChannel()],
      requestBody: body(TEXTS, {'One setting': SETTINGS}),
      responses: {204: SAVED, ...REFUSED},
    },
    [`POST ${PATH}/batch`]: {
      operationId: 'writeSettingsOfSeveral',
      tag,
      summary: 'Write settings of several sales channels',
      description: 'By id; `null` stands for all sales channels.',
      requestBody: body({type: 'object', additionalProperties: TEXTS}, {'For all': {null: SETTINGS}}),
      responses: {204: SAVED, ...REFUSED},
    },
  }
}

function salesChannel(): Json {
  return query('salesChannelId', 'Whose settings; those for all sales channels when it is left out.')
}

function query(name: string, description: string, more: Json = {}): Json {
  return {name, in: 'query', description, schema: {type: 'string'}, ...more}
}
