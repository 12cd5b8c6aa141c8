import {StorectlError} from '../errors.js'
import type {Answer} from '../http/caller.js'
import {type Execution, execute} from '../run/execute.js'
import type {Limits} from '../run/guards.js'
import type {Item} from '../run/item.js'
import {type OpenRun, type OpenRunDeps, openRun} from '../run/open-run.js'
import {deedsOf, outcomeOf, type Sending} from './deeds.js'
import type {InboxEvent} from './event.js'
import type {Inbox} from './inbox.js'
import {makePlan, type Plan, type Planned} from './plan.js'
import {outcomeRow, type ReplayRow} from './replay-row.js'
import type {Shop} from './send.js'
import type {Transactions} from './transactions.js'
import type {Rules} from './verdict.js'

/** How a replay is carried out; every limit can be turned off. */
export interface ReplayOptions extends Rules, Limits {
  /** Sends a second; 0 for no limit. */
  readonly ratePerSecond: number
  /** Transactions at once. */
  readonly concurrency: number
  readonly retries: number
  /** More sends than this are refused before the first. */
  readonly max: number | undefined
}

export interface ReplayInput {
  readonly options: ReplayOptions
  readonly isNamed: boolean
  readonly reason: string | null
  /** What was asked for, for the record. */
  readonly asked: Readonly<Record<string, unknown>>
  /** Run that this one carries on with. */
  readonly continues?: string | undefined
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
  /** The events meant, the oldest first, once everything that may add to them has been settled. */
  readonly events: () => AsyncIterable<InboxEvent>
  /** Called once the plan stands and is agreed to, before the first event is sent. */
  readonly agreed: () => Promise<void>
}

/** A replay under way. */
export interface Replay {
  /** `null` when there was nothing to send, so that no run was needed. */
  readonly run: string | null
  /** One for each event, as it ends; what is not sent comes first. */
  readonly rows: AsyncIterable<ReplayRow>
  /** Why it stopped before its end, once the rows have ended. */
  readonly halt: () => StorectlError | undefined
}

/**
 * What a replay would do, without sending anything.
 *
 * A silent run's open events are settled first, so that the plan knows them for `unknown`.
 */
export async function dryRun(input: ReplayInput, deps: ReplayDeps): Promise<Plan> {
  const run = await begin(input, deps).catch(error => {
    if ((error as StorectlError).code === 'conflict.lease_held') return undefined
    throw error
  })
  await run?.abandon()
  return plan(input, deps)
}

/**
 * Plans, asks, and sends. Nothing is sent when there is more than allowed, or when nobody agrees.
 *
 * @throws StorectlError `conflict.lease_held` when another replay to this shop is under way, `guard.too_many`, and as
 * `confirmWrite`, `webhookToken` and `Transactions.find` do
 */
