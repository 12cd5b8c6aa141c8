import {randomBytes} from 'node:crypto'
import type {Caller} from '../http/http.js'
import type {Address} from '../http/listener.js'
import type {CaptureInbox, Turns} from '../webhook/inbox/capture-inbox.js'
import {Calls} from './calls.js'
import {LIMITS} from './capture-limits.js'
import {json, type Reply} from './capture-response.js'
import type {Captured, CapturedRow, Opened} from './capture-view.js'
import {Keeping} from './inbox-writer.js'
import {Lanes, SharedLanes} from './keyed-lock.js'
import {type Metrics, openMetrics} from './metrics.js'
import {type ReceptionDeps, receive} from './receive.js'
import {answering, answeringPages, type Pages} from './routes.js'
import {type Answering, type Certificate, openDoor} from './webhook-listener.js'
import {WebhookTokens} from './webhook-tokens.js'

export interface CaptureOptions {
  readonly listen: Address
  /** Where `/healthz` and `/metrics` are answered; `undefined`: at the same address as the webhook. */
  readonly metricsListen: Address | undefined
  readonly certificate: Certificate | undefined
  readonly bodyBytes: number
  readonly acceptsWhenDown: boolean
  readonly skipsDelivered: boolean
  /** Events that are kept of those that anybody may have made up. */
  readonly mostUnproven: number
  /** How long a stop waits for what is under way, milliseconds. */
  readonly graceMs: number
}

export interface CaptureDeps {
  readonly captures: CaptureInbox
  /** Whose turn it is among all captures that share the inbox; `undefined` where this is the only one. */
  readonly turns: Turns | undefined
  /** The shop's name in the inbox. */
  readonly target: string
  /** Hands calls on; `undefined` where events are only kept. */
  readonly shop: Caller | undefined
  /** Of the webhook route below the shop's base URL, and as callers see it. */
  readonly path: string
  readonly publicPath: string
  readonly token: string
  readonly tokenPrefix: string
  /** The token that the profile's took the place of, where the provider may still show it. */
  readonly oldToken: string | undefined
  /** How long a call to the shop may take, milliseconds. */
  readonly timeoutMs: number
  readonly now: () => Date
  /** Ends it. */
  readonly stopping: AbortSignal
  readonly onReady: (opened: Opened) => Promise<void>
  readonly onEvent: (row: CapturedRow) => void
  /** Something that whoever runs it should know. */
  readonly note: (text: string) => void
}

/**
 * Stands in front of a shop's webhook route until it is told to stop: writes each call down, hands it on, and gives the
 * shop's answer.
 *
 * @throws StorectlError `conflict.port_in_use`, `usage.address_not_usable`, and as reading the inbox does
 */
export async function capture(options: CaptureOptions, deps: CaptureDeps): Promise<Captured> {
  const {captures, target, now, note} = deps
  const keeping = new Keeping({captures, target, now, note})
  const metrics = await openMetrics({
    counts: () => captures.counts(target),
    now,
    isWritable: () => keeping.isWritable,
  })
  const counts = new Map<CapturedRow['status'], number>()
  const onEvent = (row: CapturedRow) => {
    counts.set(row.status, (counts.get(row.status) ?? 0) + 1)
    metrics.event(row.status, row.answered)
    deps.onEvent(row)
  }
  const reception = await receptionOf(options, deps, {keeping, metrics, onEvent})
  const calls = new Calls()
  const pages: Pages = new Map([
    ['/healthz', () => health(keeping)],
    ['/metrics', () => metrics.page()],
  ])
  const answer = answering(
    {
      ...{path: deps.publicPath, self: reception.self, bodyBytes: options.bodyBytes},
      held: {bytes: 0, limit: LIMITS.heldBytes},
      receive: incoming => calls.run(() => receive(incoming, reception)),
      onRefused: reason => metrics.refused(reason),
      onBug: error => note(`A call could not be answered: ${(error as Error).message}`),
    },
    options.metricsListen ? NO_PAGES : pages,
  )
  const onDropped = () => metrics.refused('connections')
  const stoppedMs = await untilStopped(answer, pages, options, {...deps, onDropped})
  await calls.areOver(options.graceMs - (performance.now() - stoppedMs))
  await keeping.catchUp()
  return {counts, cutOff: calls.count}
}

const NO_PAGES: Pages = new Map()

interface Parts {
  readonly keeping: Keeping
  readonly metrics: Metrics
  readonly onEvent: ReceptionDeps['onEvent']
}

async function receptionOf(
  {mostUnproven, acceptsWhenDown, skipsDelivered}: CaptureOptions,
  deps: CaptureDeps,
  parts: Parts,
): Promise<ReceptionDeps> {
  const {captures, target, shop, path, timeoutMs, now, note, token, tokenPrefix, oldToken} = deps
  return {
    ...parts,
    ...{shop, path, timeoutMs, now, acceptsWhenDown, skipsDelivered},
    self: `storectl-${randomBytes(8).toString('hex')}`,
    strangers: {room: mostUnproven - (await captures.unproven(target))},
    tokens: new WebhookTokens(token, tokenPrefix, oldToken),
    lanes: lanesOf(deps),
    onForwarded: ms => parts.metrics.forwarded(ms),
    onOutcome: noticing(note),
  }
}

/** An event is with the shop for no longer than a call may take, and the write that follows. */
function lanesOf({turns, target, timeoutMs}: CaptureDeps): Pick<Lanes, 'enter'> {
  const own = new Lanes()
  return turns ? new SharedLanes(own, turns, target, timeoutMs + LIMITS.writingMs) : own
}

/** @returns when it was told to stop, in milliseconds of `performance.now()` */
async function untilStopped(
  answer: Answering,
  pages: Pages,
  {listen, metricsListen, certificate, graceMs}: CaptureOptions,
  {publicPath, onReady, stopping, onDropped}: CaptureDeps & {onDropped: () => void},
): Promise<number> {
  const doors = [await openDoor(listen, answer, {graceMs, certificate, onDropped})]
  try {
    if (metricsListen) doors.push(await openDoor(metricsListen, answeringPages(pages), {graceMs}))
    const url = doors[0]?.url as string
    const own = doors.at(-1)?.url
    await onReady({url, webhookUrl: url + publicPath, health: `${own}/healthz`, metrics: `${own}/metrics`})
    await fired(stopping)
    return performance.now()
  } finally {
    for (const door of doors) await door.close()
  }
}

async function health(keeping: Keeping): Promise<Reply> {
  const trouble = await keeping.trouble()
  return trouble === undefined ? json(200, {status: 'ok'}) : json(503, {status: 'unwritable', code: trouble})
}

/** Says once that the shop went away or refuses our token, and once that it is back. */
function noticing(note: (text: string) => void): ReceptionDeps['onOutcome'] {
  let away = 0
  let isRefused = false
  return ({isAway, cause, refusesToken, provesToken}, isOwnToken) => {
    if (isAway && away === 0) note(`The shop did not answer; events are kept: ${cause ?? ''}`)
    if (!isAway && away > 0) note(`The shop answers again; ${away} events were kept meanwhile.`)
    away = isAway ? away + 1 : 0
    if (!isOwnToken) return
    if (refusesToken && !isRefused)
      note(`${cause}: the shop does not know the profile's webhook token any more.`)
    isRefused = refusesToken || (isRefused && !provesToken)
  }
}

function fired(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), {once: true})
  })
}
