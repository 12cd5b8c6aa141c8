import {hash} from 'node:crypto'
import {StorectlError} from '../../errors.js'
import type {Clock} from '../../platform/clock.js'
import type {Item, ProbeResult, Result} from '../../runs/journal/item.js'
import {HashTable, hashForward} from '../../runs/pool/hash-table.js'
import type {Operation} from '../../runs/pool/operation.js'
import {type FoundOrder, findDifferences, formatDifferences} from '../compare-orders.js'
import type {ByteRange, OrderRules, ValidOrder} from '../draft/draft.js'
import {findOrders, type OrderShop, postOrder} from '../order-client.js'
import {isTurnedAway, leaveOpen, readNoOrderAnswer, readOrderAnswer} from './order-response.js'
import type {EndedOrder} from './result-files.js'
import {toOrderRow} from './result-row.js'
import {type LookUpOrder, shareLookUps} from './shared-lookups.js'

/** An order to submit. */
export interface Submission {
  /** Its place in the input, from 0. */
  readonly index: number
  readonly order: ValidOrder
  readonly body: string | Uint8Array
  /** Its position: the input, counted from 0, and its parts. */
  readonly location: {readonly input: number; listRanges(): ByteRange[]}
  /** Its result from an earlier look-up; then it is not sent. */
  readonly known?: Result | undefined
}

export interface SubmitOperationDeps {
  readonly shop: OrderShop
  /** Name of the shop in ledger and lease. */
  readonly target: string
  readonly run: string
  /** The shop is known to honour the key, so that an order without a response may be sent again where it cannot be found. */
  readonly trustsKey: boolean
  readonly rules: OrderRules
  readonly clock: Pick<Clock, 'now' | 'readTicks'>
}

type Order = Item<Submission>

/** How an order is submitted: one without a response is looked up before it is sent again. */
export function createSubmitOperation(deps: SubmitOperationDeps): Operation<Submission, EndedOrder> {
  const sent: SentOrders = {turnedAway: new Set(), open: new Set(), posted: new Set(), ids: new HashTable()}
  const lookUp = shareLookUps({...deps.shop, patient: createSingleTryClient(deps.shop)})
  const probeOrder = (item: Order) => probe(item, lookUp, deps)
  return {
    prepare: async item => {
      if (item.value.known) return item.value.known
      const probed = sent.turnedAway.has(item.key) ? await probeOrder(item) : undefined
      return typeof probed === 'object' ? probed : 'send'
    },
    execute: async item => {
      const isOpen = item.unsure || sent.open.has(item.key)
      const result = await sendOnce(item, deps, sent)
      if (result.resultClass === 'unknown') sent.open.add(item.key)
      else sent.open.delete(item.key)
      if (result.result === 'not-sent' && (isOpen || sent.posted.has(item.key)))
        return {...result, result: 'failed'}
      if (result.result !== 'not-sent' && result.resultClass !== 'done') sent.posted.add(item.key)
      if (result.result !== 'conflict') return result
      // The conflicting order may be the one sent earlier without an answer.
      return isOpen ? {...result, ...IN_DOUBT} : explainConflict(result, item, deps)
    },
    probe: probeOrder,
    toRow: result => toEndedOrder(result.item, result, result.attempts, deps.run),
  }
}

/** What a run remembers about the orders that it sent. */
interface SentOrders {
  /** References that the shop refused at the last attempt, before it did anything. */
  readonly turnedAway: Set<string>
  /** References of orders in flight, and of those with an attempt without an answer. */
  readonly open: Set<string>
  /** References of orders that reached the shop at an earlier attempt, and that it certainly does not have. */
  readonly posted: Set<string>
  /** By the shop's id, the reference as a number: an id that comes back belongs to another order. */
  readonly ids: HashTable
}

/** The result that replaces a conflict if the order may have been sent before. */
export const IN_DOUBT = {resultClass: 'unknown', result: 'unknown', exit: 'unavailable'} as const

/** An order's result, with its text in the input if it failed. @param run `null` if nothing was to be sent */
export function toEndedOrder(
  {key, value: {index, location}}: Order,
  result: Result,
  attempts: number,
  run: string | null,
): EndedOrder {
  const row = toOrderRow(key, result, attempts, run)
  if (result.resultClass === 'done') return {index, row, rejected: undefined}
  const {status, detail} = row
  return {
    index,
    row,
    rejected: {input: location.input, stretches: location.listRanges(), status, detail: detail ?? ''},
  }
}