export async function replay(input: ReplayInput, deps: ReplayDeps): Promise<Replay> {
  const run = await begin(input, deps)
  try {
    const made = await plan(input, deps)
    const {max} = input.options
    if (max !== undefined && made.sends > max) throw tooMany(made.sends, max)
    if (made.sends === 0) {
      await deps.agreed()
      await run.abandon()
      return {run: null, rows: unsentRows(made.entries), halt: () => undefined}
    }
    const token = await deps.shop.webhookToken()
    await deps.shop.confirmWrite(question(made, deps))
    await deps.agreed()
    const sends = made.entries.filter(entry => entry.verdict === 'send')
    await run.expect(
      made.entries.length,
      sends.map(entry => entry.event.id),
    )
    return sending(made, run, token, input, deps)
  } catch (error) {
    await run.abandon()
    throw error
  }
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

function plan({options, isNamed}: ReplayInput, deps: ReplayDeps): Promise<Plan> {
  const {target, inbox, store, transactions, clock, stopping} = deps
  return makePlan(
    {target, events: deps.events(), rules: options, isNamed},
    {inbox, runs: store, transactions, now: clock.now(), signal: stopping},
  )
}

function question({sends}: Plan, {shop}: ReplayDeps): string {
  const {name, url} = shop.profile
  return `send ${sends} ${sends === 1 ? 'event' : 'events'} again to ${url.href.replace(/\/$/, '')} (${name})`
}

function tooMany(sends: number, max: number): StorectlError {
  return new StorectlError(
    'guard.too_many',
    `${sends} events would be sent, and at most ${max} are allowed. Nothing was sent.`,
    {nextSteps: ['narrow it with --type, --since or --until', `or add --max ${sends}`]},
  )
}

function sending(made: Plan, run: OpenRun, token: string, {options}: ReplayInput, deps: ReplayDeps): Replay {
  const {clock, random, stopping, userAgent, retryAfterMs, shop, transactions, inbox, target} = deps
  const execution = execute(items(made, inbox, target), {
    ...deedsOf({
      ...{shop, token, transactions, userAgent, retryAfterMs},
      rules: options,
      run: run.id,
      now: () => clock.now(),
    }),
    journal: run.journal,
    ...{clock, random, stopping, limits: options, blocksLane: true},
    ...{concurrency: options.concurrency, ratePerSecond: options.ratePerSecond, retries: options.retries},
  })
  return {run: run.id, rows: rows(made, run, execution), halt: () => execution.halt}
}

async function* rows(
  made: Plan,
  run: OpenRun,
  execution: Execution<Sending>,
): AsyncGenerator<ReplayRow, void, void> {
  let failed = false
  try {
    yield* recordUnsent(made.entries, run)
    for await (const result of execution.results) {
      run.count(result.outcome)
      yield outcomeRow(result.item.value, result, run.id)
    }
  } catch (error) {
    failed = true
    throw error
  } finally {
    await execution.results.return()
    if (failed) await run.fail()
    else await run.end({isComplete: execution.isComplete, halt: execution.halt})
  }
}

/** What is not sent goes into the record too, with the reason. */
async function* recordUnsent(
  entries: readonly Planned[],
  run: OpenRun,
): AsyncGenerator<ReplayRow, void, void> {
  for (let from = 0; from < entries.length; from += BODIES_AT_ONCE) {
    const unsent = entries.slice(from, from + BODIES_AT_ONCE).filter(entry => entry.verdict !== 'send')
    await Promise.all(
      unsent.map(entry => run.journal.write({...unsentOf(entry), kind: 'result', attempt: 0})),
    )
    for (const entry of unsent) {
      const outcome = unsentOf(entry)
      run.count(outcome.outcome)
      yield outcomeRow(entry, {...outcome, attempts: 0}, run.id)
    }
  }
}

async function* unsentRows(entries: readonly Planned[]): AsyncGenerator<ReplayRow, void, void> {
  for (const entry of entries) yield outcomeRow(entry, {...unsentOf(entry), attempts: 0}, null)
}

function unsentOf({event, lane, verdict, why}: Planned) {
  const detail = why === null ? verdict : `${verdict}: ${why}`
  const {id, sha256} = event
  return {item: id, lane, contentHash: sha256, grade: 'held', outcome: outcomeOf(verdict), detail} as const
}

/** Bodies that are read at a time. */
const BODIES_AT_ONCE = 100

async function* items(
  {entries}: Plan,
  inbox: Inbox,
  target: string,
): AsyncGenerator<Item<Sending>, void, void> {
  for (let from = 0; from < entries.length; from += BODIES_AT_ONCE) {
    const some = entries.slice(from, from + BODIES_AT_ONCE).filter(entry => entry.verdict === 'send')
    if (some.length === 0) continue
    const contents = await inbox.contents(
      target,
      some.map(entry => entry.event.id),
    )
    for (const entry of some) {
      const content = contents.get(entry.event.id)
      if (!content)
        throw new StorectlError(
          'internal.body_gone',
          `The body of ${entry.event.id} is no longer in the inbox.`,
        )
      const {event, lane, isUnsure} = entry
      yield {key: event.id, lane, contentHash: event.sha256, unsure: isUnsure, value: {...entry, content}}
    }
  }
}
