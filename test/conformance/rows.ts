import {afterAll, beforeAll, test} from 'vitest'
import type {StartOptions} from '../../src/shop/shop.js'
import type {ShopVersionName} from '../../src/shopware/editions.js'
import {type Aim, aim} from './aim.js'
import {conformanceTarget, type Target} from './target.js'
import {EDITION} from './versions.js'

export type Check<Cells extends unknown[] = []> = (shop: Target, ...cells: Cells) => unknown

/** What not every shop that the suite is aimed at lends it. */
export type Need = 'user' | 'webhook token'

/** One row of the protocol: a test of what the shop answers. */
export interface Row {
  (title: string, check: Check): void
  /** A test for each line, its first cell the title, the others handed to the check. */
  each<Cells extends unknown[]>(
    lines: readonly (readonly [title: string, ...cells: Cells])[],
    check: Check<Cells>,
  ): void
  /** For what a real shop lacks, must not suffer or was not seen to answer: shown as skipped there. */
  bundledOnly: Row
  /** Skipped in the other versions, where there is no such thing. */
  on(...versions: ShopVersionName[]): Row
  /** For what depends on how a shop was set up: skipped on any other than the bundled one, for want of `what`. */
  setUp(what: string): Row
  /** Skipped where the caller lent none of it. */
  needs(...needs: Need[]): Row
}

/**
 * The rows of one file, all against one shop: the bundled one, started for this file alone, or the one that the suite
 * is aimed at.
 *
 * @param options how the bundled shop runs, for files whose rows all are `bundledOnly` or do not care
 */
export function conformance(options: Partial<StartOptions> = {}): Row {
  let shop: Target | undefined
  beforeAll(async () => {
    shop = await conformanceTarget(options)
  })
  afterAll(() => shop?.stop())
  return rowOf(() => shop as Target, aim(), undefined)
}

function rowOf(shop: () => Target, aimed: Aim | undefined, lacking: string | undefined): Row {
  const one = (title: string, check: Check) => {
    const name = lacking ? `${title} (skipped for want of ${lacking})` : title
    test.skipIf(lacking)(name, async () => void (await check(shop())))
  }
  const row = Object.assign(one, {
    each: <Cells extends unknown[]>(lines: readonly (readonly [string, ...Cells])[], check: Check<Cells>) => {
      for (const [title, ...cells] of lines) one(title, shop => check(shop, ...cells))
    },
    setUp: (what: string) => rowOf(shop, aimed, lacking ?? (aimed ? what : undefined)),
    on: (...versions: ShopVersionName[]) =>
      rowOf(shop, aimed, lacking ?? (versions.includes(EDITION.name) ? undefined : versions.join(' or '))),
    needs: (...needs: Need[]) => rowOf(shop, aimed, lacking ?? missing(aimed, needs)),
  })
  const bundledOnly = () => (lacking || !aimed ? row : rowOf(shop, aimed, 'the bundled server'))
  return Object.defineProperty(row, 'bundledOnly', {get: bundledOnly}) as Row
}

function missing(aimed: Aim | undefined, needs: readonly Need[]): string | undefined {
  if (!aimed) return undefined
  const has = {user: aimed.username && aimed.password, 'webhook token': aimed.webhookToken}
  const need = needs.find(name => !has[name])
  return need && `a ${need}`
}
