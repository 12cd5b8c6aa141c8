import {StorectlError} from '../errors.js'
import type {Answer} from '../http/caller.js'
import type {Deeds} from '../run/attempts.js'
import type {Conclusion, Item, Looked} from '../run/item.js'
import {handlerFor} from '../shop-model/webhook-handlers.js'
import {readAnswer, readNoAnswer} from './answer.js'
import type {EventContent} from './event.js'
import {forecast} from './forecast.js'
import type {Planned} from './plan.js'
import {type Shop, send, webhookPath} from './send.js'
import type {Transaction, Transactions} from './transactions.js'
import {byState, type Rules} from './verdict.js'

/** An event that is to be sent, with its bytes. */
export interface Sending extends Planned {
  readonly content: EventContent
}

export interface SendingDeps {
  readonly shop: Shop
  readonly token: string
  /** `undefined` when states are not looked at. */
  readonly transactions: Transactions | undefined
  readonly rules: Rules
  readonly run: string
  readonly userAgent: string
  readonly now: () => Date
  /** How long an answer asks us to wait, milliseconds. */
  readonly retryAfterMs: (answer: Answer) => number | undefined
}

/**
 * How an event is sent: the state of its transaction is looked at, the event is sent unless that would do harm, and
 * the state is looked at again to see what came of it.
 */
export function deedsOf(deps: SendingDeps): Deeds<Sending> {
  const before = new Map<string, Transaction>()
  return {
    before: async item => (deps.transactions ? heldNow(item, deps, deps.transactions, before) : undefined),
    act: async (item, attempt) => {
      const conclusion = await sendOnce(item, attempt, deps, before.get(item.key))
      if (conclusion.grade !== 'later' && conclusion.grade !== 'unknown') before.delete(item.key)
      return conclusion
    },
    lookUp: item => lookUp(item, deps),
  }
}

type Event = Item<Sending>

/** The plan's verdict may be old: what would do harm now is held. */
async function heldNow(
  {key, value}: Event,
  {rules, now}: SendingDeps,
  transactions: Transactions,
  before: Map<string, Transaction>,
): Promise<Conclusion | undefined> {
  try {
    const transaction = await transactions.find(value.event.traits.key)
    if (transaction) before.set(key, transaction)
    const known = {
      now: now(),
      isNamed: value.isNamed,
      ledger: undefined,
      transaction,
      deliveredUpTo: undefined,
    }
    const {verdict, why} = byState(value.event, rules, known)
    if (verdict === 'send') return undefined
    return {
      grade: 'held',
      outcome: outcomeOf(verdict),
      detail: `${verdict}: ${why}`,
      facts: {before: transaction?.state},
    }
  } catch (error) {
    return withoutState(error)
  }
}

/** What a verdict other than `send` comes to. */
export function outcomeOf(verdict: Planned['verdict']): string {
  if (verdict === 'invalid') return 'invalid'
  return verdict.startsWith('skip:') ? 'skipped' : 'held'
}

/** Nothing is sent when nobody can say what it would do. */
function withoutState(error: unknown): Conclusion {
  if (!(error instanceof StorectlError)) throw error
  const conclusion = {
    grade: 'failed',
    outcome: 'failed',
    detail: `not sent, because its state could not be looked at: ${error.message}`,
    exit: error.exitName,
  } as const
  return error.exitName === 'unavailable' ? conclusion : {...conclusion, halt: error}
}

async function sendOnce(
  item: Event,
  attempt: number,
  deps: SendingDeps,
  before: Transaction | undefined,
): Promise<Conclusion> {
  const {shop, token, run, userAgent, retryAfterMs} = deps
  const {event, content} = item.value
  try {
    const answer = await send(shop, token, content, {run, event: event.id, attempt, userAgent})
    const url = `${shop.profile.url.href.replace(/\/$/, '')}${webhookPath(shop)}`
    const reading = readAnswer(answer, {profile: shop.profile.name, url, retryAfterMs})
    if (reading.kind === 'concluded') return reading.conclusion
    if (reading.kind === 'accepted') return await accepted(item, answer.status, deps, before)
    return await refused(item, reading.said, deps)
  } catch (error) {
    if (error instanceof StorectlError && error.exitName === 'unavailable') return readNoAnswer(error)
    throw error
  }
}

/** 200 says that it was handled, or that nothing handles its type, or that it was so already. */
async function accepted(
  {value: {event}}: Event,
  status: number,
  {transactions}: SendingDeps,
  before: Transaction | undefined,
): Promise<Conclusion> {
  const well = {grade: 'done', status} as const
  if (!handlerFor(event.type))
    return {...well, outcome: 'noop', detail: `a shop does nothing with ${event.type}`}
  if (!transactions || !before)
    return {...well, outcome: 'accepted', detail: 'answered 200; its effect was not looked at'}
  const after = await transactions.find(event.traits.key).catch(() => undefined)
  if (!after) return {...well, outcome: 'accepted', detail: 'answered 200; its effect could not be looked at'}
  const facts = {before: before.state, after: after.state}
  if (after.state === before.state)
    return {...well, outcome: 'noop', detail: `is still ${after.state}`, facts}
  return {...well, outcome: 'applied', detail: `${before.state} → ${after.state}`, facts}
}

/** The one text stands for an unknown transaction, an impossible transition, or a passing fault. */
async function refused(
  {value: {event}}: Event,
  said: string,
  {transactions}: SendingDeps,
): Promise<Conclusion> {
  const again = {grade: 'later', outcome: 'failed', status: 400, detail: said, exit: 'rejected'} as const
  const final = {...again, grade: 'failed', outcome: 'rejected'} as const
  const handler = handlerFor(event.type)
  if (!transactions || !handler) return again
  const {key} = event.traits
  if (key.by === 'fault') return {...final, detail: `${said} (foreign: it names no transaction of this shop)`}
  if (key.by !== 'id' && key.by !== 'parent-payment') return again
  const transaction = await transactions.find(key).catch(() => 'not-seen' as const)
  if (transaction === 'not-seen') return again
  if (!transaction) return {...final, detail: `${said} (foreign: the shop does not know its transaction)`}
  const expected = forecast(handler, event.traits, transaction)
  return expected.kind === 'refused' ? {...final, detail: `${said} (stale: ${expected.why})`} : again
}

/** Whether an attempt without an answer was applied, by the state that the transaction is in now. */
async function lookUp({value: {event}}: Event, {transactions}: SendingDeps): Promise<Looked> {
  const handler = handlerFor(event.type)
  if (!handler) return 'not-applied'
  if (!transactions) return 'cannot-tell'
  const {key} = event.traits
  if (key.by === 'fault') return 'not-applied'
  if (key.by === 'nothing' || key.by === 'provider-order') return 'cannot-tell'
  const transaction = await transactions.find(key).catch(() => 'not-seen' as const)
  if (transaction === 'not-seen') return 'cannot-tell'
  if (!transaction) return 'not-applied'
  const expected = forecast(handler, event.traits, transaction)
  if (expected.kind === 'moves' || expected.kind === 'faulty') return 'not-applied'
  if (expected.kind !== 'stays') return 'cannot-tell'
  return {
    grade: 'done',
    outcome: 'applied',
    detail: `looked up: the transaction is ${transaction.state}, as after this event`,
    facts: {after: transaction.state},
  }
}
