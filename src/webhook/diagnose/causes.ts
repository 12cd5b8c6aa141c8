import type {CapturedMoney} from '../../payment/compare-amounts.js'
import type {Present} from '../../payment/transactions.js'
import {findEventType, findProvider} from '../../providers/providers.js'
import type {ShopVersions} from '../../versions/version-range.js'
import type {InboxEvent} from '../event/event.js'
import type {Headers} from '../event/headers.js'
import {VERIFICATION_REASONS} from '../event/verification.js'
import {FAULT_WORDS} from '../plan/fault-words.js'
import {
  capitalize,
  type Diagnosis,
  describeTemporary,
  findStateCause,
  replayIt,
  resolveIt,
} from './state-cause.js'
import type {TokenNow} from './token-comparison.js'

/** What may be looked up about an event, each only when it decides. */
export interface CauseLookups {
  /** The headers that it came with. */
  readonly readHeaders: () => Promise<Headers>
  readonly readPresent: () => Promise<Present>
  /** Captures of its payment that were delivered. */
  readonly readCaptures: () => Promise<readonly CapturedMoney[]>
  readonly compareToken: () => Promise<TokenNow>
  /** Of the shop and its payment plugin. */
  readonly findVersions: () => Promise<ShopVersions>
}

/** Finds out why an event was refused, or what would become of it now. Nothing is sent. */
export async function findCause(event: InboxEvent, looks: CauseLookups): Promise<Diagnosis> {
  return (
    findInboxCause(event) ??
    (await findTokenCause(event, looks)) ??
    findTransportCause(event) ??
    (await findBodyCause(event, looks)) ??
    (await findTransactionCause(event, looks))
  )
}

/** What was answered, as evidence. */
function describeAnswer({answer, message, attempts, changedAt}: InboxEvent): string[] {
  if (attempts === 0 && answer === null) return []
  const said = message === null ? '' : `: ${message}`
  return [`answered ${answer ?? 'nothing'}${said} (${changedAt.toISOString()}, attempts: ${attempts})`]
}

function findInboxCause(event: InboxEvent): Diagnosis | undefined {
  const evidence = describeAnswer(event)
  if (event.status === 'delivered')
    return {cause: 'delivered', detail: 'The shop accepted it.', evidence, next: null}
  if (event.status === 'resolved') {
    const next = `storectl webhook show ${event.id} --attempts`
    return {cause: 'resolved', detail: 'Resolved by hand.', evidence, next}
  }
  if (event.hasConflict) {
    return {
      cause: 'conflict',
      detail: describeConflict(event),
      evidence: [`sha256 of the stored body: ${event.sha256}`],
      next: resolveIt(event),
    }
  }
  if (event.sender === 'forged') return describeForged(event, evidence)
  if (event.sender !== 'wrong-token') return undefined
  return {
    cause: 'wrong-token',
    detail: "It came with a webhook token that is not this shop's. Its sender is not known.",
    evidence: [`source: ${event.source}`, ...evidence],
    next: 'storectl webhook verify',
  }
}

function describeConflict({id, traits}: InboxEvent): string {
  const {sampleIds, displayName} = findProvider(traits.provider)
  return sampleIds.includes(id)
    ? `Its id is used by ${displayName}'s simulator and public samples: several bodies have it.`
    : 'Several bodies have its id; the true one is unknown.'
}

function describeForged(event: InboxEvent, evidence: readonly string[]): Diagnosis {
  const {verificationReason: reason, source} = event
  const why = reason === null ? [] : [`signature: ${VERIFICATION_REASONS[reason]}`]
  return {
    cause: 'forged',
    detail: 'The provider did not send it. A replay never sends it.',
    evidence: [...why, `source: ${source}`, ...evidence],
    next: resolveIt(event),
  }
}

const GATE = [401, 403, 412]

function findTransportCause(event: InboxEvent): Diagnosis | undefined {
  const {answer} = event
  const evidence = describeAnswer(event)
  if (answer === null) return undefined
  if (GATE.includes(answer)) {
    return {
      cause: 'access-denied',
      detail: `A proxy before the webhook route answered ${answer}: it requires credentials or headers.`,
      evidence,
      next: 'printf "Authorization: Basic …" | storectl profile set NAME --header-stdin',
    }
  }
  if (answer !== 404 && answer !== 405 && (answer < 300 || answer >= 400)) return undefined
  return {
    cause: 'wrong-address',
    detail: `No webhook route at its address (${answer}): the base URL or the provider's name is wrong.`,
    evidence,
    next: 'storectl profile set NAME --provider NAME',
  }
}

