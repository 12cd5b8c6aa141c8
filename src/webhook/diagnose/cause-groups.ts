import type {CauseGroup, DiagnosisRow, KnownDrift} from '../../contract/event-rows.js'
import {AmountTotals} from '../../language/amount-totals.js'
import {formatCount, formatCounted} from '../../output/cell.js'
import type {Presenter} from '../../output/presenter.js'
import type {View} from '../../output/view.js'
import {CAUSES, type Cause, VERIFY} from '../event/cause.js'
import {printDiagnoses, printDiagnosis} from './diagnose.js'
import {describeKnownDrift} from './known-drift.js'
import {MAX_AGE} from './remedies.js'

const CAUSE_GROUPS: View = {
  noun: ['cause', 'causes'],
  id: 'cause',
  hasCommands: true,
  columns: [
    {path: 'cause'},
    {path: 'count', kind: 'number'},
    {path: 'amounts', header: 'AMOUNT', label: 'Amount', kind: 'money'},
    {path: 'firstAt', kind: 'time'},
    {path: 'lastAt', kind: 'time'},
    {path: 'differ', kind: 'number'},
    {path: 'example.id', header: 'EXAMPLE', kind: 'command'},
    {path: 'detail'},
    {path: 'next', kind: 'command'},
  ],
}

/** Commands that are for a whole group. */
export type GroupVerb = 'replay' | 'resolve' | 'diagnose'

interface Tally {
  readonly example: DiagnosisRow
  /** Whether a replay of one of them needs `--max-age none`. */
  isExpired: boolean
  readonly amounts: AmountTotals
  readonly ifSent: Record<string, number>
  count: number
  differ: number
  drift: KnownDrift | null
  firstAt: string
  lastAt: string
}

/** Rows between two updates of the groups. */
const ROWS_AT_ONCE = 250

/** Counts causes of passing rows. */
export class CauseCounts {
  readonly #tallies = new Map<Cause, Tally>()

  /** @param writeCommand the command for a whole group */
  constructor(private readonly writeCommand: (verb: GroupVerb, cause: Cause) => string) {}

  add(row: DiagnosisRow): void {
    const {cause, createdAt, amount} = row
    const before = this.#tallies.get(cause)
    const tally = before ?? {
      ...{example: row, amounts: new AmountTotals(), count: 0, differ: 0, drift: null},
      ...{firstAt: createdAt, lastAt: createdAt, isExpired: false, ifSent: {}},
    }
    if (!before) this.#tallies.set(cause, tally)
    tally.count++
    tally.isExpired ||= row.next?.endsWith(MAX_AGE) === true
    if (row.drift) tally.differ++
    if (row.ifSent !== null) tally.ifSent[row.ifSent] = (tally.ifSent[row.ifSent] ?? 0) + 1
    tally.drift ??= row.drift
    tally.amounts.add(amount ?? undefined)
    if (createdAt < tally.firstAt) tally.firstAt = createdAt
    if (createdAt > tally.lastAt) tally.lastAt = createdAt
  }

  /** The rows, each counted as it passes. */
  async *count(rows: AsyncIterable<DiagnosisRow>): AsyncGenerator<DiagnosisRow, void, void> {
    for await (const row of rows) {
      this.add(row)
      yield row
    }
  }

  /** Counts the rows of these causes (default: all), and reports the groups again and again. */
  async *watch(
    rows: AsyncIterable<DiagnosisRow>,
    causes: readonly Cause[] | undefined,
  ): AsyncGenerator<{readonly groups: readonly CauseGroup[]; readonly diagnosed: number}, void, void> {
    let diagnosed = 0
    for await (const row of rows) {
      diagnosed++
      if (causes === undefined || causes.includes(row.cause)) this.add(row)
      if (diagnosed % ROWS_AT_ONCE === 0) yield {groups: this.groups, diagnosed}
    }
    yield {groups: this.groups, diagnosed}
  }

