import {captureCompleted, type ProviderEvent, providerEvent} from '../support/events.js'
import {type Crash, chooseCrash, chooseFaults, type Fault} from './faults.js'
import {Random} from './random.js'

/** When a seed's simulation begins. */
export const START_MS = Date.parse('2026-11-20T12:00:00.000Z')

/** An event of the provider, and when it first sends it. */
export interface SentEvent {
  readonly event: ProviderEvent
  readonly transactionId: string
  readonly atMs: number
}

/** What an operator does. */
export interface Command {
  readonly operator: 'ada' | 'bea'
  readonly kind: 'replay' | 'submit' | 'join'
  readonly atMs: number
  readonly ratePerSecond: number
  readonly concurrency: number
  readonly canary: number
  readonly retries: number
  readonly checkState: boolean
}

/** How the shop is that a seed plays with. */
export interface ShopKind {
  /** A reference is taken once; otherwise the same order may be there twice. */
  readonly isUnique: boolean
  /** Orders are shown with all defaults filled in, and not just as they were sent. */
  readonly showsDefaults: boolean
  readonly hasOrderSearch: boolean
}

/** All that a seed decides beforehand. Plain data, so that a failing one can be made smaller. */
export interface Scenario {
  readonly seed: number
  readonly transactions: ReadonlyMap<string, string>
  readonly events: readonly SentEvent[]
  readonly orders: readonly string[]
  readonly commands: readonly Command[]
  readonly shop: ShopKind
  readonly acceptsWhenDown: boolean
  /** The webhook route fails for all that arrives in this time, milliseconds. */
  readonly outage: {readonly fromMs: number; readonly toMs: number}
  readonly longestSyncMs: number
  readonly faults: readonly Fault[]
  readonly crash: Crash | undefined
  /** Whether the last commands come so late that what was lost counts as not applied. */
  readonly endsLate: boolean
}

const KEYS = 8
const ORDERS = 10
const EVENTS = 30

/** The provider's story of a payment: the types of its events in the order of their times. */
const STORIES: readonly (readonly string[])[] = [
  ['captured', 'partly', 'partly-more', 'refunded'],
  ['captured', 'partly', 'partly-more', 'partly-most'],
  ['partial', 'captured', 'partly', 'refunded'],
  ['partial', 'partial-again', 'captured', 'refunded'],
  ['captured', 'refunded'],
  ['denied', 'captured', 'partly', 'partly-more'],
  ['captured', 'reversed', 'partly', 'partly-more'],
  ['captured', 'captured-again', 'partly', 'refunded'],
]

const FIRST_STATES = ['open', 'open', 'open', 'authorized', 'in_progress', 'paid', 'refunded_partially']

export function createScenario(seed: number): Scenario {
  const random = new Random(seed)
  const transactions = new Map<string, string>()
  const events: SentEvent[] = []
  for (let key = 0; key < KEYS; key++) {
    const transactionId = createId(random)
    transactions.set(transactionId, random.pick(FIRST_STATES))
    events.push(...tellStory(random, transactionId, key, events.length))
  }
  while (events.length < EVENTS) {
    const transactionId = random.pick([...transactions.keys()])
    events.push(
      ...tellStory(random, transactionId, KEYS + events.length, events.length).slice(
        0,
        EVENTS - events.length,
      ),
    )
  }
  const fromMs = random.between(0, 20_000)
  const outage = {fromMs, toMs: fromMs + random.between(5_000, 60_000)}
  return {
    ...{seed, transactions, events},
    orders: Array.from({length: ORDERS}, (_, at) => `WEB-${at + 1}`),
    commands: chooseCommands(random, outage),
    shop: {
      isUnique: random.chance(0.6),
      showsDefaults: random.chance(0.6),
      hasOrderSearch: random.chance(0.85),
    },
    acceptsWhenDown: random.chance(0.3),
    outage,
    longestSyncMs: random.chance(0.2) ? 500 : 4,
    faults: chooseFaults(random),
    crash: chooseCrash(random),
    endsLate: random.chance(0.3),
  }
}

function createId(random: Random): string {
  return Array.from({length: 32}, () => random.below(16).toString(16)).join('')
}

function tellStory(random: Random, transactionId: string, key: number, before: number): SentEvent[] {
  const beginMs = random.between(0, 15_000)
  const story = random.pick(STORIES)
  return story.map((chapter, at) => {
    const createdMs = START_MS - 600_000 + beginMs + at * 20_000
    const options = {
      ...{transactionId, seed: before + at + 1, captureId: `CAPTURE${key}`},
      createTime: new Date(createdMs).toISOString(),
    }
    const atMs = beginMs + random.between(0, 40_000)
    return {event: tellChapter(chapter, {...options, amount: findRest(story)}), transactionId, atMs}
  })
}

/** What the last capture of a story is over, so that all of them are 100. */
function findRest(story: readonly string[]): string {
  return `${100 - Object.keys(PARTS).reduce((sum, part) => sum + (story.includes(part) ? Number(PARTS[part]) : 0), 0)}.00`
}

const PARTS: Readonly<Record<string, string>> = {partial: '50.00', 'partial-again': '25.00'}

function tellChapter(chapter: string, options: object): ProviderEvent {
  const refund = (totalRefunded: string) =>
    providerEvent('PAYMENT.CAPTURE.REFUNDED', {...options, amount: '10.00', totalRefunded})
  switch (chapter) {
    case 'partial':
    case 'partial-again':
      return captureCompleted({...options, amount: PARTS[chapter] as string, finalCapture: false})
    case 'denied':
      return providerEvent('PAYMENT.CAPTURE.DENIED', options)
    case 'reversed':
      return providerEvent('PAYMENT.CAPTURE.REVERSED', {...options, totalRefunded: '15.00'})
    case 'partly':
      return refund('10.00')
    case 'partly-more':
      return refund('20.00')
    case 'partly-most':
      return refund('30.00')
    case 'refunded':
      return refund('100.00')
    default:
      return captureCompleted(options)
  }
}

/** How long after a replay began a worker asks to take part in it, milliseconds at most. */
const JOINED_WITHIN_MS = 300

/**
 * Two operators, each with a replay and a submit; and three workers who join one of the replays, which begins when there is
 * something to replay.
 */
function chooseCommands(random: Random, outage: Scenario['outage']): Command[] {
  const choose = (operator: Command['operator'], kind: Command['kind'], atMs: number): Command => ({
    ...{operator, kind, atMs},
    ratePerSecond: random.chance(0.5) ? 0 : 5,
    concurrency: 1 + random.below(4),
    canary: random.chance(0.5) ? 0 : 3,
    retries: random.below(4),
    checkState: random.chance(0.8),
  })
  const operators = ['ada', 'bea'] as const
  const own = operators.flatMap(operator =>
    (['replay', 'submit'] as const).map(kind => choose(operator, kind, random.between(2_000, 90_000))),
  )
  const sharedMs = random.between(outage.fromMs + 10_000, outage.toMs + 20_000)
  const shared = {...choose(random.pick(operators), 'replay', sharedMs), canary: 0}
  const joins = Array.from({length: 3}, () =>
    choose(random.pick(operators), 'join', sharedMs + random.between(0, JOINED_WITHIN_MS)),
  )
  const isReplaced = ({operator, kind}: Command) => kind === 'replay' && operator === shared.operator
  return [...own.filter(command => !isReplaced(command)), shared, ...joins]
}
