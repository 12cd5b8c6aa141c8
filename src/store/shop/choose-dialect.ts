import type {Kysely} from 'kysely'
import {detectEngine} from '../database.js'
import {postgresShop} from '../postgres/shop-engine.js'
import {sqliteShop} from '../sqlite/shop-engine.js'
import type {ShopEngine} from './engine.js'

/** The dialect that a connection of the shop speaks. */
export function chooseShopDialect<Tables>(db: Kysely<Tables>): ShopEngine {
  return detectEngine(db) === 'postgres' ? postgresShop : sqliteShop
}
