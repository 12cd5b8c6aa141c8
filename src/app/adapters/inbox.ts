import {join} from 'node:path'
import {LOCAL, type Profile} from '../../auth/profile/profile.js'
import {memoize} from '../../platform/memoize.js'
import {splitBatches} from '../../runs/pool/batches.js'
import type {DeliveryRecord} from '../../shop/store/deliveries.js'
import type {ShopTables} from '../../shop/store/schema/schema.js'
import type {Database} from '../../storage/engine/database.js'
import type {KnownTokens, TokenStore} from '../../webhook/event/known-tokens.js'
import type {Inbox, Seen} from '../../webhook/inbox/inbox.js'
import type {Host} from '../host.js'
import {findTarget, type Home} from './home.js'

/** The inbox of one shop. */
export interface OpenInbox {
  readonly inbox: Inbox
  /** The shop's name in the inbox: its base URL, or `local`, whose port is another each time. */
  readonly target: string
  /** Brings into the inbox what the bundled shop has received meanwhile; of another shop there is nothing to bring. */
  refresh(): Promise<void>
}

/** Where events and webhook tokens are stored. */
interface InboxRecords {
  readonly inbox: Inbox
  readonly tokens: Pick<TokenStore, 'list' | 'noteReplaced'>
}

/** Names the inbox of the chosen shop, and brings what the bundled shop has received into it. */
export async function openInbox(
  host: Host,
  home: Home,
  profile: Profile | undefined,
  records: InboxRecords,
): Promise<OpenInbox> {
  const {inbox} = records
  const target = await findTarget(home, profile)
  if (target !== LOCAL) return {inbox, target, refresh: async () => {}}
  const refresh = () => importDeliveries(host, home, records)
  await refresh()
  return {inbox, target, refresh}
}

/** Where deliveries that the bundled shop received come from, in the inbox. */
const SOURCE = 'shop'

/** Deliveries of one commit. */
const BATCH = 200

type ReadEvent = typeof import('../../webhook/event/read-event.js').readEvent

/** Takes over what the bundled shop has received since the last time, with how it answered. */
async function importDeliveries(
  host: Host,
  {paths, openSettings}: Home,
  records: InboxRecords,
): Promise<void> {
  const {locateDatabase} = await import('./locate-database.js')
  const location = await locateDatabase(join(paths.shopFolder, 'shop.db'), await openSettings(), host)
  const {ignoreMissing, openDatabase} = await import('../../storage/index.js')
  const {shopMigrations} = await import('../../shop/store/schema/initial-schema.js')
  const now = () => host.clock.now()
  const options = {name: 'shop', migrations: shopMigrations, now, readOnly: true} as const
  const db = await openDatabase<ShopTables>(location, options).catch(ignoreMissing)
  if (!db) return
  try {
    await importReplacedTokens(db, records.tokens)
    while (!(await importAll(db, records)));
  } finally {
    await db.close()
  }
}

/** Takes over which webhook tokens the bundled shop had earlier. */
async function importReplacedTokens(
  {reads}: Database<ShopTables>,
  tokens: InboxRecords['tokens'],
): Promise<void> {
  const {listShopTokens} = await import('../../shop/store/webhook-tokens.js')
  const {digestToken} = await import('../../webhook/event/webhook-token.js')
  const {current, replaced} = await listShopTokens(reads)
  if (replaced.length === 0) return
  const ended = (await tokens.list(LOCAL)).filter(({to}) => to !== undefined)
  const over = new Set([
    ...ended.map(({digest}) => digest),
    ...current.map(token => digestToken(token).toString('hex')),
  ])
  for (const {digest, at} of replaced)
    if (!over.has(digest)) await tokens.noteReplaced(LOCAL, Buffer.from(digest, 'hex'), at)
}

/** @returns `false` when another process took some meanwhile, so that there may be more behind those */
async function importAll({reads}: Database<ShopTables>, {inbox, tokens}: InboxRecords): Promise<boolean> {
  const {streamDeliveries} = await import('../../shop/store/deliveries.js')
  const {readEvent} = await import('../../webhook/event/read-event.js')
  const {KnownTokens} = await import('../../webhook/event/known-tokens.js')
  const findKnown = memoize(async () => new KnownTokens(await tokens.list(LOCAL)))
  let from = await inbox.readPosition(LOCAL, SOURCE)
  for await (const deliveries of splitBatches(streamDeliveries(reads, from), BATCH)) {
    const to = (deliveries.at(-1) as DeliveryRecord).id
    const known = await findKnown()
    const seen = deliveries.flatMap(delivery => readDelivery(delivery, readEvent, known))
    if (!(await inbox.addObserved(LOCAL, {source: SOURCE, from, to}, seen))) return false
    from = to
  }
  return true
}

/** What our own replays sent is in their journal already; what is no event cannot be sent again. */
function readDelivery(
  {headers, body, receivedAt, status, reason, sender, tokenDigest}: DeliveryRecord,
  readEvent: ReadEvent,
  tokens: Pick<KnownTokens, 'hasLeaked'>,
): Seen[] {
  if (headers.some(([name]) => name.toLowerCase() === 'x-replay-run')) return []
  const event = readEvent(body, SOURCE, receivedAt, headers)
  if ('unusable' in event) return []
  const isLeaked = tokenDigest !== null && tokens.hasLeaked(Buffer.from(tokenDigest, 'hex'), receivedAt)
  const arrivedWith = isLeaked ? 'wrong-token' : sender
  const arrived = {...event, arrivedWith, tokenDigest: tokenDigest ?? undefined}
  return [{event: arrived, answer: status, message: reason, at: receivedAt}]
}
