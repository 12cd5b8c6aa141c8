import type {Kysely} from 'kysely'
import type {Database} from '../../../storage/engine/database.js'

/**
 * The shop's tables as kysely knows them: each table group has a file of its own and is joined here.
 */
export interface ShopTables extends AccountTables, EntityTables, FulfillmentTables, WebhookTables {}

/** A connection to a shop's database: its reads, or the transaction of a write. */
export type ShopConnection = Kysely<ShopTables>

/** The shop's database, open. */
export type ShopDatabase = Database<ShopTables>

/** A person who signs in with a password. */
export interface UserRow {
  id: string
  username: string
  /** Without case and accents: user names are compared like that. */
  username_folded: string
  /** By scrypt, with its parameters and salt. */
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
  /** JSON list, as of users. */
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

/** What the shop keeps about itself, for all sales channels (`''`) or for one. */
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

/** A row of an entity's table; which columns there are, the description in `shop-model/entities` says. */
export type EntityRow = Record<string, string | number | null>

/** Tables of entities. They are made from the descriptions when the shop is opened, not by migrations. */
type EntityTables = Record<EntityName, EntityRow>

type EntityName =
  | 'country'
  | 'country_state'
  | 'currency'
  | 'customer'
  | 'customer_address'
  | 'customer_group'
  | 'customer_tag'
  | 'fulfillment_order'
  | 'language'
  | 'order'
  | 'order_address'
  | 'order_customer'
  | 'order_delivery'
  | 'order_delivery_position'
  | 'order_line_item'
  | 'order_transaction'
  | 'order_transaction_capture'
  | 'payment_method'
  | 'sales_channel'
  | 'salutation'
  | 'shipping_method'
  | 'state_machine'
  | 'state_machine_history'
  | 'state_machine_state'
  | 'tag'
  | 'user'
  | 'user_access_key'

/** What a caller's idempotency key stands for, for ever. Orders themselves are an entity. */
interface FulfillmentTables {
  fulfillment_key: {
    idempotency_key: string
    /** SHA-256 of the content that it was first used with. */
    content_hash: string
  }
}

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
  /** Who sent it, by the token in its address: `token`, `wrong-token`, `unverified`. */
  sender: string
  /** SHA-256 of that token, hex; `null` where there was none. */
  token_digest: string | null
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

/** What the payment provider has of a payment by itself, whatever the shop made of it. */
export interface ProviderOrderRow {
  /** The provider's id of the order. */
  id: string
  /** What the provider was given as `custom_id`: the order transaction. */
  custom_id: string
  /** The shop's order number. */
  invoice_id: string
  /** Decimal string. */
  amount: string
  /** ISO 4217. */
  currency: string
  /** `APPROVED`, `COMPLETED` or `VOIDED`; `ABSENT` where the provider knows no such order. */
  status: string
  /** The state of the transaction that goes with it, by its technical name. */
  outcome: string
  /** ISO 8601 with milliseconds. */
  created_at: string
}

/** One movement of money of a provider's order. */
export interface ProviderPaymentRow {
  /** The provider's id of the capture, refund or authorization. */
  id: string
  order_id: string
  /** A code of the provider's report for what only that has: a hold, a fee, a void. */
  kind: 'authorization' | 'capture' | 'refund' | `T${number}`
  /** Of a refund, and of what the report alone has. */
  capture_id: string | null
  /** Decimal string, never negative. */
  amount: string
  /** ISO 4217. */
  currency: string
  /** `COMPLETED`, `PENDING`, `DECLINED`, `CREATED`, `VOIDED`; of a refund `FAILED` or `CANCELLED`, too. */
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
