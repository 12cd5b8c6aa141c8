import {type Static, Type} from '@sinclair/typebox'

const Count = Type.Integer({minimum: 0})

/** Row counts of the shop. */
export const ShopCounts = Type.Object({
  customers: Count,
  orders: Count,
  fulfillmentOrders: Count,
  webhookDeliveries: Count,
  salesChannels: Count,
})
export type ShopCounts = Readonly<Static<typeof ShopCounts>>

/** The status of a running server. */
export const ServerReport = Type.Object({
  version: Type.String({description: 'Of the program that runs it'}),
  startedAt: Type.String({format: 'date-time', description: 'UTC'}),
  provider: Type.String(),
  tokenPrefix: Type.String(),
  counts: ShopCounts,
})
export type ServerReport = Readonly<Static<typeof ServerReport>>

/** A fault of a running server, in the same shape as commands print it. */
const FaultRow = Type.Object({
  id: Type.Integer(),
  rule: Type.String({description: 'As it was typed'}),
  matched: Type.Integer({description: 'Requests that it matched'}),
  injected: Type.Integer({description: 'Requests that it failed'}),
})
export type FaultRow = Readonly<Static<typeof FaultRow>>

export const FaultList = Type.Object({faults: Type.Array(FaultRow)})

export const FaultRules = Type.Object({rules: Type.Array(Type.String(), {minItems: 1})})
