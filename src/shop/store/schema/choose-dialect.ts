import type {Kysely} from 'kysely'
import {detectEngine} from '../../../storage/engine/database.js'
import {postgresShop} from './postgres-dialect.js'
import type {ShopEngine} from './shop-dialect.js'
import {sqliteShop} from './sqlite-dialect.js'

/** The dialect that a connection of the shop speaks. */
export function chooseShopDialect<Tables>(db: Kysely<Tables>): ShopEngine {
  return detectEngine(db) === 'postgres' ? postgresShop : sqliteShop
}
