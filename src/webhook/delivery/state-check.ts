import {StorectlError} from '../../errors.js'
import type {HttpClient} from '../../http/http.js'
import {
  createTransactions,
  type Transaction,
  type Transactions,
  type TransactionsDeps,
} from '../../payment/transactions.js'
import {findEventType} from '../../providers/providers.js'
import type {ProbeResult, Result} from '../../runs/journal/item.js'
import type {InboxEvent} from '../event/event.js'
import {type Forecast, findApplied, forecast, forecastBoth, judgeOutlook} from '../plan/forecast.js'
import type {Rules} from '../plan/judged.js'

/** What is needed to see the effect of an event. */
export interface StateCheckDeps {
  /** `undefined` when states are not checked. */
  readonly transactions: Transactions | undefined
  readonly rules: Pick<Rules, 'versions'>
  /** The transaction just before the event was sent; `undefined` if not known. */
  readonly before?: Pick<Transaction, 'state'> | undefined
}

/**
 * The result of a 200, which means that the event was handled, that nothing handles its type, or that nothing changed.
 *
 * @see protocol.md §4.2
 */
export async function checkAfterAcceptance(
  event: InboxEvent,
  status: number,
  {transactions, before, rules}: StateCheckDeps & {readonly before?: Transaction | undefined},
): Promise<Result> {
  const well = {resultClass: 'done', status} as const
  if (!findEventType(event))
    return {...well, result: 'unchanged', detail: `the shop has no handler for ${event.type}`}
  if (!transactions || !before)
    return {...well, result: 'accepted', detail: 'answered 200; state not checked'}
  const after = await transactions.findSoon(event.traits.key).catch(() => undefined)
  if (!after) return {...well, result: 'accepted', detail: 'answered 200; state check failed'}
  const facts = {before: before.state, after: after.state}
  if (after.state !== before.state)
    return {...well, result: 'applied', detail: `${before.state} → ${after.state}`, facts}
  const expected = forecast(event, before, rules.versions)
  const instead = isMove(expected) ? `, expected ${expected.to}` : ''
  return {...well, result: 'unchanged', detail: `is still ${after.state}${instead}`, facts}
}

/**
 * The result of the one text for everything: an unknown transaction, an impossible transition, a temporary error, or the
 * event was applied after all, which the state shows.
 */
export async function checkAfterRefusal(
  event: InboxEvent,
  said: string,
  {transactions, before, rules}: StateCheckDeps,
): Promise<Result> {
  const again = {
    resultClass: 'later',
    result: 'failed',
    status: 400,
    detail: said,
    exit: 'rejected',
  } as const
  const final = {...again, resultClass: 'failed', result: 'rejected'} as const
  const open = leaveOpen(again)
  if (!transactions || !findEventType(event)) return again
  const {key} = event.traits
  if (key.by === 'fault')
    return {...final, detail: `${said} (no-transaction: it names no transaction of this shop)`}
  if (key.by !== 'id' && key.by !== 'parent-payment') return open
  const transaction = await transactions.find(key).catch(() => 'not-seen' as const)
  if (transaction === 'not-seen') return open
  if (!transaction)
    return {...final, detail: `${said} (unknown-transaction: the shop does not know its transaction)`}
  const outlook = forecastBoth(event, {now: transaction, before: before?.state}, rules.versions)
  if (judgeOutlook(outlook, transaction.state, before?.state) === 'applied')
    return {...describeApplied(transaction, before), status: 400}
  const {now: expected, before: led} = outlook
  if (led?.kind === 'moves' && led.or.includes(`refused and ${transaction.state}`))
    return describeMovedRefusal(final, before?.state, transaction)
  if (expected.kind === 'refused') return {...final, detail: `${said} (out-of-order: ${expected.why})`}
  return expected.kind === 'stays' ? open : again
}

/** The same answer if no state can show the effect. */
function leaveOpen(result: Result): Result {
  return {...result, resultClass: 'unknown', result: 'unknown', exit: 'unavailable'}
}

/** A refusal that still moved the payment: the provider's order is not completed. @see shop-6.5.md 2.2 */
function describeMovedRefusal(
  final: Result,
  before: string | undefined,
  {state: after}: Transaction,
): Result {
  return {...final, detail: `${final.detail} (${before} → ${after})`, facts: {before, after}}
}

/**
 * The result of any other answer: the shop, or a proxy in front of it, may give it after the event was applied. After an
 * answer from in front of the shop, or about the token, the event was certainly not applied.
 */