async function findTokenCause(
  event: InboxEvent,
  {compareToken}: CauseLookups,
): Promise<Diagnosis | undefined> {
  const {answers, registration} = findProvider(event.traits.provider)
  if (event.message === null || event.message !== answers.wrongToken) return undefined
  const fix = `storectl ${registration ? 'webhook register' : 'profile set NAME --webhook-token-stdin'}`
  const now = await compareToken()
  return {
    cause: 'token-mismatch',
    detail: 'The shop refused the webhook token: it was changed, or belongs to another shop.',
    evidence: [...describeAnswer(event), `now: ${now.says}`],
    next: now.kind === 'same' ? replayIt(event) : fix,
  }
}

/** What the receiver decodes. @see protocol.md §1.2 */
const DECODED = /^\s*(application\/json|application\/x-www-form-urlencoded|multipart\/form-data)/i

async function findBodyCause(event: InboxEvent, {readHeaders}: CauseLookups): Promise<Diagnosis | undefined> {
  const {emptyBody} = findProvider(event.traits.provider).answers
  const wasEmpty = event.message !== null && event.message === emptyBody
  if (wasEmpty || event.answer === null) {
    const type = (await readHeaders()).find(([name]) => name.toLowerCase() === 'content-type')?.[1]
    if (wasEmpty || (type !== undefined && !DECODED.test(type))) {
      return {
        cause: 'content-type',
        detail: 'The shop ignored the body, because its content type is wrong.',
        evidence: [...describeAnswer(event), `Content-Type: ${type ?? 'none'}`, `${event.sizeBytes} bytes`],
        next: replayIt(event, ' --via provider'),
      }
    }
  }
  const {fault} = event.traits
  if (fault !== undefined) {
    return {
      cause: 'malformed',
      detail: 'The shop cannot parse the body.',
      evidence: [...describeAnswer(event), fault],
      next: resolveIt(event),
    }
  }
  if (findEventType(event)) return undefined
  return {
    cause: 'no-handler',
    detail: `The shop has no handler for ${event.type}: it answers 200 and changes nothing.`,
    evidence: describeAnswer(event),
    next: resolveIt(event),
  }
}

async function findTransactionCause(
  event: InboxEvent,
  {readPresent, readCaptures, findVersions}: CauseLookups,
): Promise<Diagnosis> {
  const {key, keyText} = event.traits
  if (key.by === 'fault') {
    const isResource = key.fault === 'wrong-resource'
    return {
      cause: isResource ? 'wrong-resource' : 'no-transaction',
      detail: isResource
        ? 'Its resource_version and resource_type do not match its type.'
        : `${capitalize(FAULT_WORDS[key.fault])}; the order may be from another shop.`,
      evidence: [
        ...describeAnswer(event),
        `resource_version ${event.resourceVersion ?? 'absent'}, resource_type ${event.resourceType ?? 'absent'}`,
        `needs ${listNeeds(event)}`,
      ],
      next: resolveIt(event),
    }
  }
  const now = await readPresent()
  const evidence = [...describeAnswer(event), ...(keyText === null ? [] : [`transaction ${keyText}`])]
  if (now.kind === 'unnamed') return describeTemporary(event, evidence)
  if (now.kind === 'not-known') {
    const detail = 'The payment could not be checked. All other checks passed.'
    return {cause: 'not-diagnosed', detail, evidence: [...evidence, now.why], next: now.next ?? null}
  }
  if (now.kind === 'absent') {
    if (key.by === 'provider-order')
      return describeTemporary(event, [...evidence, 'no transaction has this order'])
    return {
      cause: 'unknown-transaction',
      detail:
        'The shop does not know its transaction: another shop of the same provider account, or a copy of it.',
      evidence,
      next: resolveIt(event),
    }
  }
  const [versions, captures] = [await findVersions(), await readCaptures()]
  return findStateCause(event, {...now, versions, captures}, evidence)
}

function listNeeds(event: InboxEvent): string {
  const {needs = []} = findEventType(event) ?? {}
  return needs.length === 0 ? "the id of one of the shop's transactions" : needs.join(', ')
}
