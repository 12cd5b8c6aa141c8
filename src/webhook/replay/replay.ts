import {StorectlError, usageError} from '../../errors.js'
import type {Answer} from '../../http/http.js'
import type {Transactions} from '../../payment/transactions.js'
import type {Counts, PlannedItem} from '../../runs/journal/run-store.js'
import {type OpenRun, type OpenRunDeps, openRun} from '../../runs/open-run.js'
import type {StopLimits} from '../../runs/pool/circuit-breaker.js'
import type {Shop} from '../delivery/delivery.js'
import {type Outlet, shopOutlet} from '../delivery/delivery-transport.js'
import type {InboxEvent} from '../event/event.js'
import type {Scratch} from '../import/spool.js'
import type {Inbox} from '../inbox/inbox.js'
import type {Rules} from '../plan/action.js'
import {requireNotApplied, requireSame} from '../plan/approved-plan.js'
import {makePlan, type Plan} from '../plan/plan.js'
import type {WrittenPlan} from '../plan/plan-file.js'
import {type Purpose, sinceWhen} from '../plan/replay-input.js'
import type {Provider} from '../provider/provider.js'
import {providerOutlet} from '../provider/provider-delivery.js'
import type {ReplayRow} from './replay-row.js'
import {sending, unsentRows} from './send-planned.js'

/** How a replay is carried out; every limit can be turned off. */
export interface ReplayOptions extends Rules, StopLimits {
  /** Sends a second; 0 for no limit. */
  readonly ratePerSecond: number
  /** Transactions at once. */
  readonly concurrency: number
  readonly retries: number
  /** More sends than this are refused before the first. */
  readonly max: number | undefined
  /** Who delivers the events: we do, to the shop, or the provider. */
  readonly via: 'shop' | 'provider'
  /** How long the effect of what the provider delivers is waited for, milliseconds. */
  readonly providerWaitMs: number
}

export interface ReplayInput {
  readonly options: ReplayOptions
  readonly isNamed: boolean
  readonly reason: string | null
  /** What was asked for, for the record. */
  readonly asked: Readonly<Record<string, unknown>>
  /** Run that this one carries on with. */
  readonly continues?: string | undefined
  /** What delivered events are sent again for. */
  readonly purpose?: Purpose | undefined
  /** The plan that was written down and is to be carried out; anything else is refused. */
  readonly approved?: WrittenPlan | undefined
  /** Writes the plan down, before anybody is asked. */
  readonly writeDown?: ((made: Plan, rules: Rules) => Promise<string>) | undefined
}

export interface ReplayDeps extends OpenRunDeps {
  readonly inbox: Inbox
  /** Name of the shop in inbox, ledger and lease. */
  readonly target: string
  readonly shop: Shop & {
    webhookToken(): Promise<string>
    confirmWrite(what: string): Promise<void>
  }
  /** `undefined` when states are not looked at. */
  readonly transactions: Transactions | undefined
  readonly userAgent: string
  /** How long an answer asks us to wait, milliseconds. */
  readonly retryAfterMs: (answer: Answer) => number | undefined
  readonly stopping: AbortSignal
  /** The provider's own API; asked for only when it is to deliver. */
  readonly provider: () => Promise<Provider>
  /** The events meant, the oldest first, once everything that may add to them has been settled. */
  readonly events: () => AsyncIterable<InboxEvent>
  /** Where a long plan lies. */
  readonly openScratch: () => Promise<Scratch>
  /** Called once the plan stands and is agreed to, before the first event is sent. */
  readonly agreed: () => Promise<void>
  /** A line for the person. */
  readonly note: (text: string) => Promise<void>
}

/** A replay under way. */
export interface Replay {
  /** `null` when there was nothing to send, so that no run was needed. */
  readonly run: string | null
  /** One for each event, as it ends; what is not sent comes first. */
  readonly rows: AsyncIterable<readonly ReplayRow[]>
  /** How many rows there are if nothing stops it. */
  readonly total: number
  /** Ids of the events that are sent or about to be, and have no answer that is clear. */
  readonly inFlight: ReadonlySet<string>
  /** Why it stopped before its end, once the rows have ended. */
  readonly halt: () => StorectlError | undefined
  /** How many events of the whole run have no result, once the rows have ended. */
  readonly left: () => number
  /** What other workers of the run have ended, as of a moment ago. */
  readonly others: () => Counts
  /** Whether others go on with the run, once the rows have ended. */
  readonly goesOn: () => boolean
}

/**
 * What a replay would do, without sending anything.
 *
 * A silent run's open events are settled first, so that the plan knows them for `unknown`.
 */
export async function dryRun(given: ReplayInput, deps: ReplayDeps): Promise<Plan> {
  const input = await withPurpose(given, deps)
  const run = await begin(input, deps).catch(error => {
    if ((error as StorectlError).code === 'conflict.lease_held') return undefined
    throw error
  })
  await run?.abandon()
  const made = await plan(input, deps)
  await hashOf(made, input, deps)
  return made
}

/** A plan that is written down speaks of events that are in the inbox from then on. */
async function hashOf(made: Plan, input: ReplayInput, deps: ReplayDeps): Promise<string | undefined> {
  if (!input.writeDown) return input.approved?.hash
  await deps.agreed()
  return input.writeDown(made, input.options)
}

