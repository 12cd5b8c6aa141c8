import {StorectlError} from '../../errors.js'
import {formatCount} from '../../output/cell.js'
import type {Clock} from '../../platform/clock.js'
import type {InboxEvent} from '../event/event.js'
import type {Inbox} from '../inbox/inbox.js'
import {isAskable} from '../plan/plan-totals.js'
import type {ReplayPlan} from '../plan/planned.js'
import {askSenders} from '../provider/ask-senders.js'
import type {Provider} from '../provider/provider.js'
import type {EventVerifier} from '../verify/verify-events.js'
import {checkStoredSignatures} from '../verify/verify-inbox.js'

/** Most events about which the provider is asked before a plan, and how long that may take. */
const MOST_ASKED = 200
const LONGEST_MS = 30_000

export interface CheckSendersDeps {
  readonly inbox: Pick<Inbox, 'add' | 'find' | 'readContents'>
  /** Checks signatures with certificates of the provider, and stores the results; `undefined` if nothing is checked. */
  readonly openVerifier?: (() => Promise<Pick<EventVerifier, 'verify'>>) | undefined
  readonly target: string
  readonly clock: Pick<Clock, 'now'>
  readonly note: (text: string) => Promise<void>
  readonly openProvider: () => Promise<Provider>
  readonly stopping: AbortSignal
  readonly source: {readonly storedUnder?: string | undefined}
}

/**
 * Checks signatures, then asks the provider who sent events of a plan that may be invented and would be sent.
 *
 * @returns whether anything new is known, so that the plan must be made again
 */
export async function checkSenders(
  plan: ReplayPlan,
  options: {readonly offline?: boolean | undefined},
  deps: CheckSendersDeps,
): Promise<boolean> {
  const {asked, count} = await listAskable(plan)
  if (count === 0) return false
  const verified = options.offline === true ? NONE : await verifySignatures(asked, deps)
  // A second body under an id has an id that the provider does not know.
  const left = asked.filter(({id}) => !verified.has(id) && !id.includes('~'))
  const provider = options.offline === true ? '--offline' : await openProvider(deps)
  if (typeof provider === 'string') {
    if (left.length > 0) await deps.note(`${formatSenders(count - verified.size)} not checked: ${provider}`)
    return verified.size > 0
  }
  const {clock, inbox, target, source, stopping} = deps
  const until = new Date(clock.now().getTime() + LONGEST_MS)
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(LONGEST_MS)])
  const targets = source.storedUnder === undefined ? [target] : [source.storedUnder, target]
  const {
    listed,
    left: unasked,
    error,
  } = await askSenders(left, {
    ...{provider, inbox, targets, until, signal},
    now: () => clock.now(),
  })
  const rest = count - asked.length + unasked.size
  stopping.throwIfAborted()
  if (error) await deps.note(`The provider was not asked for every sender: ${error.message}`)
  if (rest > 0) await deps.note(`${formatSenders(rest)} not asked: storectl webhook verify`)
  return verified.size + listed.size > 0
}

const NONE: ReadonlySet<string> = new Set()

/** @returns ids of those that a signature decides: verified or forged */
async function verifySignatures(
  events: readonly InboxEvent[],
  {inbox, openVerifier, source, target}: CheckSendersDeps,
): Promise<ReadonlySet<string>> {
  const decided = new Set<string>()
  for (const name of source.storedUnder === undefined ? [target] : [source.storedUnder, target]) {
    if (!openVerifier) continue
    const results = await checkStoredSignatures(events, {inbox, target: name, verifier: await openVerifier()})
    for (const [id, {result}] of results) if (result !== 'not-checked') decided.add(id)
  }
  return decided
}

function formatSenders(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'sender' : 'senders'}`
}

/** @returns why the provider cannot be asked */
async function openProvider({openProvider: open}: CheckSendersDeps): Promise<Provider | string> {
  try {
    return await open()
  } catch (error) {
    if (error instanceof StorectlError) return error.message
    throw error
  }
}

/** Events held only for their sender, or released by a flag although the sender is unknown. */
async function listAskable(plan: ReplayPlan): Promise<{asked: InboxEvent[]; count: number}> {
  const asked: InboxEvent[] = []
  let count = 0
  if (plan.totals.askable === 0) return {asked, count}
  for await (const entry of plan.listEntries()) {
    if (!isAskable(entry)) continue
    count++
    if (asked.length < MOST_ASKED) asked.push(entry.event)
  }
  // Of two bodies under one transmission id, the first to arrive counts as genuine.
  asked.sort((one, other) => one.receivedAt.getTime() - other.receivedAt.getTime())
  return {asked, count}
}
