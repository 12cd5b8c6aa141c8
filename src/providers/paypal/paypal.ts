import {
  MALFORMED_BODY,
  NO_WEBHOOK_BODY,
  WEBHOOK_NOT_EXECUTED,
  WRONG_WEBHOOK_TOKEN,
} from '../../shopware/error-texts.js'
import type {ProviderDefinition} from '../provider.js'
import {PROVIDER_ORDER_FIELD, PROVIDER_PAYMENT_FIELD, WEBHOOK_HANDLERS} from './notification/handlers.js'

/** PayPal with the plugin SwagPayPal. @see protocol.md §4 */
export const PAYPAL: ProviderDefinition = {
  name: 'paypal',
  displayName: 'PayPal',
  plugin: 'swag/{provider}',
  route: '/api/_action/{provider}/webhook/execute',
  token: {in: 'query', name: '{prefix}-token'},
  headers: ['paypal-*', 'content-type', 'content-encoding', 'accept', 'user-agent', 'correlation-id'],
  answers: {
    wrongToken: WRONG_WEBHOOK_TOKEN,
    emptyBody: NO_WEBHOOK_BODY,
    invalid: [NO_WEBHOOK_BODY, MALFORMED_BODY],
    final: [],
    afterToken: [NO_WEBHOOK_BODY, WEBHOOK_NOT_EXECUTED],
  },
  body: {
    format: 'json',
    id: 'id',
    type: 'event_type',
    createdAt: 'create_time',
    resourceType: 'resource_type',
    resourceVersion: 'resource_version',
    payer: listPayers(),
    transaction: {in: 'body', member: 'resource.custom_id'},
    listOnly: ['status', 'transmissions'],
  },
  log: {channel: 'paypal', label: '[PayPal Webhook]'},
  types: Object.fromEntries(
    WEBHOOK_HANDLERS.map(({eventType, needs}) => [eventType, {effect: 'rules', needs}]),
  ),
  sampleIds: [
    'WH-58D329510W468432D-8HN650336L201105X',
    'WH-6SA34813406280445-6M160383LS6155516',
    'WH-2WR32451HC0233532-67976317FL4543714',
    'WH-COC11055RA711503B-4YM959094A144403T',
    'WH-0G2756385H040842W-5Y612302CV158622M',
    'WH-82L71649W50323023-5WC64761VS637831A',
    'WH-1GE84257G0350133W-6RW800890C634293G',
  ],
  signature: {
    headers: {
      transmissionId: 'paypal-transmission-id',
      transmissionTime: 'paypal-transmission-time',
      signature: 'paypal-transmission-sig',
      certificateUrl: 'paypal-cert-url',
      algorithm: 'paypal-auth-algo',
    },
    certificateHosts: [
      ['api.paypal.com', 'api-m.paypal.com'],
      ['api.sandbox.paypal.com', 'api-m.sandbox.paypal.com'],
    ],
  },
  registration: {
    viewer: 'swag_paypal.viewer',
    editor: 'swag_paypal.editor',
    path: '/api/_action/{provider}/webhook',
    settings: 'SwagPayPal.settings',
    tokenKey: 'webhookExecuteToken',
    webhookIdKey: 'webhookId',
  },
  api: {live: 'https://api-m.paypal.com', sandbox: 'https://api-m.sandbox.paypal.com'},
  payment: {
    orderField: PROVIDER_ORDER_FIELD,
    paymentField: PROVIDER_PAYMENT_FIELD,
    resourceField: 'swag_paypal_resource_id',
    instructionsField: 'swag_paypal_pui_payment_instruction',
    reportPrivilege: 'swag_paypal_transaction_report:create',
    invoiceMethod: 'swag_paypal_pui',
    invoiceHandler: /PUIHandler$/,
  },
}

/** In orders, subscriptions, stored payment methods, and v1 payments. */
function listPayers(): string[] {
  const at = (member: string) => {
    const path = `resource.${member}`
    const name = `${path}.name.given_name ${path}.name.surname`
    return [`${path}.email_address`, `${path}.payer_id`, `${path}.account_id`, name]
  }
  const first = 'resource.payer.payer_info'
  const ofFirst = [`${first}.email`, `${first}.payer_id`, `${first}.first_name ${first}.last_name`]
  return [...['payer', 'subscriber', 'payment_source.paypal'].flatMap(at), ...ofFirst, 'resource.customer.id']
}
