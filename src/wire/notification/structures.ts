/** How one member of a payload is taken: its type, or the structure it holds. */
export type MemberRule =
  | {readonly type: 'string'; readonly maxLength?: number; readonly nullable?: boolean}
  | {readonly type: 'bool'}
  | {readonly type: 'array'}
  | {readonly type: 'struct'; readonly struct: Struct}

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
    links: LIST,
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
    amount: defineNested(`${V1}\\Resource\\Amount`, {total: STRING, currency: STRING}),
    createTime: STRING,
    updateTime: STRING,
    links: LIST,
  },
}

const PAYMENT: Struct['members'] = {
  id: STRING,
  status: STRING,
  customId: {type: 'string', nullable: true},
  invoiceId: {type: 'string', nullable: true, maxLength: 127},
  noteToPayer: {type: 'string', nullable: true, maxLength: 255},
  createTime: STRING,
  updateTime: STRING,
  links: LIST,
}

/** The v2 structures by `resource_type`. @see protocol.md §4.3 "Resource class choice" */
export const V2_RESOURCES: ReadonlyMap<string, Struct> = new Map([
  [
    'authorization',
    {className: `${V2}\\Authorization`, members: {...PAYMENT, amount: defineMoney(`${V2}\\Amount`)}},
  ],
  [
    'capture',
    {
      className: `${V2}\\Capture`,
      members: {...PAYMENT, amount: defineMoney(`${V2}\\Amount`), finalCapture: BOOL},
    },
  ],
  [
    'refund',
    {
      className: `${V2}\\Refund`,
      members: {
        ...PAYMENT,
        amount: defineMoney(`${V2}\\Amount`),
        sellerPayableBreakdown: defineNested(`${V2}\\Refund\\SellerPayableBreakdown`, {
          totalRefundedAmount: defineMoney(`${V2}\\Refund\\SellerPayableBreakdown\\TotalRefundedAmount`),
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
    links: LIST,
  },
}
