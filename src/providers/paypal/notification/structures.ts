import {
  BOOL,
  declareBy,
  defineNested,
  defineTexts,
  LIST,
  type MemberRule,
  markNullable,
  NULLABLE,
  STRING,
  type Struct,
} from './member-rules.js'
import {createPaymentSource} from './payment-source.js'

const API = 'Swag\\PayPal\\RestApi'
const V1 = `${API}\\V1\\Api\\Webhook`
const V1_COMMON = `${API}\\V1\\Api\\Common`
const V2 = `${API}\\V2\\Api\\Order\\PurchaseUnit\\Payments`
const V3 = `${API}\\V3\\Api\\PaymentToken`

/** The class of an amount of money. */
export const MONEY = `${API}\\V2\\Api\\Common\\Money`

const AMOUNT: MemberRule = defineNested(MONEY, {value: STRING, currencyCode: STRING})

function defineLinks(version: 'V1' | 'V2'): MemberRule {
  const members = {href: STRING, rel: STRING, method: STRING, encType: NULLABLE}
  return {
    type: 'structs',
    struct: {className: `${API}\\${version}\\Api\\Common\\Link`, members},
    collection: `${API}\\${version}\\Api\\Common\\LinkCollection`,
  }
}

const V1_LINKS = defineLinks('V1')
const LINKS = defineLinks('V2')

/** The envelope of every notification; its `resource` has one of the structures below. */
export const ENVELOPE: Struct = {
  className: V1,
  members: {
    id: STRING,
    resourceType: STRING,
    eventType: STRING,
    summary: STRING,
    createTime: STRING,
    eventVersion: STRING,
    resourceVersion: STRING,
    links: V1_LINKS,
  },
}

/** The v1 resource: a sale, or another type from before the v2 payments. */
export const V1_RESOURCE: Struct = {
  className: `${V1}\\Resource`,
  members: {
    ...defineTexts('id updateTime paymentMode createTime clearingTime protectionEligibilityType'),
    ...defineTexts('protectionEligibility invoiceNumber state'),
    ...defineTexts('parentPayment billingAgreementId saleId refundReasonCode merchantId', NULLABLE),
    amount: defineNested(`${V1_COMMON}\\Amount`, {
      ...defineTexts('total currency'),
      details: defineNested(
        `${V1_COMMON}\\Details`,
        defineTexts('subtotal shipping tax handlingFee shippingDiscount discount insurance'),
      ),
    }),
    transactionFee: defineNested(`${V1_COMMON}\\Value`, defineTexts('value currency')),
    links: V1_LINKS,
  },
}

/** The common members of a payment's structures. */
const PAYMENT = declareBy(`${V2}\\Payment`, {
  ...defineTexts('id status createTime updateTime'),
  ...markNullable({amount: AMOUNT}),
  customId: NULLABLE,
  links: LINKS,
})

/** Texts with a maximum length, in two of the three payment structures. */
const BOUNDED: Struct['members'] = {
  invoiceId: {type: 'string', nullable: true, maxLength: 127},
  noteToPayer: {type: 'string', nullable: true, maxLength: 255},
}

const PROTECTION: MemberRule = defineNested(`${V2}\\Common\\SellerProtection`, {
  status: STRING,
  disputeCategories: LIST,
})

const FEES: Struct['members'] = {grossAmount: AMOUNT, paypalFee: AMOUNT, netAmount: AMOUNT}

/** The v2 structures by `resource_type`. @see protocol.md §4.3 "Resource class choice" */
export const V2_RESOURCES: ReadonlyMap<string, Struct> = new Map([
  [
    'authorization',
    {
      className: `${V2}\\Authorization`,
      members: {...PAYMENT, sellerProtection: PROTECTION, expirationTime: STRING},
    },
  ],
  [
    'capture',
    {
      className: `${V2}\\Capture`,
      members: {
        ...PAYMENT,
        ...BOUNDED,
        finalCapture: BOOL,
        disbursementMode: STRING,
        sellerProtection: PROTECTION,
        sellerReceivableBreakdown: defineNested(`${V2}\\Capture\\SellerReceivableBreakdown`, FEES),
        processorResponse: defineNested(
          `${V2}\\Capture\\ProcessorResponse`,
          defineTexts('avsCode cvvCode responseCode', NULLABLE),
        ),
      },
    },
  ],
  [
    'refund',
    {
      className: `${V2}\\Refund`,
      members: {
        ...PAYMENT,
        ...BOUNDED,
        sellerPayableBreakdown: defineNested(`${V2}\\Refund\\SellerPayableBreakdown`, {
          ...FEES,
          totalRefundedAmount: AMOUNT,
        }),
      },
    },
  ],
])

const CUSTOMER = defineNested(`${API}\\V2\\Api\\Order\\PaymentSource\\Common\\Attributes\\Customer`, {
  id: STRING,
})

/** The stored payment method in the vault's notifications. */
export const PAYMENT_TOKEN: Struct = {
  className: V3,
  members: {
    ...defineTexts('id status'),
    ...markNullable({metadata: defineNested(`${V3}\\Metadata`, {orderId: STRING}), customer: CUSTOMER}),
    paymentSource: {type: 'struct', struct: createPaymentSource({customer: CUSTOMER, links: LINKS})},
    links: LINKS,
  },
}
