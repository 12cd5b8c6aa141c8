import process from 'node:process'
import {DEFAULT_EDITION, EDITIONS, type ShopVersionName} from '../../src/shopware/editions.js'

/** What the shop that the rows ask is like, by its version; the one that `test/conformance/run.js` hands on. */
export const EDITION = EDITIONS[(process.env.CONFORMANCE_VERSION ?? DEFAULT_EDITION.name) as ShopVersionName]

/** `extensions.foreignKeys` of a row that was searched, which 6.7 does not have; what is loaded beside it has. */
export function foreignKeysOf(entity: string): {foreignKeys?: object} {
  const foreignKeys = {extensions: [], apiAlias: `${entity}_foreign_keys_extension`}
  return EDITION.showsForeignKeys ? {foreignKeys} : {}
}

/** What is expected of the version that is asked: `usual` unless another is said for it. */
export function byVersion<T>(usual: T, others: Partial<Record<ShopVersionName, T>>): T {
  return EDITION.name in others ? (others[EDITION.name] as T) : usual
}
