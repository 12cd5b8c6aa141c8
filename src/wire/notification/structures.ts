/** How one member of a payload is taken: its type, or the structure it holds. */
export type MemberRule =
  | {readonly type: 'string'; readonly maxLength?: number; readonly nullable?: boolean}
  | {readonly type: 'bool'}
  | {readonly type: 'array'}
  | {readonly type: 'struct'; readonly struct: Struct}
  /** A list of such structures. */
  | {readonly type: 'structs'; readonly struct: Struct}

/** A structure of the receiver, by the class name that its error texts carry. */
export interface Struct {
  readonly className: string
  readonly members: Readonly<Record<string, MemberRule>>
}

const STRING: MemberRule = {type: 'string'}
const BOOL: MemberRule = {type: 'bool'}
const LIST: MemberRule = {type: 'array'}
const V1 = 'Swag\\PayPal\\RestApi\\V1\\Api\\Webhook'
const V2 = 'Swag\\PayPal\\RestApi\\V2\\Api\\Order\\PurchaseUnit\\Payments'
const V3 = 'Swag\\PayPal\\RestApi\\V3\\Api\\PaymentToken'

function defineNested(className: string, members: Struct['members']): MemberRule {
  return {type: 'struct', struct: {className, members}}
}

function defineMoney(className: string): MemberRule {
  return defineNested(className, {value: STRING, currencyCode: STRING})
}

const LINKS: MemberRule = {
  type: 'structs',
  struct: {
    className: 'Swag\\PayPal\\RestApi\\V2\\Api\\Common\\Link',
    members: {href: STRING, rel: STRING, method: STRING, encType: STRING},
  },
}

/** The envelope of every notification; its `resource` is taken by one of the structures below. */
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
    links: LINKS,
  },
}

/** The v1 resource: a sale or what was built before the v2 payments. */
export const V1_RESOURCE: Struct = {
  className: `${V1}\\Resource`,
  members: {
    id: STRING,
    parentPayment: {type: 'string', nullable: true},
    saleId: {type: 'string', nullable: true},
    state: STRING,
    amount: defineNested(`${V1}\\Resource\\Amount`, {
      total: STRING,
      currency: STRING,
      details: defineNested(`${V1}\\Resource\\Amount\\Details`, {
        subtotal: STRING,
        shipping: STRING,
        tax: STRING,
      }),
    }),
    invoiceNumber: STRING,
    transactionFee: defineNested(`${V1}\\Resource\\TransactionFee`, {value: STRING, currency: STRING}),
    createTime: STRING,
    updateTime: STRING,
    links: LINKS,
  },
}

/** What a payment's structures have in common; two of three hold texts to a length. */
function describePayment(isBounded: boolean): Struct['members'] {
  const text = (maxLength: number): MemberRule =>
    isBounded ? {type: 'string', nullable: true, maxLength} : {type: 'string', nullable: true}
  return {
    id: STRING,
    status: STRING,
    amount: defineMoney(`${V2}\\Amount`),
    customId: {type: 'string', nullable: true},
    invoiceId: text(127),
    noteToPayer: text(255),
    createTime: STRING,
    updateTime: STRING,
    links: LINKS,
  }
}

const PROTECTION: MemberRule = defineNested(`${V2}\\Authorization\\SellerProtection`, {
  status: STRING,
  disputeCategories: LIST,
})

const RECEIVABLE = `${V2}\\Capture\\SellerReceivableBreakdown`
const PAYABLE = `${V2}\\Refund\\SellerPayableBreakdown`

/** The v2 structures by `resource_type`. @see protocol.md §4.3 "Resource class choice" */
export const V2_RESOURCES: ReadonlyMap<string, Struct> = new Map([
  [
    'authorization',
    {
      className: `${V2}\\Authorization`,
      members: {...describePayment(false), sellerProtection: PROTECTION, expirationTime: STRING},
    },
  ],
  [
    'capture',
    {
      className: `${V2}\\Capture`,
      members: {
        ...describePayment(true),
        finalCapture: BOOL,
        disbursementMode: STRING,
        sellerProtection: PROTECTION,
        sellerReceivableBreakdown: defineNested(RECEIVABLE, {
          grossAmount: defineMoney(`${RECEIVABLE}\\GrossAmount`),
          paypalFee: defineMoney(`${RECEIVABLE}\\PaypalFee`),
          netAmount: defineMoney(`${RECEIVABLE}\\NetAmount`),
        }),
        processorResponse: defineNested(`${V2}\\Capture\\ProcessorResponse`, {
          avsCode: STRING,
          cvvCode: STRING,
          responseCode: STRING,
          paymentAdviceCode: STRING,
        }),
      },
    },
  ],
  [
    'refund',
    {
      className: `${V2}\\Refund`,
      members: {
        ...describePayment(true),
        sellerPayableBreakdown: defineNested(PAYABLE, {
          grossAmount: defineMoney(`${PAYABLE}\\GrossAmount`),
          paypalFee: defineMoney(`${PAYABLE}\\PaypalFee`),
          netAmount: defineMoney(`${PAYABLE}\\NetAmount`),
          totalRefundedAmount: defineMoney(`${PAYABLE}\\TotalRefundedAmount`),
        }),
      },
    },
  ],
])

/** The stored way to pay that the vault's notifications tell of. */
export const PAYMENT_TOKEN: Struct = {
  className: V3,
  members: {
    id: STRING,
    metadata: defineNested(`${V3}\\Metadata`, {orderId: {type: 'string', nullable: true}}),
    customer: defineNested(`${V3}\\Customer`, {id: STRING}),
    paymentSource: defineNested(`${V3}\\PaymentSource`, {}),
    links: LINKS,
  },
}
