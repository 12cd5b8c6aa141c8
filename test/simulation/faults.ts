import type {Random} from './random.js'

/** A call that something may go wrong with. */
export type Route = 'webhook' | 'order' | 'transactions' | 'orders' | 'capture'

/**
 * - `lost-before`, `lost-after`: no answer comes; the shop did nothing, or all of it
 * - `not-connected`: nothing was sent
 * - `duplicated`: something in between sends the call twice
 * - `late-call`, `late-answer`: seconds on the way, so that it is overtaken by others
 * - `busy`, `down-before`, `down-after`: 429, and 503 before or after the commit
 * - `opaque-before`, `opaque-after`: the one text for everything, before or after the commit
 * - `half`: an answer that breaks off after the commit
 * - `swapped`: the answer of another call of the route
 * - `given-up`, `timed-out`: something before the shop answers 504, or a slow 502 or 503, or nothing at all; the shop works
 *   on and ends later
 * - `given-up-before`, `bad-gateway`: 504 after some seconds, or 502 at once, and the shop never gets the call
 */
const CALL_FAULTS = [
  ...['lost-before', 'lost-after', 'not-connected', 'duplicated', 'late-call', 'late-answer'],
  ...['busy', 'down-before', 'down-after', 'opaque-before', 'opaque-after', 'half', 'swapped'],
  ...['given-up', 'given-up', 'timed-out', 'given-up-before', 'bad-gateway'],
] as const
/**
 * What every call of a route comes to while the shop is away: `slow-down` is 503 after some seconds, `wrong-token` the answer
 * of a shop whose token was changed.
 */
export type CallFault = (typeof CALL_FAULTS)[number] | 'slow-down' | 'wrong-token'

export type Fault =
  | {readonly kind: 'call'; readonly route: Route; readonly what: CallFault; readonly nth: number}
  /** The n-th sync fails. */
  | {readonly kind: 'sync'; readonly nth: number}
  /** The machine's clock is set, milliseconds. */
  | {readonly kind: 'clock'; readonly atMs: number; readonly byMs: number}
  /** The shop is restored from a backup. */
  | {readonly kind: 'restore'; readonly atMs: number; readonly backupMs: number}
  /** Ctrl-C for what is under way. */
  | {readonly kind: 'interrupt'; readonly atMs: number}

/** A process is killed, or the power fails, at the n-th thing that a program does: a statement, a call, a sync. */
export interface Crash {
  readonly kind: 'kill' | 'power'
  readonly nth: number
}

const ROUTES: readonly Route[] = [
  'webhook',
  'webhook',
  'webhook',
  'order',
  'order',
  'transactions',
  'orders',
  'capture',
]

const PER_ROUTE: Readonly<Record<Route, number>> = {
  webhook: 60,
  order: 16,
  transactions: 40,
  orders: 6,
  capture: 40,
}

/** What may go wrong with a call of a route. */
function listFaults(route: Route): readonly CallFault[] {
  if (route === 'order') return CALL_FAULTS.filter(fault => !fault.startsWith('opaque'))
  if (route === 'webhook') return CALL_FAULTS.filter(fault => fault !== 'swapped')
  if (route === 'capture') return ['lost-before', 'lost-after', 'duplicated', 'late-call']
  const harmless = [
    'lost-before',
    'not-connected',
    'busy',
    'down-before',
    'late-call',
    'late-answer',
  ] as const
  return [...harmless, 'half', 'given-up-before', 'bad-gateway']
}

/** At least three faults. */
export function chooseFaults(random: Random): Fault[] {
  const faults: Fault[] = []
  const count = 3 + random.below(10)
  for (let at = 0; at < count; at++) {
    const route = random.pick(ROUTES)
    faults.push({
      kind: 'call',
      route,
      what: random.pick(listFaults(route)),
      nth: random.below(PER_ROUTE[route]),
    })
  }
  if (random.chance(0.25)) faults.push({kind: 'sync', nth: random.below(150)})
  if (random.chance(0.3))
    faults.push({kind: 'clock', atMs: random.between(0, 120_000), byMs: random.between(-600_000, 600_000)})
  if (random.chance(0.1))
    faults.push({kind: 'restore', atMs: random.between(30_000, 150_000), backupMs: random.between(0, 30_000)})
  if (random.chance(0.2)) faults.push({kind: 'interrupt', atMs: random.between(10_000, 120_000)})
  return faults
}

export function chooseCrash(random: Random): Crash {
  return {kind: random.chance(0.5) ? 'kill' : 'power', nth: random.below(1800)}
}
