import {RECORDS} from '../../../records/schema/contents.js'
import type {DatabaseContents, Migration} from '../../../storage/engine/database.js'
import {shopSchema} from './initial-schema.js'

/** The steps of the shop, oldest first; a released one is never edited. */
export const shopMigrations: readonly Migration[] = [shopSchema]

/** What the bundled shop holds: whatever is not the records', for its tables are made from descriptions. */
export const SHOP: DatabaseContents = {
  name: 'shop',
  ownsTable: table => !RECORDS.ownsTable(table) && !table.endsWith('schema_version'),
  migrations: shopMigrations,
  counted: {
    customers: 'customer',
    orders: 'order',
    deliveries: 'webhook_delivery',
    fulfillmentOrders: 'fulfillment_order',
  },
  aged: {table: 'order', column: 'created_at'},
  selfMaintained: {tables: [], columns: ['written_in'], begun: ['system_config']},
}
