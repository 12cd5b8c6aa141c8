import {type ColumnTypes, createIndex, createTable} from '../../../storage/engine/create-table.js'
import type {DatabaseContents, Migration, UntypedDatabase} from '../../../storage/engine/database.js'
import type {ShopTables} from './schema.js'

/**
 * Accounts, settings, deliveries and idempotency keys; tables of entities are created from their descriptions. Until
 * the first release its name changes with its content.
 */
const shopSchema: Migration = {
  version: 1,
  name: 'initial schema of 2026-11-27',
  up: async db => {
    await createAccounts(db)
    await createDeliveries(db)
    await createProviderTables(db)
    await create(db, 'fulfillment_key', {idempotency_key: 'text', content_hash: 'text'}, ['idempotency_key'])
  },
}

/** @param key columns of the primary key; default `id` */
function create<Name extends keyof ShopTables & string>(
  db: UntypedDatabase,
  name: Name,
  columns: ColumnTypes<ShopTables[Name]>,
  key: readonly string[] = ['id'],
): Promise<void> {
  return createTable(db, name, columns, key as never)
}

async function createAccounts(db: UntypedDatabase): Promise<void> {
  await create(db, 'user_account', {
    ...{id: 'text', username: 'text', username_folded: 'text', password_hash: 'text', admin: 'integer'},
    ...{privileges: 'text', password_changed_at_ms: 'integer'},
  })
  await createUnique(db, 'user_account', 'username_folded')
  await create(db, 'integration_account', {
    ...{id: 'text', access_key: 'text', secret_hash: 'text', label: 'text', admin: 'integer'},
    privileges: 'text',
  })
  await createUnique(db, 'integration_account', 'access_key')
  const token = {token_hash: 'text', user_id: 'text', client_id: 'text', scopes: 'text'} as const
  const ends = {expires_at_ms: 'integer', revoked: 'integer'} as const
  await create(db, 'refresh_token', {...token, ...ends}, ['token_hash'])
  await createIndex(db, {name: 'refresh_token_user', table: 'refresh_token', columns: ['user_id']})
  await create(
    db,
    'system_config',
    {configuration_key: 'text', sales_channel_id: 'text', configuration_value: 'text'},
    ['configuration_key', 'sales_channel_id'],
  )
}

function createUnique(db: UntypedDatabase, table: string, column: string): Promise<void> {
  return createIndex(db, {name: `${table}_${column}_key`, table, columns: [column], isUnique: true})
}

/** Notifications of the payment provider as they arrived. */
async function createDeliveries(db: UntypedDatabase): Promise<void> {
  await create(db, 'webhook_delivery', {
    ...{id: 'text', received_at: 'text', status: 'integer', event_id: 'text?', event_type: 'text?'},
    ...{event_created_at: 'text?', transaction_id: 'text?', reason: 'text', size_bytes: 'integer'},
    ...{sender: 'text', token_digest: 'text?'},
  })
  await create(db, 'webhook_delivery_content', {
    ...{id: 'text', path: 'text', query: 'text', headers: 'text', body: 'blob'},
    ...{answer_content_type: 'text?', answer_body: 'text'},
  })
}

/** The provider's movements from notifications, and its own records of payments. */
async function createProviderTables(db: UntypedDatabase): Promise<void> {
  const [movement, order, payment] = ['provider_movement', 'provider_order', 'provider_payment'] as const
  await create(db, movement, {
    ...{id: 'text', kind: 'text', transaction_id: 'text', sale_id: 'text?', amount: 'text'},
    final: 'integer',
  })
  await createIndex(db, {name: `${movement}_transaction`, table: movement, columns: ['transaction_id']})
  await create(db, order, {
    ...{id: 'text', custom_id: 'text', invoice_id: 'text', amount: 'text', currency: 'text'},
    ...{status: 'text', outcome: 'text', created_at: 'text'},
  })
  await createIndex(db, {name: `${order}_custom`, table: order, columns: ['custom_id']})
  await create(db, payment, {
    ...{id: 'text', order_id: 'text', kind: 'text', capture_id: 'text?', amount: 'text'},
    ...{currency: 'text', status: 'text', final: 'integer', created_at: 'text'},
  })
  await createIndex(db, {name: `${payment}_order`, table: payment, columns: ['order_id']})
  await createIndex(db, {name: `${payment}_time`, table: payment, columns: ['created_at', 'id']})
}

/** The steps of the shop, oldest first; a released one is never edited. */
export const shopMigrations: readonly Migration[] = [shopSchema]

/** The content of the bundled shop's database. */
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