async function sendOnce(
  {key, contentHash, value}: Order,
  {shop, target, trustsKey, clock}: SubmitOperationDeps,
  {turnedAway, ids}: SentOrders,
): Promise<Result> {
  turnedAway.delete(key)
  try {
    const sentMs = clock.readTicks()
    const answer = await postOrder(shop, value.body, deriveIdempotencyKey(target, key, contentHash))
    if (isTurnedAway(answer)) turnedAway.add(key)
    const tookMs = clock.readTicks() - sentMs
    return trust(checkId(readOrderAnswer(answer, key, shop, tookMs), key, ids), trustsKey)
  } catch (error) {
    return trust(readNoOrderAnswer(error), trustsKey)
  }
}

/** A shop that honours the key may get an order again while it is still working on it. */
function trust(result: Result, trustsKey: boolean): Result {
  return trustsKey && result.resultClass === 'unknown' ? {...result, doubt: 'refused'} : result
}

/** An id that another order of this run has shows that answers were mixed up on the way. */
function checkId(result: Result, reference: string, ids: HashTable): Result {
  const id = result.facts?.id
  if (typeof id !== 'string') return result
  const owner = hashForward(reference) >>> 1
  const known = ids.get(id)
  if (known !== undefined && known !== owner)
    return leaveOpen(result.status, `answered with the id of another order, ${id}`)
  ids.set(id, owner)
  return result
}

/** The same for the same content under the same reference at the same shop. */
function deriveIdempotencyKey(target: string, reference: string, contentHash: string): string {
  return hash('sha256', `${target}\n${reference}\n${contentHash}`).slice(0, 32)
}

/**
 * A conflict says which fields differ, if the shop can be asked. If it has no order under the reference, there is no
 * conflict, whatever it answered.
 */
async function explainConflict(
  conflict: Result,
  {key, value}: Order,
  {shop, rules}: SubmitOperationDeps,
): Promise<Result> {
  const found = await findOrders(shop, [key]).catch(classifyLookupFailure)
  const addDetail = (words: string) => ({...conflict, detail: `${conflict.detail}; ${words}`})
  if (found === 'not-now') return addDetail('the lookup of the reference failed')
  if (found === 'no-route') return addDetail('it cannot look up references')
  const theirs = found.get(key)
  if (!theirs) return {...addDetail('it has no order under the reference'), result: 'rejected'}
  return (
    compareWithShop(value.order, theirs, rules, conflict) ?? {
      ...addDetail('its order does not differ'),
      facts: {id: theirs.id},
    }
  )
}

/**
 * Does not retry without an answer: a run repeats look-ups itself, and a shop that does not respond would cost both
 * time-outs. If the shop answers that it is busy, its wait is respected.
 */
function createSingleTryClient({signed, patient}: OrderShop): OrderShop['patient'] {
  return {
    baseUrl: signed.baseUrl,
    call: async call => {
      const answer = await signed.call(call)
      return answer.status === 429 || answer.status >= 500 ? patient.call(call) : answer
    },
  }
}

async function probe(
  {key, value}: Order,
  lookUp: LookUpOrder,
  {trustsKey, rules}: SubmitOperationDeps,
): Promise<ProbeResult> {
  const theirs = await lookUp(key).catch(classifyLookupFailure)
  if (theirs === 'not-now') return theirs
  if (theirs === 'no-route') return trustsKey ? 'not-applied' : 'cannot-tell'
  if (!theirs) return 'not-applied'
  return (
    compareWithShop(value.order, theirs, rules, IN_DOUBT) ?? {
      resultClass: 'done',
      result: 'created',
      detail: 'looked up: the shop has it',
      facts: {id: theirs.id},
    }
  )
}

/** A refused look-up counts like a shop without the route. */
function classifyLookupFailure(error: unknown): 'not-now' | 'no-route' {
  if (!(error instanceof StorectlError)) throw error
  return error.exitName === 'unavailable' ? 'not-now' : 'no-route'
}

/**
 * The result if the shop has this order under the reference.
 *
 * @param instead replaces a conflict's members
 * @returns a conflict with both contents; `undefined` when it is the same order
 */
export function compareWithShop(
  ours: ValidOrder,
  theirs: FoundOrder,
  rules: OrderRules,
  instead: Partial<Result> = {},
): Result | undefined {
  const different = findDifferences(ours, theirs, rules)
  if (different.length === 0) return undefined
  const facts = {id: theirs.id, differences: different}
  const detail = formatDifferences(different)
  return {resultClass: 'failed', result: 'conflict', exit: 'rejected', ...instead, detail, facts}
}
