import type {View} from '../../output/view.js'
import {type OpenTransactions, presentStates} from '../../payment/current-state.js'
import {splitBatches} from '../../runs/pool/batches.js'
import type {EventContent, InboxEvent} from '../event/event.js'
import type {Inbox} from '../inbox/inbox.js'
import {CAUSES, type Cause, type Diagnosis, findCause} from './causes.js'
import type {TokenNow} from './token-comparison.js'

export interface DiagnoseDeps {
  readonly inbox: Pick<Inbox, 'find' | 'readContents'>
  readonly target: string
  /** `undefined` when the shop is not to be asked. */
  readonly transactions: OpenTransactions | undefined
  readonly token: () => Promise<TokenNow>
  readonly signal: AbortSignal
}

/** What was found about one event. Keys are stable. */
export interface DiagnosisRow {
  readonly id: string
  readonly type: string
  readonly status: string
  readonly answer: number | null
  readonly cause: string | null
  readonly transaction: string | null
  readonly finding: Cause
  readonly says: string
  readonly evidence: readonly string[]
  readonly next: string | null
  readonly [key: string]: unknown
}

export const DIAGNOSES: View = {
  noun: ['event', 'events'],
  id: 'id',
  columns: [{path: 'finding'}, {path: 'id'}, {path: 'type'}, {path: 'says'}, {path: 'next'}],
}

export const DIAGNOSIS: View = {
  noun: ['event', 'events'],
  id: 'id',
  columns: [
    {path: 'id'},
    {path: 'type'},
    {path: 'status'},
    {path: 'finding'},
    {path: 'says'},
    {path: 'evidence'},
    {path: 'next'},
  ],
}

/** Events that are looked up together. */
const BATCH = 250

/** The events with these ids, in their order. @param onMissing told of ids that are not in the inbox */
export async function* findEventsById(
  ids: AsyncIterable<readonly string[]>,
  {inbox, target}: Pick<DiagnoseDeps, 'inbox' | 'target'>,
  onMissing: (id: string) => Promise<void> | void,
): AsyncGenerator<InboxEvent, void, void> {
  for await (const some of ids) {
    const there = await inbox.find(target, some)
    for (const id of some) {
      const event = there.get(id)
      if (event) yield event
      else await onMissing(id)
    }
  }
}

/** Finds out about events, batch by batch; memory does not grow with their number. Nothing is sent. */
export async function* diagnose(
  events: AsyncIterable<InboxEvent>,
  deps: DiagnoseDeps,
): AsyncGenerator<DiagnosisRow, void, void> {
  const present = presentStates(deps.transactions)
  for await (const some of splitBatches(events, BATCH)) {
    deps.signal.throwIfAborted()
    const headers = createHeaderLookup(some, deps)
    yield* await Promise.all(
      some.map(async event =>
        toDiagnosisRow(
          event,
          await findCause(event, {
            readHeaders: () => headers(event.id),
            readPresent: () => present(event.traits.key),
            compareToken: deps.token,
          }),
        ),
      ),
    )
  }
}

/** Headers lie with the bodies: they are read for a whole batch, when the first of them is wanted. */
function createHeaderLookup(events: readonly InboxEvent[], {inbox, target}: DiagnoseDeps) {
  let read: Promise<Map<string, EventContent>> | undefined
  return async (id: string) => {
    read ??= inbox.readContents(
      target,
      events.map(event => event.id),
    )
    return (await read).get(id)?.headers ?? []
  }
}

function toDiagnosisRow(event: InboxEvent, {finding, says, evidence, next}: Diagnosis): DiagnosisRow {
  const {id, type, status, answer, cause, traits} = event
  return {id, type, status, answer, cause, transaction: traits.keyText, finding, says, evidence, next}
}

/** What several events have in common. Keys are stable. */
export interface FindingGroup {
  readonly finding: Cause
  readonly count: number
  /** The first of them. */
  readonly example: string
  readonly says: string
  readonly next: string | null
  readonly [key: string]: unknown
}

export const FINDING_GROUPS: View = {
  noun: ['finding', 'findings'],
  id: 'finding',
  columns: [
    {path: 'finding'},
    {path: 'count', kind: 'number'},
    {path: 'example'},
    {path: 'says'},
    {path: 'next'},
  ],
}

/** Counts findings while they go by. */
export class FindingCounts {
  readonly #groups = new Map<Cause, FindingGroup>()

  add({finding, id, says, next}: DiagnosisRow): void {
    const group = this.#groups.get(finding)
    this.#groups.set(
      finding,
      group ? {...group, count: group.count + 1} : {finding, count: 1, example: id, says, next},
    )
  }

  /** The most first. */
  get groups(): FindingGroup[] {
    return [...this.#groups.values()].sort(
      (a, b) => b.count - a.count || CAUSES.indexOf(a.finding) - CAUSES.indexOf(b.finding),
    )
  }

  has(finding: Cause): boolean {
    return this.#groups.has(finding)
  }

  /** `12 token, 3 foreign`. */
  get text(): string {
    return this.groups.map(({finding, count}) => `${count} ${finding}`).join(', ')
  }
}