  /** The most frequent first. */
  get groups(): CauseGroup[] {
    return [...this.#tallies]
      .map(([cause, tally]) => {
        const {example, amounts, count, firstAt, lastAt, differ, drift, ifSent} = tally
        const {remedy, detail} = example
        return {
          ...{cause, count, amounts: amounts.list(), firstAt, lastAt, example},
          ...{remedy, detail, next: this.#findCommand(tally), differ, drift, ifSent: {...ifSent}},
        }
      })
      .sort((a, b) => b.count - a.count || CAUSES.indexOf(a.cause) - CAUSES.indexOf(b.cause))
  }

  has(cause: Cause): boolean {
    return this.#tallies.has(cause)
  }

  /** How many events were counted. */
  get total(): number {
    return [...this.#tallies.values()].reduce((sum, {count}) => sum + count, 0)
  }

  /** `12 token-mismatch, 3 unknown-transaction`. */
  get text(): string {
    return this.groups.map(({cause, count}) => `${formatCount(count)} ${cause}`).join(', ')
  }

  /**
   * The example's command, for all of them. If each needs a command of its own, because a person decides, the command
   * that lists them.
   */
  #findCommand({example, count, isExpired}: Tally): string | null {
    const {id, cause, remedy, next} = example
    if (next === null) return null
    if (remedy === 'replay' || remedy === 'resolve') {
      const own = next.replace(`storectl webhook ${remedy} ${id}`, this.writeCommand(remedy, cause))
      return isExpired && !own.endsWith(MAX_AGE) ? `${own}${MAX_AGE}` : own
    }
    const isOwn = remedy === 'by-hand' && next !== VERIFY
    return isOwn && count > 1 ? `${this.writeCommand('diagnose', cause)} --no-summary` : next
  }
}

/**
 * Prints diagnoses grouped by cause, one by itself, or each in a list.
 *
 * @param missing the error if the only named event does not exist
 */
export async function presentDiagnoses(
  rows: AsyncGenerator<DiagnosisRow>,
  counts: CauseCounts,
  {isGrouped, missing}: {readonly isGrouped: boolean; readonly missing: Error | undefined},
  presenter: Presenter,
): Promise<void> {
  if (isGrouped) return printCauses(rows, counts, presenter)
  return missing ? printDiagnosis(rows, missing, presenter) : printDiagnoses(rows, counts, presenter)
}

/** Prints the events of each cause together; on a terminal in lines that are never cut, so that commands can be copied. */
async function printCauses(
  rows: AsyncIterable<DiagnosisRow>,
  counts: CauseCounts,
  presenter: Presenter,
): Promise<void> {
  for await (const _ of rows);
  if (!presenter.isInWords) return void (await presenter.print(counts.groups, CAUSE_GROUPS))
  await presenter.printBlocks(counts.groups.map(toGroupRecord), GROUP_RECORD)
}

const GROUP_RECORD: View = {
  noun: ['cause', 'causes'],
  id: 'cause',
  hasCommands: true,
  columns: [
    {path: 'cause'},
    {path: 'events'},
    {path: 'amounts', header: 'AMOUNT', label: 'Amount', kind: 'money'},
    {path: 'firstAt', kind: 'time', label: 'First created'},
    {path: 'lastAt', kind: 'time', label: 'Last created'},
    {path: 'detail', label: 'Why'},
    {path: 'remedy'},
    {path: 'example.id', label: 'Example'},
    {path: 'example.type', label: 'Type'},
    {path: 'example.status', label: 'Status'},
    {path: 'example.evidence', label: 'Evidence', kind: 'lines'},
    {path: 'payments', kind: 'lines'},
    {path: 'ifSent', label: 'If sent'},
    {path: 'next', kind: 'command'},
  ],
}

function toGroupRecord(group: CauseGroup) {
  const {count, firstAt, lastAt} = group
  return {
    ...group,
    events: formatCount(count),
    lastAt: firstAt === lastAt ? null : lastAt,
    payments: describeGroupDrift(group),
    ifSent: describeIfSent(group),
  }
}

/** How many payments of a group differed from the provider, and how one of them did; nothing if none is known to. */
export function describeGroupDrift({differ, drift}: CauseGroup): string[] {
  if (!drift) return []
  const events = formatCounted(differ, ['event is', 'events are'])
  return [`${events} of payments that differ, such as ${describeKnownDrift(drift)}`]
}

/** `40 would apply, 6 already paid`, the most frequent first; empty if the senders are known. */
export function describeIfSent({ifSent}: CauseGroup): string {
  return Object.entries(ifSent)
    .sort(([, one], [, other]) => other - one)
    .map(([effect, count]) => `${formatCount(count)} ${effect}`)
    .join(', ')
}
