import {dirname, join} from 'node:path'
import {urlText} from '../../auth/profile/base-url.js'
import {LOCAL} from '../../auth/profile/profile.js'
import type {Context} from '../../context.js'
import {StorectlError} from '../../errors.js'
import {type Transactions, transactionsOf} from '../../payment/transactions.js'
import type {Records} from '../../records/records.js'
import {batches} from '../../runs/pool/batches.js'
import type {Delivery} from '../../shop/store/deliveries.js'
import type {ShopTables} from '../../shop/store/schema/schema.js'
import type {Database} from '../../storage/engine/database.js'
import {type TokenNow, tokenNow} from '../../webhook/diagnose/token-comparison.js'
import {readEvent} from '../../webhook/event/event.js'
import type {Inbox, Seen} from '../../webhook/inbox/inbox.js'
import {openRegistration} from '../registration.js'

/** The inbox of one shop. */
export interface OpenInbox {
  readonly inbox: Inbox
  /** The shop's name in the inbox: its base URL, or `local`, whose port is another each time. */
  readonly target: string
  /** Brings into the inbox what the bundled shop has received meanwhile; of another shop there is nothing to bring. */
  refresh(): Promise<void>
}

/** Opens the records, in their file or in PostgreSQL; closed at the end of the command. */
export async function openOwnRecords(context: Context): Promise<Records> {
  const {openRecords} = await import('../../records/records.js')
  const {makePrivateFolder} = await import('../../platform/files/files.js')
  const {databasePlace} = await import('./locate-database.js')
  const place = await databasePlace(context, context.paths.recordsDatabase)
  if (typeof place === 'string') makePrivateFolder(dirname(place))
  const records = await openRecords(place, () => context.host.clock.now())
  context.closeAtEnd(() => records.close())
  return records
}

/** Opens the inbox of the chosen shop, and brings what the bundled shop has received into it. */
export async function openInbox(context: Context): Promise<OpenInbox> {
  const {profile} = await context.chosen()
  const {inbox} = await context.records()
  if (profile) return {inbox, target: urlText(profile.url), refresh: async () => {}}
  const refresh = () => takeFromShop(context, inbox)
  await refresh()
  return {inbox, target: LOCAL, refresh}
}

/** Where deliveries that the bundled shop received come from, in the inbox. */
const SOURCE = 'shop'

/** Deliveries of one commit. */
const BATCH = 200

/** Takes over what the bundled shop has received since the last look, with how it answered. */
async function takeFromShop(context: Context, inbox: Inbox): Promise<void> {
  const {databasePlace} = await import('./locate-database.js')
  const place = await databasePlace(context, join(context.paths.shopFolder, 'shop.db'))
  const {openDatabase} = await import('../../storage/storage.js')
  const {shopMigrations} = await import('../../shop/store/schema/contents.js')
  const now = () => context.host.clock.now()
  const options = {name: 'shop', migrations: shopMigrations, now, readOnly: true} as const
  const db = await openDatabase<ShopTables>(place, options).catch(whenThere)
  if (!db) return
  try {
    while (!(await tookAll(db, inbox)));
  } finally {
    await db.close()
  }
}

/** @returns `false` when another process took some meanwhile, so that there may be more behind those */
async function tookAll({reads}: Database<ShopTables>, inbox: Inbox): Promise<boolean> {
  const {deliveriesInOrder} = await import('../../shop/store/deliveries.js')
  let from = await inbox.position(LOCAL, SOURCE)
  for await (const deliveries of batches(deliveriesInOrder(reads, from), BATCH)) {
    const to = (deliveries.at(-1) as Delivery).id
    if (!(await inbox.see(LOCAL, SOURCE, deliveries.flatMap(seenIn), from, to))) return false
    from = to
  }
  return true
}

/** Tables that nobody has made yet hold nothing. */
export function whenThere(error: unknown): undefined {
  if (error instanceof StorectlError && error.code === 'internal.database_not_opened') return undefined
  throw error
}

/** What our own replays sent is in their journal already; what is no event cannot be sent again. */
function seenIn({headers, body, receivedAt, status, reason}: Delivery): Seen[] {
  if (headers.some(([name]) => name.toLowerCase() === 'x-replay-run')) return []
  const event = readEvent(body, SOURCE, receivedAt, headers)
  return 'unusable' in event ? [] : [{event, answer: status, cause: reason, at: receivedAt}]
}

/** Looks at the shop; each is opened at the first use. */
export interface Lookups {
  readonly transactions: () => Promise<Transactions>
  readonly token: () => Promise<TokenNow>
}

/** What is looked up about events without sending any. */
export function openLookups(context: Context): Lookups {
  return {
    transactions: async () => {
      const {patient, refusal} = await context.connect()
      return transactionsOf({search: patient, refusal})
    },
    token: tokenNow(() => openRegistration(context)),
  }
}
