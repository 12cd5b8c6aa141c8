import {Type} from '@sinclair/typebox'
import {listStepParameters} from './entity-parts.js'
import {FOR_BEARERS, referToErrors, WRITE_REFUSED} from './error-responses.js'
import {deriveExampleId, EXAMPLE_THINGS} from './examples.js'
import {buildEmptyResponse, buildIdParameter, buildRequestBody, type Operations} from './operation.js'

const PATH = '/api/{entity}/{id}/{association}'
const EXAMPLE_ID = deriveExampleId('address below a customer')
const OF_ONE = {path: `${PATH}/{associatedId}`, tag: 'Other entities'} as const

const describeBody = (example: object) =>
  buildRequestBody(Type.Object({}, {minProperties: 1}), {'An example': example})

/** Writes below a row, which also link the new row to it. @see real-shop.md §3, rule 2 */
export function buildBelowOperations(): Operations {
  const id = buildIdParameter('associatedId', 'Id of the associated entity.', EXAMPLE_ID)
  const parameters = [...listStepParameters(), id]
  const example = EXAMPLE_THINGS.customer_address
  const refused = referToErrors({400: 'invalidValues', ...WRITE_REFUSED})
  return {
    'POST /api/{entity}/{path}': {
      path: PATH,
      operationId: 'createAssociated',
      tag: 'Other entities',
      summary: 'Create an associated entity',
      description: "The same as the entity's own route, and the new entity belongs to the one in the path.",
      parameters: listStepParameters(),
      requestBody: describeBody({id: EXAMPLE_ID, ...example?.made}),
      responses: {204: buildEmptyResponse('Created.'), ...refused},
    },
    'PATCH /api/{entity}/{path}': {
      ...OF_ONE,
      operationId: 'updateAssociated',
      summary: 'Change an associated entity',
      description: 'Afterwards the entity belongs to the one in the path.',
      parameters,
      requestBody: describeBody(example?.changed ?? {}),
      responses: {204: buildEmptyResponse('Changed.'), ...refused},
    },
    'DELETE /api/{entity}/{path}': {
      ...OF_ONE,
      operationId: 'deleteAssociated',
      summary: 'Delete an associated entity',
      description: 'Of many to many, only the connection is deleted.',
      parameters,
      responses: {
        204: buildEmptyResponse('Deleted.'),
        ...referToErrors({...FOR_BEARERS, 404: 'notThere', 409: 'inUse', 415: 'unsupportedType'}),
      },
    },
  }
}
