import {randomBytes} from 'node:crypto'
import {findProvider} from '../providers/providers.js'
import {fillTemplate, findTokenLocation, isRoute} from '../providers/route.js'
import type {KnownTokens} from '../webhook/event/known-tokens.js'
import type {CaptureInbox, CaptureNote, Turns} from '../webhook/inbox/capture-inbox.js'
import {SignatureQueue, type StoredEventCheck} from '../webhook/verify/signature-queue.js'
import type {CaptureOptions} from './capture-options.js'
import type {CaptureAddresses, CapturedRow, CaptureSummary} from './capture-view.js'
import {SOURCE} from './captured-event.js'
import {DiskQuota, ROW_BYTES} from './disk-quota.js'
import {computeHeldLimit, HeldBytes, LIMITS} from './held-bytes.js'
import {InboxWriter} from './inbox-writer.js'
import {KeyedLock, SharedKeyedLock} from './keyed-lock.js'
import {type Metrics, openMetrics} from './metrics.js'
import {createOutageReporter, type OutageDeps, reportHealth} from './outage-reporter.js'
import {type ReceptionDeps, receive} from './receive.js'
import {checkHealth, createPagesHandler, createWebhookHandler, type Pages} from './routes.js'
import {openWebhookListener, type RequestHandler} from './webhook-listener.js'
import {WebhookTokens} from './webhook-tokens.js'

export interface CaptureDeps extends OutageDeps, Pick<ReceptionDeps, 'shop' | 'timeoutMs'> {
  readonly captures: CaptureInbox
  /** Turns among all captures that share the inbox; `undefined` if this is the only one. */
  readonly turns: Turns | undefined
  /** Free space on the disk of the inbox, bytes; `undefined` if unknown. */
  readonly freeBytes: number | undefined
  /** The shop's name in the inbox. */
  readonly target: string
  /** Checks the provider's signatures of stored events; `undefined` if nothing is checked. */
  readonly checkSignatures?: StoredEventCheck | undefined
  readonly profile: {readonly provider: string; readonly tokenPrefix: string}
  /** Path of the shop's base URL, without a slash at its end. */
  readonly basePath: string
  /** The webhook token; empty if the shop expects none. */
  readonly token: string
  /** The token that the profile's replaced, if the provider may still use it. */
  readonly oldToken: string | undefined
  /** Tokens that the shop had before, or that it accepted. */
  readonly knownTokens: KnownTokens
  /** Called with a token that the shop accepted for the first time. */
  readonly onAcceptedToken: (digest: Buffer) => Promise<void>
  /** Ends it. */
  readonly stopping: AbortSignal
  readonly onReady: (opened: CaptureAddresses) => Promise<void>
  readonly onEvent: (row: CapturedRow) => void
}

/**
 * Runs a proxy for a shop's webhook route until it is stopped: stores each call, forwards it, and returns the shop's
 * answer.
 *
 * @throws StorectlError `conflict.port_in_use`, `usage.address_not_usable`, and as reading the inbox does
 */
export async function runCapture(options: CaptureOptions, deps: CaptureDeps): Promise<CaptureSummary> {
  const {captures, target, now, note} = deps
  const inboxWriter = new InboxWriter({captures, target, now, note})
  const disk = await openDisk(options, deps)
  const metrics = await openMetrics({
    ...{now, disk},
    countByStatus: () => captures.countByStatus(target),
    isWritable: () => inboxWriter.isWritable,
  })
  const counts = new Map<CapturedRow['status'], number>()
  const onEvent = (row: CapturedRow) => {
    counts.set(row.status, (counts.get(row.status) ?? 0) + 1)
    metrics.countEvent(row.status, row.answered)
    deps.onEvent(row)
    if (row.answered === 400) deps.problems?.look()
  }
  const signatures = new SignatureQueue(deps.checkSignatures)
  const reception = createReception(options, deps, {inboxWriter, disk, metrics, onEvent, signatures})
  const calls = new Calls()
  const noteNotStored = createNotStoredNote(disk, deps)
  const heartbeat = createHeartbeat(deps)
  const timers = [
    setInterval(() => reportHealth(inboxWriter, disk, deps), NOTE_EVERY_MS).unref(),
    setInterval(() => void noteNotStored(), NOTE_EVERY_MS).unref(),
    setInterval(() => void heartbeat.write(), HEARTBEAT_EVERY_MS).unref(),
    setInterval(() => void inboxWriter.renewLeases(), LIMITS.renewLeasesMs).unref(),
  ]
  const pages: Pages = new Map([
    ['/healthz', () => checkHealth(inboxWriter, disk)],
    ['/metrics', () => metrics.renderPage()],
  ])
  const answer = createWebhookHandler(
    {
      ...{self: reception.self, bodyBytes: options.bodyBytes},
      findWebhookPath: createPathFinder(deps),
      held: new HeldBytes(computeHeldLimit(options.bodyBytes)),
      isTokenKnown: call => reception.tokens.read(call, deps.now()).isProven,
      receive: incoming => {
        heartbeat.note.lastCallAt = now()
        return calls.run(() => receive(incoming, reception))
      },
      onRefused: reason => metrics.countRefusal(reason),
      onBug: error => note(`A call could not be answered: ${(error as Error).message}`),
    },
    options.metricsListen ? NO_PAGES : pages,
  )
  const onDropped = () => metrics.countRefusal('connections')
  const {onReady} = heartbeat
  const stoppedMs = await serveUntilStopped(answer, pages, options, {...deps, onReady, onDropped})
  await calls.areOver(options.graceMs - (performance.now() - stoppedMs))
  for (const timer of timers) clearInterval(timer)
  await inboxWriter.writeWaiting()
  await signatures.isOver(options.graceMs - (performance.now() - stoppedMs))
  await noteNotStored()
  await heartbeat.write({endedAt: now()})
  return {counts, cutOff: calls.count}
}

