import {AmountTotals, type Money} from '../language/amount-totals.js'
import type {Row, View} from './view.js'

/** Rows of each group that a person sees beside its line. */
const EXAMPLES = 5

/** Rows with reasons of their own that are told apart; those beyond share the group `others`. */
const MOST_GROUPS = 20

interface Group {
  readonly name: string
  readonly reason: string | null
  count: number
  readonly amounts: AmountTotals
}

/** Groups many rows for a person: by what happens to an item and why, with count and amount. Memory is that of the groups. */
export class RowGroups {
  readonly #groups = new Map<string, Group>()
  /** Rows that went through. */
  total = 0
  /** Those of them that were passed on as examples. */
  shown = 0

  /** @param screenRows as many rows fit on the screen beside what is said below them: so many are all shown */
  constructor(private readonly screenRows: number) {}

  /** Passes on the first five rows of each group, and counts all. @param total rows that are expected; few all go through */
  async *takeExamples(
    rows: AsyncIterable<Row | readonly Row[]>,
    total: number,
  ): AsyncGenerator<readonly Row[], void, void> {
    const most = total > this.screenRows ? EXAMPLES : this.screenRows
    for await (const each of rows) {
      const some: readonly Row[] = Array.isArray(each) ? each : [each]
      const examples = some.filter(row => this.#count(row) <= most)
      this.total += some.length
      this.shown += examples.length
      if (examples.length > 0) yield examples
    }
  }

  /** A row for each group, the largest first. */
  list(): Row[] {
    return [...this.#groups.values()]
      .sort((one, other) => other.count - one.count)
      .map(({name, reason, count, amounts}) => ({name, reason, count, amounts: amounts.list()}))
  }

  #count(row: Row): number {
    const name = String(row.action ?? row.result)
    const own = readReason(row)
    const isNew = !this.#groups.has(`${name} ${own}`)
    const reason = isNew && this.#groups.size >= MOST_GROUPS ? 'others' : own
    const key = `${name} ${reason}`
    const group = this.#groups.get(key) ?? {name, reason, count: 0, amounts: new AmountTotals()}
    this.#groups.set(key, group)
    group.amounts.add((row.amount as Money | null) ?? undefined)
    return ++group.count
  }
}

/** Its reason, or what its detail begins with: what comes behind the colon differs from row to row. */
function readReason({reason, detail}: Row): string | null {
  if (reason !== undefined) return reason as string | null
  return (detail as string | null | undefined)?.split(':', 1)[0] ?? null
}

/** Columns of groups. @param of the rows: its first column says what happens to an item */
export function createGroupView({noun, columns}: View): View {
  const header = columns[0]?.path.toUpperCase() ?? ''
  return {
    noun: ['group', 'groups'],
    id: 'name',
    columns: [
      {path: 'name', header},
      {path: 'reason'},
      {path: 'count', header: noun[1].toUpperCase(), kind: 'number'},
      {path: 'amounts', header: 'AMOUNT', kind: 'money'},
    ],
  }
}
