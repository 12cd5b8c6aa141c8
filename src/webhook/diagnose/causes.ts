import type {Present} from '../../payment/present-states.js'
import type {Transaction} from '../../payment/transactions.js'
import {findEventType, findProvider} from '../../providers/providers.js'
import type {ShopVersions} from '../../shopware/versions/version-range.js'
import type {InboxEvent} from '../event/event.js'
import {findHeader, type Headers} from '../event/headers.js'
import {VERIFICATION_REASONS} from '../event/verification.js'
import {findAnswerCause, findHoldCause, findPassingCause} from '../plan/failure-causes.js'
import {FAULT_WORDS} from '../plan/fault-words.js'
import {forecast} from '../plan/forecast.js'
import type {Judged} from '../plan/judged.js'
import {type Diagnosis, diagnoseAs, MAX_AGE} from './remedies.js'
import type {TokenNow} from './token-comparison.js'

/** What a replay would do with an event now. */
export interface ReplayOutlook {
  /** The action with every flag that releases a hold without the risk of applying an event twice. */
  readonly released: Judged
  /** Why it would be held without `--include-out-of-order`; `undefined` if it would not. */
  readonly outOfOrder: string | undefined
  /** Whether `--max-age` would hold it. */
  readonly isExpired: boolean
}

/** Forecasts what a replay would do with an event. */
export type ReadOutlook = (
  event: InboxEvent,
  found: {readonly transaction: Transaction | undefined; readonly versions: ShopVersions | undefined},
) => Promise<ReplayOutlook>

/** @param findTransaction the one that an event names; `undefined` if none is known */
export type CreateOutlook = (
  events: readonly InboxEvent[],
  findTransaction: (event: InboxEvent) => Promise<Transaction | undefined>,
) => ReadOutlook

/** What may be looked up about an event, each only if it decides. */
export interface CauseLookups {
  /** The headers that it came with. */
  readonly readHeaders: () => Promise<Headers>
  readonly readPresent: () => Promise<Present>
  readonly compareToken: () => Promise<TokenNow>
  /** Of the shop and its payment plugin. */
  readonly findVersions: () => Promise<ShopVersions>
  /** What a replay would do with it. */
  readonly readOutlook: ReadOutlook
}

/**
 * Finds the cause of an event's status, and its remedy. Nothing is sent. A cause of the past counts only if a replay
 * would send the event now; otherwise the cause is why it would not.
 */
export async function findCause(event: InboxEvent, looks: CauseLookups): Promise<Diagnosis> {
  return (
    findInboxCause(event) ??
    (await findTokenCause(event, looks)) ??
    findBodyCause(event) ??
    (await findTransactionCause(event, looks))
  )
}

/** The answer, as evidence. */
function describeAnswer({answer, message, attempts, changedAt}: InboxEvent): string[] {
  if (attempts === 0 && answer === null) return []
  const said = message === null ? '' : `: ${message}`
  return [`answered ${answer ?? 'nothing'}${said} (${changedAt.toISOString()}, attempts: ${attempts})`]
}

function findInboxCause(event: InboxEvent): Diagnosis | undefined {
  const evidence = describeAnswer(event)
  if (event.status === 'delivered') return diagnoseAs('delivered', event, evidence)
  if (event.status === 'resolved') return diagnoseAs('resolved', event, evidence)
  if (event.hasConflict) return diagnoseAs('conflict', event, listConflict(event))
  if (event.sender !== 'forged') return undefined
  const {verificationReason: reason, source} = event
  const why = reason === null ? [] : [`signature: ${VERIFICATION_REASONS[reason]}`]
  return diagnoseAs('forged', event, [...why, `source: ${source}`, ...evidence])
}

function listConflict({id, traits, sha256}: InboxEvent): string[] {
  const {sampleIds, displayName} = findProvider(traits.provider)
  const isSample = sampleIds.includes(id)
  return [
    `sha256 of the stored body: ${sha256}`,
    ...(isSample ? [`${displayName}'s simulator and public samples use its id`] : []),
  ]
}

