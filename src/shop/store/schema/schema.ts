import type {AccountTables} from './account-tables.js'
import type {FulfillmentTables} from './fulfillment-tables.js'
import type {EntityTables} from './tables.js'
import type {WebhookTables} from './webhook-tables.js'

/**
 * The shop's tables as kysely knows them: each table group has a file of its own and is joined here.
 */
export interface ShopTables extends AccountTables, EntityTables, FulfillmentTables, WebhookTables {}
