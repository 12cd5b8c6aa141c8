import {RECORDS} from '../../records/schema/contents.js'
import type {Contents} from '../../storage/maintenance.js'
import {shopMigrations} from '../../store/shop/initial-schema.js'

/** What the bundled shop holds: whatever is not the records', for its tables are made from descriptions. */
export const SHOP: Contents = {
  name: 'shop',
  owns: table => !RECORDS.owns(table) && !table.endsWith('schema_version'),
  migrations: shopMigrations,
  counted: {
    customers: 'customer',
    orders: 'order',
    deliveries: 'webhook_delivery',
    fulfillmentOrders: 'fulfillment_order',
  },
  aged: {table: 'order', column: 'created_at'},
  keptByItself: {tables: [], columns: ['written_in'], begun: ['system_config']},
}
