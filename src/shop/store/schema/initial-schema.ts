import {createIndex, createTable} from '../../../storage/engine/create-table.js'
import type {DatabaseContents, Migration, UntypedDatabase} from '../../../storage/engine/database.js'
import type {
  IntegrationRow,
  ProviderMovementRow,
  ProviderOrderRow,
  ProviderPaymentRow,
  RefreshTokenRow,
  ShopTables,
  SystemConfigRow,
  UserRow,
  WebhookDeliveryContentRow,
  WebhookDeliveryRow,
} from './schema.js'

/**
 * Accounts, settings, deliveries and idempotency keys; tables of entities are made from their descriptions. Until the
 * first release its name changes with it.
 */
const shopSchema: Migration = {
  version: 1,
  name: 'initial schema of 2026-11-27',
  up: async db => {
    await createAccounts(db)
    await createDeliveries(db)
    await createProviderTables(db)
    await createProviderPayments(db)
    await createTable<ShopTables['fulfillment_key']>(
      db,
      'fulfillment_key',
      {idempotency_key: 'text', content_hash: 'text'},
      ['idempotency_key'],
    )
  },
}

async function createAccounts(db: UntypedDatabase): Promise<void> {
  await createTable<UserRow>(
    db,
    'user_account',
    {
      ...{id: 'text', username: 'text', username_folded: 'text', password_hash: 'text', admin: 'integer'},
      ...{privileges: 'text', password_changed_at_ms: 'integer'},
    },
    ['id'],
  )
  await createUnique(db, 'user_account', 'username_folded')
  await createTable<IntegrationRow>(
    db,
    'integration_account',
    {
      ...{id: 'text', access_key: 'text', secret_hash: 'text', label: 'text', admin: 'integer'},
      privileges: 'text',
    },
    ['id'],
  )
  await createUnique(db, 'integration_account', 'access_key')
  await createTable<RefreshTokenRow>(
    db,
    'refresh_token',
    {
      ...{token_hash: 'text', user_id: 'text', client_id: 'text', scopes: 'text', expires_at_ms: 'integer'},
      revoked: 'integer',
    },
    ['token_hash'],
  )
  await createIndex(db, {name: 'refresh_token_user', table: 'refresh_token', columns: ['user_id']})
  await createTable<SystemConfigRow>(
    db,
    'system_config',
    {configuration_key: 'text', sales_channel_id: 'text', configuration_value: 'text'},
    ['configuration_key', 'sales_channel_id'],
  )
}

function createUnique(db: UntypedDatabase, table: string, column: string): Promise<void> {
  return createIndex(db, {name: `${table}_${column}_key`, table, columns: [column], isUnique: true})
}

/** Notifications of the payment provider as they came. */
async function createDeliveries(db: UntypedDatabase): Promise<void> {
  const table = 'webhook_delivery'
  await createTable<WebhookDeliveryRow>(
    db,
    table,
    {
      ...{id: 'text', received_at: 'text', status: 'integer', event_id: 'text?', event_type: 'text?'},
      ...{event_created_at: 'text?', transaction_id: 'text?', reason: 'text', size_bytes: 'integer'},
      ...{sender: 'text', token_digest: 'text?'},
    },
    ['id'],
  )
  await createTable<WebhookDeliveryContentRow>(
    db,
    'webhook_delivery_content',
    {
      ...{id: 'text', path: 'text', query: 'text', headers: 'text', body: 'blob'},
      ...{answer_content_type: 'text?', answer_body: 'text'},
    },
    ['id'],
  )
}

/** What notifications say of the payment provider's side. */
async function createProviderTables(db: UntypedDatabase): Promise<void> {
  const table = 'provider_movement'
  await createTable<ProviderMovementRow>(
    db,
    table,
    {
      ...{id: 'text', kind: 'text', transaction_id: 'text', sale_id: 'text?', amount: 'text'},
      final: 'integer',
    },
    ['id'],
  )
  await createIndex(db, {name: `${table}_transaction`, table, columns: ['transaction_id']})
}

/** The payment provider's own records of payments. */
async function createProviderPayments(db: UntypedDatabase): Promise<void> {
  await createTable<ProviderOrderRow>(
    db,
    'provider_order',
    {
      ...{id: 'text', custom_id: 'text', invoice_id: 'text', amount: 'text', currency: 'text'},
      ...{status: 'text', outcome: 'text', created_at: 'text'},
    },
    ['id'],
  )
  await createIndex(db, {name: 'provider_order_custom', table: 'provider_order', columns: ['custom_id']})
  const table = 'provider_payment'
  await createTable<ProviderPaymentRow>(
    db,
    table,
    {
      ...{id: 'text', order_id: 'text', kind: 'text', capture_id: 'text?', amount: 'text'},
      ...{currency: 'text', status: 'text', final: 'integer', created_at: 'text'},
    },
    ['id'],
  )
  await createIndex(db, {name: `${table}_order`, table, columns: ['order_id']})
  await createIndex(db, {name: `${table}_time`, table, columns: ['created_at', 'id']})
}

/** The steps of the shop, oldest first; a released one is never edited. */
export const shopMigrations: readonly Migration[] = [shopSchema]

/** What the bundled shop holds. */
export const SHOP: DatabaseContents = {
  name: 'shop',
  ownsTable: table => table !== 'schema_version',
  migrations: shopMigrations,
  counted: {
    customers: 'customer',
    orders: 'order',
    deliveries: 'webhook_delivery',
    fulfillmentOrders: 'fulfillment_order',
  },
  aged: {table: 'order', column: 'created_at'},
}