async function findTokenCause(
  event: InboxEvent,
  {compareToken}: CauseLookups,
): Promise<Diagnosis | undefined> {
  if (findAnswerCause(event) !== 'token-mismatch') return undefined
  const {registration} = findProvider(event.traits.provider)
  const fix = `storectl ${registration ? 'webhook register' : 'profile set NAME --webhook-token-stdin'}`
  const now = await compareToken()
  // A token that matches by now prevents nothing: what counts is the payment.
  if (now.kind === 'same') return undefined
  return diagnoseAs('token-mismatch', event, [...describeAnswer(event), `now: ${now.says}`], fix)
}

function findBodyCause(event: InboxEvent): Diagnosis | undefined {
  const evidence = describeAnswer(event)
  const {fault} = event.traits
  if (fault !== undefined) return diagnoseAs('malformed', event, [...evidence, fault])
  if (findEventType(event)) return undefined
  return diagnoseAs('no-handler', event, [...evidence, `type ${event.type}`])
}

async function findTransactionCause(event: InboxEvent, looks: CauseLookups): Promise<Diagnosis> {
  const {key, keyText} = event.traits
  if (key.by === 'fault') return describeNoTransaction(event, key.fault)
  const present = await looks.readPresent()
  const evidence = [...describeAnswer(event), ...(keyText === null ? [] : [`transaction ${keyText}`])]
  switch (present.kind) {
    case 'not-known': {
      const stranger = event.sender === 'wrong-token' ? findSenderCause(event, evidence) : undefined
      const past = stranger ?? (await findPastCause(event, looks, evidence))
      return past ?? diagnoseAs('not-diagnosed', event, [...evidence, present.why], present.next ?? null)
    }
    case 'unnamed':
      return findReplayCause(event, looks, {evidence})
    case 'absent':
      return key.by === 'provider-order'
        ? findReplayCause(event, looks, {evidence: [...evidence, 'no transaction has this order']})
        : diagnoseAs('unknown-transaction', event, evidence)
    default:
      return findStateCause(event, looks, {...present, evidence})
  }
}

function describeNoTransaction(event: InboxEvent, fault: keyof typeof FAULT_WORDS): Diagnosis {
  const {resourceVersion, resourceType} = event
  const cause = fault === 'wrong-resource' ? 'wrong-resource' : 'no-transaction'
  const {needs = []} = findEventType(event) ?? {}
  return diagnoseAs(cause, event, [
    ...describeAnswer(event),
    ...(cause === 'wrong-resource' ? [] : [FAULT_WORDS[fault]]),
    `resource_version ${resourceVersion ?? 'absent'}, resource_type ${resourceType ?? 'absent'}`,
    `needs ${needs.length === 0 ? "the id of one of the shop's transactions" : needs.join(', ')}`,
  ])
}

interface Found {
  readonly transaction: Transaction
  readonly evidence: readonly string[]
}

/** What the shop would do with it in its payment's present state. */
async function findStateCause(
  event: InboxEvent,
  looks: CauseLookups,
  {transaction, evidence: before}: Found,
): Promise<Diagnosis> {
  const {state, alike = 1} = transaction
  const evidence = [...before, `state now: ${state}`]
  if (alike > 1) return diagnoseAs('ambiguous', event, [...evidence, `${alike} transactions match`])
  const versions = await looks.findVersions()
  const expected = forecast(event, transaction, versions)
  switch (expected.kind) {
    case 'faulty':
      return diagnoseAs('missing-field', event, [...evidence, expected.why])
    case 'unknown-version':
      return diagnoseAs('unknown-version', event, [...evidence, expected.why])
    case 'refused': {
      // A cancellation of a failed payment has nothing left to do.
      const hasEnded = state === 'refunded' || (state === 'failed' && expected.isFinal)
      if (hasEnded) return diagnoseAs('already-final', event, [...evidence, expected.why])
      const reopen = `storectl api POST /api/_action/order_transaction/${transaction.id}/state/reopen`
      const next = `${reopen}, then storectl webhook replay ${event.id}`
      return diagnoseAs('invalid-transition', event, [...evidence, expected.why], next)
    }
    case 'stays':
      return findReplayCause(event, looks, {evidence, transaction, versions, isThere: true})
    case 'provider-decides': {
      const leads = 'leads to: depends on the provider'
      return findReplayCause(event, looks, {evidence: [...evidence, leads], transaction, versions})
    }
    default: {
      const or = expected.kind === 'moves' ? expected.or : []
      const leads = `leads to: ${[expected.to, ...or].join(' or ')}`
      return findReplayCause(event, looks, {evidence: [...evidence, leads], transaction, versions})
    }
  }
}

