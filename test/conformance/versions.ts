import process from 'node:process'
import {DEFAULT_EDITION, EDITIONS, type ShopVersionName} from '../../src/shop/model/versions.js'

/** What the shop that the rows ask is like, by its version; the one that `test/conformance/run.js` hands on. */
export const EDITION = EDITIONS[(process.env.CONFORMANCE_VERSION ?? DEFAULT_EDITION.name) as ShopVersionName]

/** What is expected of the version that is asked: `usual` unless another is said for it. */
export function byVersion<Usual, Other = Usual>(
  usual: Usual,
  others: Partial<Record<ShopVersionName, Other>>,
): Usual | Other {
  return EDITION.name in others ? (others[EDITION.name] as Other) : usual
}
