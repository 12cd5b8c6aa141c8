import {type Static, Type} from '@sinclair/typebox'
import {allowNull, allowOnly} from './allow.js'

const Text = (maxLength: number, minLength = 1) => Type.String({minLength, maxLength})
const strict = {additionalProperties: false} as const

const UnitPrice = Type.Object(
  {
    amount: Type.String({pattern: '^(0|[1-9]\\d{0,14})(\\.\\d{1,6})?$', description: 'Decimal string'}),
    currency: Type.String({pattern: '^[A-Z]{3}$', description: 'ISO 4217'}),
  },
  strict,
)

const Line = Type.Object(
  {
    sku: Text(64),
    quantity: Type.Integer({minimum: 1, maximum: 1_000_000}),
    reference: Type.Optional(Text(64)),
    unitPrice: Type.Optional(UnitPrice),
  },
  strict,
)

const ShipTo = Type.Object(
  {
    name: Text(100),
    company: Type.Optional(Text(100)),
    street: Text(100),
    additionalLine: Type.Optional(Text(100)),
    postalCode: Type.Optional(Text(16)),
    city: Text(100),
    state: Type.Optional(Text(100)),
    country: Type.String({pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2'}),
    email: Type.Optional(Text(254)),
    phone: Type.Optional(Text(40)),
  },
  strict,
)

/**
 * A fulfillment order as it is posted, for types and for the published description. `findFaults` decides: it also
 * checks calendars, lists of codes and unique references, which a schema cannot express.
 *
 * @see fulfillment-order.md "Request"
 */
export const FulfillmentOrderSchema = Type.Object(
  {
    reference: Type.String({pattern: '^[A-Za-z0-9._:-]{1,64}$', description: "The caller's own key"}),
    orderNumber: Type.Optional(Text(64)),
    orderDate: Type.Optional(Type.String({format: 'date-time'})),
    lines: Type.Array(Line, {minItems: 1, maxItems: 1000}),
    shipTo: ShipTo,
    shippingMethod: Type.Optional(allowOnly(['standard', 'express', 'priority', 'pickup'])),
    shipNotBefore: Type.Optional(Type.String({format: 'date'})),
    hold: Type.Optional(Type.Boolean()),
    fillPolicy: Type.Optional(allowOnly(['all-or-nothing', 'what-is-available'])),
    note: Type.Optional(Text(500, 0)),
    customFields: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  strict,
)

/** An order as it is posted, without defaults filled in. */
export type FulfillmentOrder = Static<typeof FulfillmentOrderSchema>

export type FulfillmentLine = FulfillmentOrder['lines'][number]

/** The shop's response. @see fulfillment-order.md "Response, 200" */
export const FulfillmentAnswer = Type.Object({
  id: Type.String(),
  reference: Type.String(),
  orderNumber: allowNull(Type.String()),
  status: allowOnly(['received', 'on_hold']),
  createdAt: Type.String({format: 'date-time', description: 'RFC 3339 with milliseconds and `+00:00`'}),
  lines: Type.Array(
    Type.Object({
      reference: Type.String(),
      sku: Type.String(),
      quantity: Type.Integer(),
      status: Type.Literal('received'),
    }),
  ),
  apiAlias: Type.Literal('fulfillment_order'),
})
export type FulfillmentAnswer = Static<typeof FulfillmentAnswer>