/**
 * Plans, asks, and sends. Nothing is sent when there is more than allowed, or when nobody agrees.
 *
 * @throws StorectlError `conflict.lease_held` when another replay to this shop is under way, `guard.too_many`,
 * `guard.plan_outdated`, `usage.plan_applied`, and as `confirmWrite`, `webhookToken` and `Transactions.find` do
 */
export async function replay(given: ReplayInput, deps: ReplayDeps): Promise<Replay> {
  const input = await withPurpose(given, deps)
  const run = await begin(input, deps)
  try {
    const made = await plan(input, deps)
    const hash = await hashOf(made, input, deps)
    const {max} = input.options
    if (max !== undefined && made.sends > max) throw tooMany(made.sends, max, input)
    if (made.sends === 0) {
      await deps.agreed()
      await run.abandon()
      const rows = unsentRows(made)
      const none = {inFlight: new Set<string>(), halt: () => undefined, left: () => 0}
      return {run: null, rows, total: made.total, ...none, others: () => ({}), goesOn: () => false}
    }
    const outlet = await outletOf(run.id, input, deps)
    await deps.shop.confirmWrite(question(made, input, deps))
    await deps.agreed()
    await run.expect(made.total, made.sends, toBeSent(made), hash)
    return sending(made, run, outlet, input, deps)
  } catch (error) {
    // What went wrong matters more than that the run could not be taken back: its lease goes with this process.
    await run.abandon().catch(() => undefined)
    throw error
  }
}

/** A purpose carries on from where its first run began; the run remembers that for the next one. */
async function withPurpose(input: ReplayInput, {store, target, clock}: ReplayDeps): Promise<ReplayInput> {
  const {purpose} = input
  if (!purpose) return input
  const sinceMs = await sinceWhen(purpose, target, store, clock.now())
  const options = {...input.options, countsSinceMs: sinceMs}
  return {...input, options, asked: {...input.asked, options, purpose: {of: purpose.of, sinceMs}}}
}

async function* toBeSent(made: Plan): AsyncGenerator<PlannedItem, void, void> {
  for await (const {event, verdict, orderingKey, isUnsure, state} of made.entries())
    if (verdict === 'send') yield {item: event.id, orderingKey, isUnsure, metadata: state}
}

function begin({reason, asked, continues}: ReplayInput, deps: ReplayDeps): Promise<OpenRun> {
  const {name} = deps.shop.profile
  return openRun(
    {
      kind: 'replay',
      target: deps.target,
      profile: name,
      reason,
      options: asked,
      total: null,
      continues: continues ?? null,
    },
    deps,
  )
}

/** Ages are counted up to when an approved plan was made, or none would stay the same. */
async function plan({options, isNamed, approved}: ReplayInput, deps: ReplayDeps): Promise<Plan> {
  const {target, inbox, store, transactions, clock, stopping, openScratch} = deps
  if (approved) await requireNotApplied(approved, target, store)
  const now = approved ? new Date(approved.head.madeAt) : clock.now()
  const made = await makePlan(
    {target, events: deps.events(), rules: options, isNamed},
    {inbox, runs: store, transactions, openScratch, now, signal: stopping},
  )
  if (approved) await requireSame(made, approved)
  return made
}

/** @throws StorectlError `auth.no_webhook_token`, `auth.no_provider_credentials`, `usage.provider_unseen` */
export async function outletOf(
  run: string,
  {options}: Pick<ReplayInput, 'options'>,
  deps: OutletDeps,
): Promise<Outlet> {
  const {transactions} = deps
  if (options.via !== 'provider')
    return shopOutlet({...deps, token: await deps.shop.webhookToken(), rules: options, run})
  if (!transactions) throw unseen()
  const provider = await deps.provider()
  return providerOutlet({...deps, provider, transactions, patienceMs: options.providerWaitMs})
}

/** What events are sent through needs of a replay. */
export type OutletDeps = Pick<
  ReplayDeps,
  'shop' | 'transactions' | 'userAgent' | 'retryAfterMs' | 'stopping' | 'provider' | 'clock'
>

function unseen(): StorectlError {
  return usageError(
    'provider_unseen',
    'What the provider delivers is seen by the states of transactions alone: --via provider and --verify none do not go together.',
    ['leave --verify none out', 'or leave --via provider out'],
  )
}

function question({sends}: Plan, {options}: ReplayInput, {shop}: ReplayDeps): string {
  const {name, url} = shop.profile
  const who = options.via === 'provider' ? 'have the provider send' : 'send'
  return `${who} ${sends} ${sends === 1 ? 'event' : 'events'} again to ${url.href.replace(/\/$/, '')} (${name})`
}

function tooMany(sends: number, max: number, {approved}: ReplayInput): StorectlError {
  const raise = `add --max ${sends}`
  // What a plan holds cannot be narrowed any more: filters do not go with it.
  return new StorectlError(
    'guard.too_many',
    `${sends} events would be sent, and at most ${max} are allowed. Nothing was sent.`,
    {nextSteps: approved ? [raise] : ['narrow it with --type, --since or --until', `or ${raise}`]},
  )
}
