import type {Kysely} from 'kysely'
import {detectEngine} from '../../../storage/engine/database.js'
import {postgresShopDialect} from './postgres-dialect.js'
import type {ShopDialect} from './shop-dialect.js'
import {sqliteShopDialect} from './sqlite-dialect.js'

/** The dialect that a connection of the shop speaks. */
export function chooseShopDialect<Tables>(db: Kysely<Tables>): ShopDialect {
  return detectEngine(db) === 'postgres' ? postgresShopDialect : sqliteShopDialect
}
