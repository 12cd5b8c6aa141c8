/** A notification as it arrived and as it was answered; its bytes lie in `webhook_delivery_content`. */
export interface WebhookDeliveryRow {
  /** UUIDv7 of its arrival: later deliveries have larger ids. */
  id: string
  /** ISO 8601, UTC. */
  received_at: string
  status: number
  /** The provider's id of the event; the same for every attempt. */
  event_id: string | null
  event_type: string | null
  /** The provider's own time, as the body says it. */
  event_created_at: string | null
  /** The order transaction it names or that was found by it, known to the shop or not. */
  transaction_id: string | null
  /** Why it was answered so, for operators; never on the wire. */
  reason: string
  size_bytes: number
}

/** What is looked at one delivery at a time; apart, so that lists stay narrow. */
export interface WebhookDeliveryContentRow {
  id: string
  path: string
  /** Without the webhook token. */
  query: string
  /** JSON list of `[name, value]` as they were sent, credentials left out. */
  headers: string
  body: Uint8Array
  answer_content_type: string | null
  answer_body: string
}

/** What the payment provider knows of its own money movements, as the notifications told. */
export interface ProviderMovementRow {
  /** The provider's id of the capture, sale or refund. */
  id: string
  kind: 'capture' | 'sale-refund'
  /** The order transaction that it is about. */
  transaction_id: string
  /** The sale that a refund belongs to. */
  sale_id: string | null
  /** Decimal string. */
  amount: string
  final: number
}

/** A stored way to pay. */
export interface VaultTokenRow {
  token_id: string
  transaction_id: string
  provider_customer_id: string | null
  created_at: string
}

export interface WebhookTables {
  webhook_delivery: WebhookDeliveryRow
  webhook_delivery_content: WebhookDeliveryContentRow
  provider_movement: ProviderMovementRow
  vault_token: VaultTokenRow
}
