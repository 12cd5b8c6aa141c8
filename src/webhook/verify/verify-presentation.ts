import type {Presenter} from '../../output/presenter.js'
import type {View} from '../../output/view.js'
import {isTrusted} from '../event/sender.js'
import {VERIFICATIONS} from '../event/verification.js'
import type {VerificationRow} from './verify-inbox.js'

/** Events with the same result for the same reason. Keys are stable. */
export interface VerificationGroup {
  readonly sender: VerificationRow['sender']
  readonly verification: VerificationRow['verification']
  readonly reason: VerificationRow['reason']
  readonly count: number
  /** When the provider created the first and the last of them; UTC, ISO 8601. */
  readonly firstAt: string
  readonly lastAt: string
  /** Id of one of them. */
  readonly example: string
  readonly detail: string | null
  readonly [key: string]: unknown
}

const GROUPS: View = {
  noun: ['result', 'results'],
  id: 'sender',
  columns: [
    {path: 'sender'},
    {path: 'count', kind: 'number'},
    {path: 'verification'},
    {path: 'reason'},
    {path: 'detail', isProse: true, priority: 3},
    {path: 'firstAt', header: 'FIRST', kind: 'time'},
    {path: 'lastAt', header: 'LAST', kind: 'time'},
    {path: 'example', kind: 'command'},
  ],
}

const ROWS: View = {
  noun: ['event', 'events'],
  id: 'id',
  columns: [
    {path: 'sender'},
    {path: 'verification'},
    {path: 'id'},
    {path: 'type'},
    {path: 'status'},
    {path: 'detail'},
  ],
}

/** Counts results of passing rows. */
export class VerificationCounts {
  readonly #groups = new Map<string, VerificationGroup>()

  /** The rows, each counted as it passes. */
  async *count(rows: AsyncIterable<VerificationRow>): AsyncGenerator<VerificationRow, void, void> {
    for await (const row of rows) {
      this.#add(row)
      yield row
    }
  }

  #add({id, sender, verification, reason, detail, createdAt}: VerificationRow): void {
    const key = `${sender} ${verification} ${reason ?? ''}`
    const before = this.#groups.get(key)
    const {count, firstAt, lastAt, example} = before ?? {
      ...{count: 0, firstAt: createdAt, lastAt: createdAt, example: id},
    }
    this.#groups.set(key, {
      ...{sender, verification, reason, count: count + 1, detail, example},
      firstAt: createdAt < firstAt ? createdAt : firstAt,
      lastAt: createdAt > lastAt ? createdAt : lastAt,
    })
  }

  /** Verified first, then forged; then the most frequent first. */
  get groups(): VerificationGroup[] {
    const order = ({verification}: VerificationGroup) => VERIFICATIONS.indexOf(verification)
    return [...this.#groups.values()].sort((a, b) => order(a) - order(b) || b.count - a.count)
  }

  /** Unestablished senders of events without a signature: the same check would not decide them either. */
  get undecided(): VerificationGroup['sender'][] {
    return this.groups
      .filter(({sender, reason}) => reason === 'no-signature' && !isTrusted(sender))
      .map(({sender}) => sender)
  }

  /** How many events there were, and how many of them have no established sender. */
  get totals(): {readonly all: number; readonly open: number} {
    let [all, open] = [0, 0]
    for (const {sender, count} of this.#groups.values()) {
      all += count
      if (!isTrusted(sender)) open += count
    }
    return {all, open}
  }
}

/** Prints results counted by reason, or each by itself. */
export async function presentVerifications(
  rows: AsyncIterable<VerificationRow>,
  counts: VerificationCounts,
  isGrouped: boolean,
  presenter: Presenter,
): Promise<void> {
  const counted = counts.count(rows)
  if (!isGrouped) return void (await presenter.print(counted, ROWS))
  for await (const _ of counted);
  await presenter.print(counts.groups, GROUPS)
  if (!presenter.streams.stdout.isTerminal) return
  for (const sender of counts.undecided)
    await presenter.note(
      `${sender}, no-signature: no check can decide. Resolve these events, or replay them with --include-${sender}`,
    )
}