interface ReplayContext {
  readonly evidence: readonly string[]
  readonly transaction?: Transaction
  readonly versions?: ShopVersions
  /** The payment is in the state that the event leads to. */
  readonly isThere?: boolean
}

/** Why a replay would not send it; else what sending needs, and what prevented its last delivery. */
async function findReplayCause(
  event: InboxEvent,
  looks: CauseLookups,
  {evidence, transaction, versions, isThere = false}: ReplayContext,
): Promise<Diagnosis> {
  const outlook = await looks.readOutlook(event, {transaction, versions})
  const {released, outOfOrder, isExpired} = outlook
  const why = released.detail === null ? [] : [released.detail]
  if (released.action !== 'send') {
    return diagnoseAs(findHoldCause(released) ?? 'already-applied', event, [...evidence, ...why])
  }
  const stranger = findSenderCause(event, evidence)
  if (stranger) {
    const already = isThere ? `already ${transaction?.state.replaceAll('_', ' ')}` : 'would apply'
    return {...stranger, ifSent: outOfOrder === undefined ? already : 'out of order'}
  }
  const flags = isExpired ? MAX_AGE : ''
  const old = isExpired ? ['it is older than --max-age, which holds it'] : []
  const all = [...evidence, ...old]
  if (outOfOrder !== undefined) {
    return diagnoseAs('out-of-order', event, [...all, outOfOrder], {flags})
  }
  if (isThere) return diagnoseAs('maybe-applied', event, all, {flags})
  return (await findPastCause(event, looks, all, flags)) ?? describeTemporary(event, all, flags)
}

/** Somebody else may have made up the event. */
function findSenderCause(event: InboxEvent, evidence: readonly string[]): Diagnosis | undefined {
  const {sender, source} = event
  return sender === 'wrong-token' || sender === 'unverified'
    ? diagnoseAs(sender, event, [`source: ${source}`, ...evidence])
    : undefined
}

/** What prevented the last delivery and must be set up or decided before the next one. */
async function findPastCause(
  event: InboxEvent,
  {readHeaders, compareToken}: CauseLookups,
  evidence: readonly string[],
  flags = '',
): Promise<Diagnosis | undefined> {
  const cause = findAnswerCause(event)
  if (cause !== undefined) {
    const now = cause === 'token-mismatch' ? [`now: ${(await compareToken()).says}`] : []
    return diagnoseAs(cause, event, [...evidence, ...now], {flags})
  }
  return findContentTypeCause(event, readHeaders, evidence, flags)
}

/** Content types that the receiver decodes. @see protocol.md §1.2 */
const DECODED = /^\s*(application\/json|application\/x-www-form-urlencoded|multipart\/form-data)/i

async function findContentTypeCause(
  event: InboxEvent,
  readHeaders: CauseLookups['readHeaders'],
  evidence: readonly string[],
  flags: string,
): Promise<Diagnosis | undefined> {
  const {emptyBody} = findProvider(event.traits.provider).answers
  const wasEmpty = event.message !== null && event.message === emptyBody
  if (!wasEmpty && event.answer !== null) return undefined
  const type = findHeader(await readHeaders(), 'content-type')
  if (!wasEmpty && (type === undefined || DECODED.test(type))) return undefined
  const found = [...evidence, `Content-Type: ${type ?? 'none'}`, `${event.sizeBytes} bytes`]
  return diagnoseAs('content-type', event, found, {flags})
}

/** Nothing prevents it any longer. */
function describeTemporary(event: InboxEvent, evidence: readonly string[], flags: string): Diagnosis {
  return diagnoseAs(findPassingCause(event), event, evidence, {flags})
}
