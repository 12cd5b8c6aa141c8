import type {Kysely} from 'kysely'
import {chooseShopDialect} from './schema/choose-dialect.js'
import type {ShopTables} from './schema/schema.js'
import {readConfig, removeConfig, writeConfig} from './schema/system-config.js'

type Db = Kysely<ShopTables>

const CLAIM = 'storectl.seeding'

/** So long a claim holds after it was last renewed, milliseconds. */
export const CLAIM_MS = 40_000

/** Who seeds a shop that machines share, and until when by the database's clock. */
interface Claim {
  readonly holder: string
  readonly untilMs: number
}

/**
 * Takes or renews the claim of whoever seeds, as part of a write that is alone with it. A database that no other machine
 * can have open needs none.
 *
 * @param nowMs by the database's clock
 * @returns whether it is the holder's
 */
export async function claimSeeding(db: Db, holder: string, nowMs: number): Promise<boolean> {
  if (!chooseShopDialect(db).isShared) return true
  const claim = await present(db, nowMs)
  if (claim && claim.holder !== holder) return false
  await writeConfig(db, CLAIM, JSON.stringify({holder, untilMs: nowMs + CLAIM_MS} satisfies Claim))
  return true
}

/** Whether somebody seeds, on whichever machine. */
export async function isSeeding(db: Db, nowMs: number): Promise<boolean> {
  return (await present(db, nowMs)) !== undefined
}

/** Gives the holder's claim up. */
export async function endSeeding(db: Db, holder: string, nowMs: number): Promise<void> {
  if ((await present(db, nowMs))?.holder === holder) await removeConfig(db, CLAIM)
}

/** @returns `undefined` also for one that was not renewed in time */
async function present(db: Db, nowMs: number): Promise<Claim | undefined> {
  const text = await readConfig(db, CLAIM)
  const claim = text === undefined ? undefined : (JSON.parse(text) as Claim)
  return claim && claim.untilMs > nowMs ? claim : undefined
}
