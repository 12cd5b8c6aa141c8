/** What a caller's idempotency key stands for, for ever. Orders themselves are an entity. */
export interface FulfillmentTables {
  fulfillment_key: {
    idempotency_key: string
    /** SHA-256 of the content that it was first used with. */
    content_hash: string
  }
}