export async function checkAfterFailure(
  event: InboxEvent,
  result: Result,
  deps: StateCheckDeps & {readonly before?: Transaction | undefined},
): Promise<Result> {
  const {transactions, before, rules} = deps
  const {resultClass, result: name, exit} = result
  if (!transactions) return isFastRefusal(result) ? {...result, ...FAILED_FOR_NOW} : result
  if (resultClass === 'unknown' || exit === 'auth') return result
  const expected = before && forecast(event, before, rules.versions).kind
  const isSeen = resultClass === 'later' || name === 'rejected'
  const looked = isSeen ? await probeDelivery(event, deps) : 'not-applied'
  if (typeof looked === 'object') return {...looked, status: result.status}
  if (expected === 'stays') return leaveOpen(result)
  const isClear = looked === 'not-applied' || (resultClass === 'later' && looked === 'not-now')
  return isClear || expected === 'provider-decides' ? result : leaveOpen(result)
}

function isFastRefusal({doubt, status}: Result): boolean {
  return doubt === 'refused' && status === 503
}

/** Without states nothing confirms an immediate refusal: the event may be sent again, as always. */
const FAILED_FOR_NOW = {resultClass: 'later', result: 'failed', doubt: undefined} as const

/** Whether an attempt without a clear answer was applied, by the transaction's present state. */
export async function probeDelivery(
  event: InboxEvent,
  {transactions, before, rules}: StateCheckDeps,
): Promise<ProbeResult> {
  if (!findEventType(event)) return 'not-applied'
  if (!transactions) return 'cannot-tell'
  const {key} = event.traits
  if (key.by === 'fault') return 'not-applied'
  if (key.by === 'nothing' || key.by === 'provider-order') return 'cannot-tell'
  const now = await transactions.find(key).catch(classifyLookupError)
  if (typeof now === 'string') return now
  return now ? decideByStates(event, now, before, rules) : 'not-applied'
}

function classifyLookupError(error: unknown): ProbeResult & string {
  if (!(error instanceof StorectlError)) throw error
  return error.exitName === 'unavailable' ? 'not-now' : 'cannot-tell'
}

/** The result of a sent event, by the state of its transaction before it was sent and now. */
export function decideByStates(
  event: InboxEvent,
  now: Transaction,
  before: Pick<Transaction, 'state'> | undefined,
  {versions}: Pick<Rules, 'versions'>,
): Result | 'not-applied' | 'cannot-tell' {
  const applied = findApplied(event, now, before?.state, versions)
  return applied === 'applied' ? describeApplied(now, before) : applied
}

function describeApplied(
  {state: after}: Transaction,
  before: Pick<Transaction, 'state'> | undefined,
): Result {
  const from = before?.state
  const detail = `looked up: ${from} → ${after}`
  return {resultClass: 'done', result: 'applied', detail, facts: {before: from, after}}
}

function isMove(expected: Forecast): expected is Forecast & {readonly to: string} {
  return expected.kind === 'moves' || expected.kind === 'backwards'
}

/**
 * The states of transactions, as a replay checks them: errors name the way to send without them.
 *
 * @param connection signed, with retries for a busy shop
 * @param note tells a person which privileges the role lacks
 */
export function createStateLookups(
  connection: {
    readonly patient: HttpClient
    readonly refusal: TransactionsDeps['refusal']
    readonly profile?: {readonly provider: string}
  },
  note?: (text: string) => unknown,
): Transactions {
  const {patient, refusal, profile} = connection
  return createTransactions({
    search: createStateClient(patient),
    provider: profile?.provider,
    note,
    refusal: (answer, doing) => addWayOut(refusal(answer, doing)),
  })
}

/** Reports a missing sign-in as an error of the state check: sending itself needs only the webhook token. */
export function createStateClient({baseUrl, call}: HttpClient): HttpClient {
  return {
    baseUrl,
    call: async request => {
      try {
        return await call(request)
      } catch (error) {
        if (!(error instanceof StorectlError) || error.exitName !== 'auth') throw error
        throw addWayOut(error, error)
      }
    },
  }
}

function addWayOut({code, message, nextSteps}: StorectlError, cause?: StorectlError): StorectlError {
  return new StorectlError(code, message, {
    nextSteps: [...nextSteps, 'or add --no-check-state to send without comparing states'],
    cause,
  })
}
