import type {Migration} from '../../migrations.js'
import {accounts} from './001-accounts.js'
import {webhookDeliveries} from './002-webhook-deliveries.js'
import {fulfillmentKeys} from './003-fulfillment-keys.js'
import {arrivals} from './004-arrivals.js'

/** The steps of `shop.db`, oldest first: one file each, `001-….ts`. A released step is never edited. */
export const shopMigrations: readonly Migration[] = [accounts, webhookDeliveries, fulfillmentKeys, arrivals]
