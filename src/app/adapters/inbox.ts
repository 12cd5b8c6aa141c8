import {join} from 'node:path'
import {LOCAL, type Profile} from '../../auth/profile/profile.js'
import {memoize} from '../../platform/memoize.js'
import {splitBatches} from '../../runs/pool/batches.js'
import {type Deliveries, type DeliveryRecord, openDeliveries} from '../../shop/index.js'
import {findHeader, REPLAY_RUN} from '../../webhook/event/headers.js'
import type {KnownTokens, TokenStore} from '../../webhook/event/known-tokens.js'
import type {Inbox, Seen} from '../../webhook/inbox/inbox.js'
import type {Host} from '../host.js'
import {findTarget, type Home} from './home.js'

/** The inbox of one shop. */
export interface OpenInbox {
  readonly inbox: Inbox
  /** The shop's name in the inbox: its base URL, or `local`, whose port changes. */
  readonly target: string
  /** Imports what the bundled shop has received meanwhile; does nothing for other shops. */
  refresh(): Promise<void>
}

/** Where events and webhook tokens are stored. */
interface InboxRecords {
  readonly inbox: Inbox
  readonly tokens: Pick<TokenStore, 'list' | 'noteReplaced'>
}

/** Names the inbox of the chosen shop, and imports what the bundled shop has received. */
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

/** The source of the bundled shop's deliveries, in the inbox. */
const SOURCE = 'shop'

/** Deliveries per commit. */
const BATCH = 200

type ReadEvent = typeof import('../../webhook/event/read-event.js').readEvent

/** Imports what the bundled shop has received since the last time, with its answers. */
async function importDeliveries(host: Host, {paths}: Home, records: InboxRecords): Promise<void> {
  const deliveries = await openDeliveries(join(paths.shopFolder, 'shop.db'), () => host.clock.now())
  if (!deliveries) return
  try {
    await importReplacedTokens(deliveries, records.tokens)
    while (!(await importAll(deliveries, records)));
  } finally {
    await deliveries.close()
  }
}

/** Imports the earlier webhook tokens of the bundled shop. */
async function importReplacedTokens(deliveries: Deliveries, tokens: InboxRecords['tokens']): Promise<void> {
  const {current, replaced} = await deliveries.listTokens()
  if (replaced.length === 0) return
  const {digestToken} = await import('../../webhook/event/webhook-token.js')
  const ended = (await tokens.list(LOCAL)).filter(({to}) => to !== undefined)
  const over = new Set([
    ...ended.map(({digest}) => digest),
    ...current.map(token => digestToken(token).toString('hex')),
  ])
  for (const {digest, at} of replaced)
    if (!over.has(digest)) await tokens.noteReplaced(LOCAL, Buffer.from(digest, 'hex'), at)
}

/** @returns `false` if another process took some meanwhile, so that there may be more after those */
async function importAll(deliveries: Deliveries, {inbox, tokens}: InboxRecords): Promise<boolean> {
  const findKnown = memoize(async () => {
    const {KnownTokens} = await import('../../webhook/event/known-tokens.js')
    return new KnownTokens(await tokens.list(LOCAL))
  })
  // Shared records know the bundled shops of all machines as `local`: each has a position of its own.
  const source = `${SOURCE} ${deliveries.shopId}`
  let from = await inbox.readPosition(LOCAL, source)
  const start = from ?? (await findEarlierPosition(deliveries, inbox))
  for await (const batch of splitBatches(deliveries.stream(start), BATCH)) {
    const {readEvent} = await import('../../webhook/event/read-event.js')
    const to = (batch.at(-1) as DeliveryRecord).id
    const known = await findKnown()
    const seen = batch.flatMap(delivery => readDelivery(delivery, readEvent, known))
    if (!(await inbox.addObserved(LOCAL, {source, from, to}, seen))) return false
    from = to
  }
  return true
}

/** Where earlier versions stored their position, without naming the shop. */
async function findEarlierPosition(
  {has}: Deliveries,
  inbox: Pick<Inbox, 'readPosition'>,
): Promise<string | undefined> {
  const position = await inbox.readPosition(LOCAL, SOURCE)
  return position !== undefined && (await has(position)) ? position : undefined
}

/** Sends of our own replays are already in their journal; what is not an event cannot be sent again. */
function readDelivery(
  {headers, body, receivedAt, status, reason, sender, tokenDigest}: DeliveryRecord,
  readEvent: ReadEvent,
  tokens: Pick<KnownTokens, 'hasLeaked'>,
): Seen[] {
  if (findHeader(headers, REPLAY_RUN) !== undefined) return []
  const event = readEvent(body, SOURCE, receivedAt, headers)
  if ('unusable' in event) return []
  const isLeaked = tokenDigest !== null && tokens.hasLeaked(Buffer.from(tokenDigest, 'hex'), receivedAt)
  const arrivedWith = isLeaked ? 'wrong-token' : sender
  const arrived = {...event, arrivedWith, tokenDigest: tokenDigest ?? undefined}
  return [{event: arrived, answer: status, message: reason, at: receivedAt}]
}
