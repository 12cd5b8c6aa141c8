import type {Kysely} from 'kysely'
import {postgresShop} from '../../shop/store/schema/postgres-dialect.js'
import type {ShopEngine} from '../../shop/store/schema/shop-dialect.js'
import {sqliteShop} from '../../shop/store/schema/sqlite-dialect.js'
import {detectEngine} from '../../storage/engine/database.js'

/** The dialect that a connection of the shop speaks. */
export function chooseShopDialect<Tables>(db: Kysely<Tables>): ShopEngine {
  return detectEngine(db) === 'postgres' ? postgresShop : sqliteShop
}