const NO_PAGES: Pages = new Map()

/** The part of a path below the shop's base URL, if it is a webhook route. */
function createPathFinder({
  profile,
  basePath,
}: Pick<CaptureDeps, 'profile' | 'basePath'>): (path: string) => string | undefined {
  const provider = findProvider(profile.provider)
  return path => {
    const below = path.startsWith(basePath) ? path.slice(basePath.length) : ''
    return isRoute(provider, below, profile) ? below : undefined
  }
}

interface Parts {
  readonly inboxWriter: InboxWriter
  readonly disk: DiskQuota
  readonly metrics: Metrics
  readonly signatures: SignatureQueue
  readonly onEvent: ReceptionDeps['onEvent']
}

function createReception(
  {acceptsWhenDown, skipsDelivered}: CaptureOptions,
  deps: CaptureDeps,
  parts: Parts,
): ReceptionDeps {
  const {shop, timeoutMs, now, token, profile, oldToken} = deps
  const provider = findProvider(profile.provider)
  return {
    ...parts,
    ...{shop, timeoutMs, now, acceptsWhenDown, skipsDelivered, answers: provider.answers},
    self: `storectl-${randomBytes(8).toString('hex')}`,
    tokens: new WebhookTokens(token, findTokenLocation(provider, profile.tokenPrefix), {
      old: oldToken,
      known: deps.knownTokens,
    }),
    onAcceptedToken: digest => deps.onAcceptedToken(digest),
    eventLocks: createEventLocks(deps),
    findReplay: (...which) => deps.captures.findReplay(deps.target, ...which).catch(() => 'not known'),
    onForwarded: ms => parts.metrics.observeForward(ms),
    onResult: createOutageReporter(deps),
  }
}

/** An event is in flight for at most the time of a call and of the write after it. */
function createEventLocks({turns, target, timeoutMs}: CaptureDeps): Pick<KeyedLock, 'enter'> {
  const own = new KeyedLock()
  return turns ? new SharedKeyedLock(own, turns, target, timeoutMs + LIMITS.writingMs) : own
}

/** @returns when it was asked to stop, in milliseconds of `performance.now()` */
async function serveUntilStopped(
  answer: RequestHandler,
  pages: Pages,
  {listen, metricsListen, certificate, graceMs}: CaptureOptions,
  {profile, basePath, onReady, stopping, onDropped}: CaptureDeps & {onDropped: () => void},
): Promise<number> {
  const listeners = [await openWebhookListener(listen, answer, {graceMs, certificate, onDropped})]
  try {
    if (metricsListen)
      listeners.push(await openWebhookListener(metricsListen, createPagesHandler(pages), {graceMs}))
    const url = listeners[0]?.url as string
    const own = listeners.at(-1)?.url
    const webhookUrl = `${url}${basePath}${fillTemplate(findProvider(profile.provider).route, profile)}`
    await onReady({url, webhookUrl, health: `${own}/healthz`, metrics: `${own}/metrics`})
    await waitForAbort(stopping)
    return performance.now()
  } finally {
    for (const listener of listeners) await listener.close()
  }
}

/** How often the number of calls that were not stored is saved, if it has grown. */
const NOTE_EVERY_MS = 2000

/** How often a capture sends a heartbeat: three times in the period after which others count it as dead. */
const HEARTBEAT_EVERY_MS = 10_000

/** Sends a heartbeat to others that share the inbox; a failed write is not repeated, as the next one has the same data. */
function createHeartbeat({
  captures,
  target,
  now,
  onReady,
}: Pick<CaptureDeps, 'captures' | 'target' | 'now' | 'onReady'>) {
  const note: CaptureNote = {startedAt: now(), lastCallAt: null, endedAt: null}
  const write = (changes: Partial<CaptureNote> = {}) =>
    captures.writeHeartbeat(target, Object.assign(note, changes), now()).catch(() => undefined)
  return {
    note,
    write,
    /** A capture that cannot listen leaves no heartbeat. */
    onReady: async (addresses: CaptureAddresses) => {
      await write()
      await onReady(addresses)
    },
  }
}

function openDisk({maxDiskBytes}: CaptureOptions, deps: CaptureDeps): Promise<DiskQuota> {
  const {captures, target, freeBytes, now, note} = deps
  const countBytes = () => captures.countBytes(target, SOURCE, ROW_BYTES)
  return DiskQuota.open(maxDiskBytes, freeBytes, {countBytes, now, note})
}

/** Saves how many calls were not stored since the last time, if possible. */
function createNotStoredNote(
  disk: DiskQuota,
  {captures, target, now}: Pick<CaptureDeps, 'captures' | 'target' | 'now'>,
): () => Promise<void> {
  let noted = 0
  return async () => {
    const calls = disk.notStored - noted
    if (calls === 0) return
    noted += calls
    await captures.noteNotStored(target, calls, now()).catch(() => {
      noted -= calls
    })
  }
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), {once: true})
  })
}

/** Calls in flight, for a stop that waits for them. */
export class Calls {
  /** How many there are. */
  count = 0
  #idle: (() => void) | undefined

  async run<T>(call: () => Promise<T>): Promise<T> {
    this.count++
    try {
      return await call()
    } finally {
      this.count--
      if (this.count === 0) this.#idle?.()
    }
  }

  /** Resolves when none is in flight, or time is up. Callers may have hung up meanwhile. */
  async areOver(limitMs: number): Promise<void> {
    if (this.count === 0) return
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, Math.max(0, limitMs))
      this.#idle = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
