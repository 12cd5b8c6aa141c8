import type {Presenter} from '../../output/presenter.js'
import type {View} from '../../output/view.js'
import {type OpenTransactions, presentStates} from '../../payment/transactions.js'
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

/** Why one event is where it is. Keys are stable. */
export interface DiagnosisRow {
  readonly id: string
  readonly type: string
  readonly status: string
  readonly answer: number | null
  /** What the shop's answer said. */
  readonly message: string | null
  readonly transaction: string | null
  readonly cause: Cause
  readonly detail: string
  readonly evidence: readonly string[]
  readonly next: string | null
  readonly [key: string]: unknown
}

const DIAGNOSES: View = {
  noun: ['event', 'events'],
  id: 'id',
  columns: [{path: 'cause'}, {path: 'id'}, {path: 'type'}, {path: 'detail'}, {path: 'next'}],
}

const DIAGNOSIS: View = {
  noun: ['event', 'events'],
  id: 'id',
  columns: [
    {path: 'id'},
    {path: 'type'},
    {path: 'status'},
    {path: 'cause'},
    {path: 'detail'},
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

function toDiagnosisRow(event: InboxEvent, {cause, detail, evidence, next}: Diagnosis): DiagnosisRow {
  const {id, type, status, answer, cause: message, traits} = event
  return {id, type, status, answer, message, transaction: traits.keyText, cause, detail, evidence, next}
}

/** What several events have in common. Keys are stable. */
export interface CauseGroup {
  readonly cause: Cause
  readonly count: number
  /** The first of them. */
  readonly example: string
  readonly detail: string
  readonly next: string | null
  readonly [key: string]: unknown
}

const CAUSE_GROUPS: View = {
  noun: ['cause', 'causes'],
  id: 'cause',
  columns: [
    {path: 'cause'},
    {path: 'count', kind: 'number'},
    {path: 'example'},
    {path: 'detail'},
    {path: 'next'},
  ],
}

/** Counts causes while they go by. */
export class CauseCounts {
  readonly #groups = new Map<Cause, CauseGroup>()

  add({cause, id, detail, next}: DiagnosisRow): void {
    const group = this.#groups.get(cause)
    this.#groups.set(
      cause,
      group ? {...group, count: group.count + 1} : {cause, count: 1, example: id, detail, next},
    )
  }

  /** The rows, each counted as it passes. */
  async *count(rows: AsyncIterable<DiagnosisRow>): AsyncGenerator<DiagnosisRow, void, void> {
    for await (const row of rows) {
      this.add(row)
      yield row
    }
  }

  /** The most first. */
  get groups(): CauseGroup[] {
    return [...this.#groups.values()].sort(
      (a, b) => b.count - a.count || CAUSES.indexOf(a.cause) - CAUSES.indexOf(b.cause),
    )
  }

  has(cause: Cause): boolean {
    return this.#groups.has(cause)
  }

  /** `12 token-mismatch, 3 unknown-transaction`. */
  get text(): string {
    return this.groups.map(({cause, count}) => `${count} ${cause}`).join(', ')
  }
}

/** Prints one diagnosis. @param missing what is thrown when there is none */
export async function printDiagnosis(
  rows: AsyncIterable<DiagnosisRow>,
  missing: Error,
  presenter: Presenter,
): Promise<void> {
  for await (const row of rows) return presenter.printOne({...row}, DIAGNOSIS)
  throw missing
}

/** Prints how many events have each cause. */
export async function printCauses(
  rows: AsyncIterable<DiagnosisRow>,
  counts: CauseCounts,
  presenter: Presenter,
): Promise<void> {
  for await (const _ of rows);
  await presenter.print(counts.groups, CAUSE_GROUPS)
}

/** Prints every diagnosis, and how many there are of each cause. */
export async function printDiagnoses(
  rows: AsyncGenerator<DiagnosisRow>,
  counts: CauseCounts,
  presenter: Presenter,
): Promise<void> {
  const shown = await presenter.print(rows, DIAGNOSES)
  if (shown > 1) await presenter.note(counts.text)
}
