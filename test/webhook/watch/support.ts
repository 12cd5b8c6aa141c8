import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {type Clock, machineClock} from '../../../src/platform/clock.js'
import {SkippingClock} from '../../support/clock.js'
import {type TestContext, testContext} from '../../support/context.js'
import type {Received, Reply} from '../../support/endpoint.js'
import {temporaryFolder} from '../../support/home.js'
import {type Ended, storectl} from '../../support/storectl.js'
import {ndjson, refusal, type TestShop, testShop} from '../support.js'

/** A shop that a watch probes: it may be away for as long as somebody says. */
export interface WatchedShop extends TestShop {
  /** What answers in place of the shop; `undefined` for the shop itself. */
  away: (request: Received) => Reply | undefined
  /** Calls of the webhook route in order: `probe`, or the id of an event. */
  readonly calls: () => string[]
}

export const AWAY: Reply = {status: 503, body: '<h1>maintenance</h1>'}

export async function watchedShop(states: Record<string, string>): Promise<WatchedShop> {
  const base = await testShop(states)
  const shop: WatchedShop = Object.assign(base, {
    away: () => undefined,
    calls: () => base.received.map(nameCall),
  })
  shop.intercept = request => {
    const instead = shop.away(request)
    if (instead) return instead
    return request.body === '{}' && shop.tokens.has(request.url.split('?sw-token=')[1] ?? '')
      ? refusal('No webhook data sent')
      : undefined
  }
  return shop
}

function nameCall({body}: Received): string {
  return body === '{}' ? 'probe' : JSON.parse(body).id
}

/** Puts events into the inbox. */
export async function importEvents(
  events: Iterable<object>,
  {home, host: {env}}: Pick<TestContext, 'home' | 'host'>,
): Promise<void> {
  const file = join(temporaryFolder(), 'events.ndjson')
  writeFileSync(file, ndjson(events))
  const {exit, stderr} = await storectl(['webhook', 'import', file], {home, env})
  if (exit !== 0) throw new Error(stderr)
}

/** A watch in this process, whose sleeps take no time. */
export interface RunningWatch {
  readonly context: TestContext
  readonly home: string
  /** Resolves when something is so; fails after some seconds. */
  until(isSo: () => boolean | Promise<boolean>): Promise<void>
  /** Ends it as a service manager does. */
  stop(): Promise<Ended>
}

export const WATCH = ['webhook', 'replay', '--watch', '--rate', '0', '-o', 'ndjson']

/** A clock that runs four times as fast: what others do in real time comes between two of its sleeps. */
export class QuickClock extends SkippingClock {
  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await machineClock.sleep(ms / 4, signal)
    await super.sleep((ms * 3) / 4, signal)
  }
}

/** @param words flags besides; `--yes` unless they say otherwise */
export function startWatch(
  shop: WatchedShop,
  {
    home = temporaryFolder(),
    words = ['--yes'],
    env = {},
    clock = new SkippingClock(),
    argv = [...WATCH, ...words],
  }: {
    readonly home?: string
    readonly words?: readonly string[]
    readonly env?: Record<string, string>
    readonly clock?: Clock
    /** In place of all of them. */
    readonly argv?: readonly string[]
  } = {},
): RunningWatch {
  const context = testContext({home, env: {...shop.env, ...env}, clock})
  let isOver = false
  const ended = storectl(argv, context).finally(() => {
    isOver = true
  })
  return {
    context,
    home,
    until: async isSo => {
      for (const endMs = performance.now() + 20_000; !(await isSo()); ) {
        if (performance.now() > endMs || isOver)
          throw new Error(`it did not come to that:\n${context.err()}\n${context.out()}`)
        await new Promise(resolve => setTimeout(resolve, 10))
      }
    },
    stop: async () => {
      context.interruption.stop('SIGTERM')
      return ended
    },
  }
}
