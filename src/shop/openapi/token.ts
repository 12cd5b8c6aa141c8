import {ADMINISTRATION_CLIENT, TokenRequest, TokenResponse} from '../../wire/token.js'
import {referToErrors} from './error-responses.js'
import {answer, buildRequestBody, FOR_EVERYBODY, FORM_TYPE, type Json, type Operations} from './operation.js'

const INTEGRATION = {grant_type: 'client_credentials', client_id: 'SWIA…', client_secret: '…'}
const PERSON = {grant_type: 'password', client_id: ADMINISTRATION_CLIENT, username: 'admin', password: '…'}
const AGAIN = {grant_type: 'refresh_token', client_id: ADMINISTRATION_CLIENT, refresh_token: 'def50200…'}

/** @see protocol.md §2 */
export function buildTokenOperations(): Operations {
  return {
    'POST /api/oauth/token': {
      operationId: 'token',
      tag: 'Access token',
      summary: 'Get an access token',
      description:
        'An integration signs in with its id and secret, which may also come by HTTP Basic; a person with user name ' +
        'and password. A token lasts ten minutes. Only a person gets a refresh token, which works once. ' +
        '`storectl server credentials` shows what there is to fill in.',
      requestBody: buildTokenBody(),
      responses: {
        200: answer('Signed in.', TokenResponse, {
          token_type: 'Bearer',
          expires_in: 600,
          access_token: 'eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9…',
        }),
        ...referToErrors({400: 'invalidGrant', 401: 'unknownClient', 429: 'throttled', 500: 'unknownPrefix'}),
      },
      security: FOR_EVERYBODY,
    },
    'POST /api/oauth/authorize': {
      operationId: 'authorize',
      tag: 'Access token',
      summary: 'Do nothing, for old callers',
      responses: {200: {description: 'Done. The answer is empty.'}},
      security: FOR_EVERYBODY,
    },
  }
}

const EXAMPLES = {'An integration': INTEGRATION, 'A person': PERSON, 'A person, once more': AGAIN}

function buildTokenBody(): Json {
  const json = buildRequestBody(TokenRequest, EXAMPLES)
  return {...json, content: {[FORM_TYPE]: {schema: buildTokenForm()}, ...(json.content as Json)}}
}

/** All grants in one, so that there is a field for each value. */
function buildTokenForm(): Json {
  // An empty example, or the page would fill in the word "string".
  const describeText = (description: string) => ({type: 'string', description, examples: ['']})
  const describeSecret = (description: string) => ({...describeText(description), format: 'password'})
  const grants = {type: 'string', enum: ['client_credentials', 'password', 'refresh_token']}
  return {
    type: 'object',
    required: ['grant_type', 'client_id'],
    properties: {
      grant_type: {...grants, default: 'client_credentials'},
      client_id: describeText(`Of the integration; for a person \`${ADMINISTRATION_CLIENT}\`.`),
      client_secret: describeSecret('Of the integration.'),
      username: describeText('Of a person.'),
      password: describeSecret('Of a person.'),
      refresh_token: describeText('The one that came with the last token.'),
      scope: describeText('Separated by spaces; needed by nobody.'),
    },
  }
}
