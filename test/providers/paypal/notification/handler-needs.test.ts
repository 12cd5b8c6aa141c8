import {expect, test} from 'vitest'
import {
  findHandler,
  PROVIDER_ORDER_FIELD,
  PROVIDER_PAYMENT_FIELD,
} from '../../../../src/providers/paypal/notification/handlers.js'
import {findEventType, listEventTypes} from '../../../../src/providers/providers.js'

const V2 = 'resource_version = "2.0"'
const ID = 'resource.custom_id'
const REFUND = [V2, 'resource_type = "refund"', ID, 'resource.seller_payable_breakdown.total_refunded_amount']
const VAULT = ['resource_version = "3.0"', 'resource_type = "payment_token"']

test.each<[string, string, string, readonly string[]]>([
  [
    'PAYMENT.CAPTURE.COMPLETED',
    'capture',
    'nothing',
    [V2, 'resource_type = "capture"', ID, 'resource.final_capture'],
  ],
  ['PAYMENT.CAPTURE.DENIED', 'capture', 'nothing', [V2, 'resource_type = "capture"', ID]],
  ['PAYMENT.CAPTURE.REFUNDED', 'refund', 'order', REFUND],
  ['PAYMENT.CAPTURE.REVERSED', 'refund', 'order', REFUND],
  [
    ...(['PAYMENT.AUTHORIZATION.VOIDED', 'v1 authorization', 'nothing'] as const),
    [`resource.parent_payment, or ${V2}, resource_type = "authorization" and ${ID}`],
  ],
  ['PAYMENT.SALE.COMPLETED', 'v1', 'nothing', ['resource.parent_payment']],
  ['PAYMENT.SALE.DENIED', 'v1', 'nothing', ['resource.parent_payment']],
  ['PAYMENT.SALE.REFUNDED', 'v1', 'sale', ['resource.parent_payment', 'resource.sale_id']],
  ['VAULT.PAYMENT-TOKEN.CREATED', 'payment-token', 'nothing', [...VAULT, 'resource.metadata.order_id']],
  ['VAULT.PAYMENT-TOKEN.DELETED', 'payment-token', 'nothing', VAULT],
])(
  '%s is about a %s, asks the provider for %s, and a person is told what it needs',
  (type, resources, asks, needs) => {
    const handler = findHandler(type)
    expect(handler).toMatchObject({resources: resources.split(' '), asks, needs})
    expect(findEventType({type, traits: {}})).toEqual({effect: 'rules', needs})
    expect(listEventTypes()).toContain(type)
  },
)

test("the plugin's custom fields are where shops have the provider's ids", () => {
  expect([PROVIDER_ORDER_FIELD, PROVIDER_PAYMENT_FIELD]).toEqual([
    'swag_paypal_order_id',
    'swag_paypal_transaction_id',
  ])
})
