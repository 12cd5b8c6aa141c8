import type {Kysely} from 'kysely'
import type {MachineName} from '../../../shopware/state-machines.js'
import type {Database} from '../../../storage/engine/database.js'

/** The shop's tables, as types for kysely. */
export interface ShopTables extends AccountTables, EntityTables, FulfillmentTables, WebhookTables {}

/** A connection to a shop's database: its reads, or the transaction of a write. */
export type ShopConnection = Kysely<ShopTables>

/** The shop's database, open. */
export type ShopDatabase = Database<ShopTables>

/** A user who signs in with a password. */
export interface UserRow {
  id: string
  username: string
  /** Without case and accents, for comparing user names. */
  username_folded: string
  /** From scrypt, with its parameters and salt. */
  password_hash: string
  admin: number
  /** JSON list: `["customer:read"]`; administrators need none. */
  privileges: string
  /** Tokens issued before this moment are refused; milliseconds since 1970. */
  password_changed_at_ms: number
}

/** A program that signs in with an access key. */
export interface IntegrationRow {
  id: string
  /** `SWIA…` */
  access_key: string
  /** SHA-256 in hex: enough for 51 random characters. */
  secret_hash: string
  label: string
  admin: number
  /** JSON list, as for users. */
  privileges: string
}

export interface RefreshTokenRow {
  /** SHA-256 in hex. */
  token_hash: string
  user_id: string
  client_id: string
  /** JSON list in the order of the token. */
  scopes: string
  expires_at_ms: number
  revoked: number
}

/** A setting of the shop, for all sales channels (`''`) or for one. */
export interface SystemConfigRow {
  configuration_key: string
  sales_channel_id: string
  configuration_value: string
}

interface AccountTables {
  user_account: UserRow
  integration_account: IntegrationRow
  refresh_token: RefreshTokenRow
  system_config: SystemConfigRow
}

/** A row of an entity's table; its columns follow from the description in `shopware/entities`. */
export type EntityRow = Record<string, string | number | null>

/**
 * Tables of entities that code refers to by name. All tables of entities are created from the descriptions when the
 * shop is opened, not by migrations.
 */
type EntityTables = Record<
  'customer' | 'fulfillment_order' | 'state_machine_history' | 'state_machine_state' | MachineName,
  EntityRow
>

/** The content of a caller's idempotency key, stored for ever. Orders themselves are an entity. */
interface FulfillmentTables {
  fulfillment_key: {
    idempotency_key: string
    /** SHA-256 of the content that it was first used with. */
    content_hash: string
  }
}

/** A notification as it arrived, and its response; its bytes are in `webhook_delivery_content`. */
export interface WebhookDeliveryRow {
  /** UUIDv7 of its arrival: later deliveries have larger ids. */
  id: string
  /** ISO 8601, UTC. */
  received_at: string
  status: number
  /** The provider's id of the event; the same for every attempt. */
  event_id: string | null
  event_type: string | null
  /** The provider's own time, from the body. */
  event_created_at: string | null
  /** The order transaction in the notification, or found by it, known to the shop or not. */
  transaction_id: string | null
  /** Reason for the response, for operators; not part of the response. */
  reason: string
  size_bytes: number
  /** Its sender, by the token in its URL: `token`, `wrong-token`, `unverified`. */
  sender: string
  /** SHA-256 of that token, hex; `null` where there was none. */
  token_digest: string | null
}

/** Data that is read for single deliveries; separate, so that lists read narrow rows. */
export interface WebhookDeliveryContentRow {
  id: string
  path: string
  /** Without the webhook token. */
  query: string
  /** JSON list of `[name, value]` as sent, without credentials. */
  headers: string
  body: Uint8Array
  answer_content_type: string | null
  answer_body: string
}

/** A movement of money at the payment provider, from notifications. */
export interface ProviderMovementRow {
  /** The provider's id of the capture, sale or refund. */
  id: string
  kind: 'capture' | 'sale-refund'
  /** Its order transaction. */
  transaction_id: string
  /** The sale that a refund belongs to. */
  sale_id: string | null
  /** Decimal string. */
  amount: string
  final: number
}

/** The payment provider's own order, independent of the shop's. */
export interface ProviderOrderRow {
  /** The provider's id of the order. */
  id: string
  /** The order transaction, as the provider's `custom_id`. */
  custom_id: string
  /** The shop's order number. */
  invoice_id: string
  /** Decimal string. */
  amount: string
  /** ISO 4217. */
  currency: string
  /** `APPROVED`, `COMPLETED` or `VOIDED`; `ABSENT` where the provider knows no such order. */
  status: string
  /** Technical name of the matching state of the transaction. */
  outcome: string
  /** ISO 8601 with milliseconds. */
  created_at: string
}

/** One movement of money of a provider's order. */
export interface ProviderPaymentRow {
  /** The provider's id of the capture, refund or authorization. */
  id: string
  order_id: string
  /** Or a code of the provider's report for rows that only the report has: a hold, a fee, a void. */
  kind: 'authorization' | 'capture' | 'refund' | `T${number}`
  /** Capture of a refund, or of a row that only the report has. */
  capture_id: string | null
  /** Decimal string, never negative. */
  amount: string
  /** ISO 4217. */
  currency: string
  /** `COMPLETED`, `PENDING`, `DECLINED`, `CREATED`, `VOIDED`; for a refund also `FAILED` or `CANCELLED`. */
  status: string
  final: number
  /** ISO 8601 with milliseconds. */
  created_at: string
}

interface WebhookTables {
  provider_order: ProviderOrderRow
  provider_payment: ProviderPaymentRow
  webhook_delivery: WebhookDeliveryRow
  webhook_delivery_content: WebhookDeliveryContentRow
  provider_movement: ProviderMovementRow
}
