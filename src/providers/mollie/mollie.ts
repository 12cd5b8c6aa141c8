import type {ProviderDefinition} from '../provider.js'

/**
 * Mollie calls with nothing but the id of a payment. The shop then asks Mollie for the payment, so that a call carries no
 * state, no signature and no token.
 *
 * @see https://docs.mollie.com/reference/webhooks, the plugin's route `api.mollie.webhook`
 */
export const MOLLIE: ProviderDefinition = {
  name: 'mollie',
  displayName: 'Mollie',
  plugin: 'kiener/mollie-payments-plugin',
  route: '/api/mollie/webhook/{transaction}',
  token: null,
  headers: ['content-type', 'content-encoding', 'accept', 'user-agent'],
  answers: {wrongToken: null, emptyBody: null, invalid: [], afterToken: []},
  body: {
    format: 'form',
    id: 'id',
    idPattern: /^(tr|ord)_\w{1,64}$/,
    repeatsId: true,
    type: {idPrefixes: {tr_: 'payment.changed', ord_: 'order.changed'}},
    transaction: {in: 'route'},
  },
  types: {
    'payment.changed': {effect: 'provider-decides'},
    'order.changed': {effect: 'provider-decides'},
  },
  sampleIds: [],
  signature: null,
  registration: null,
  api: null,
  payment: null,
}
