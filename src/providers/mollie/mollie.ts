import type {ProviderDefinition} from '../provider.js'

/**
 * Mollie's calls contain only the id of a payment. The shop then asks Mollie for the payment, so that a call carries no
 * state, no signature and no token. The response is 200 even where the payment's state does not allow the step.
 *
 * @see https://docs.mollie.com/reference/webhooks, `WebhookRoute` and `PaymentController` of the plugin's 5.4
 */
export const MOLLIE: ProviderDefinition = {
  name: 'mollie',
  displayName: 'Mollie',
  plugin: 'kiener/mollie-payments-plugin',
  route: '/api/mollie/webhook/{transaction}',
  otherRoutes: ['/mollie/webhook/{transaction}'],
  token: null,
  headers: ['content-type', 'content-encoding', 'accept', 'user-agent'],
  answers: {
    ...{wrongToken: null, emptyBody: null, invalid: [], afterToken: []},
    final: [
      'TRANSACTION_WITHOUT_ORDER',
      'TRANSACTION_WITHOUT_PAYMENT_METHOD',
      'TRANSACTION_WITHOUT_MOLLIE_PAYMENT',
      'ORDER_WITHOUT_STATE',
    ],
  },
  body: {
    format: 'form',
    id: 'id',
    idPattern: /^(tr|ord)_\w{1,64}$/,
    repeatsId: true,
    type: {idPrefixes: {tr_: 'payment.changed', ord_: 'order.changed'}},
    transaction: {in: 'route'},
    listedAddress: 'webhookUrl',
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
