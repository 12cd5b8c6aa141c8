import {type RawBuilder, sql} from 'kysely'
import {AmountTotals, type Money} from '../../language/amount-totals.js'
import type {EventStatus} from '../../webhook/event/event-status.js'
import type {EventGroup, Grouping, InboxQuery} from '../../webhook/inbox/inbox.js'
import {chooseRecordsDialect} from '../schema/choose-dialect.js'
import {SENDER} from './event-condition.js'
import {type Events, filterEvents} from './inbox-list.js'

const HOUR_MS = 3_600_000

const KEYS: Readonly<Record<Grouping, RawBuilder<string | number | null>>> = {
  type: sql`type`,
  message: sql`message`,
  sender: SENDER,
  cause: sql`case when status in ('delivered', 'resolved') then status when cause_for_ms = changed_at_ms then cause end`,
  hour: sql`created_at_ms - created_at_ms % ${sql.lit(HOUR_MS)}`,
}

const STATUSES = Object.keys({
  ...{pending: 0, delivered: 0, failed: 0, unknown: 0, resolved: 0},
} satisfies Record<EventStatus, 0>) as EventStatus[]

/** @see Inbox.countGroups */
export async function countGroups(
  from: Events,
  target: string,
  query: InboxQuery,
  by: Grouping,
): Promise<EventGroup[]> {
  const rows = await filterEvents(from, target, query)
    .clearSelect()
    .select(({fn}) => [
      KEYS[by].as('key'),
      fn.countAll<number>().as('count'),
      fn.min('created_at_ms').as('first'),
      fn.max('created_at_ms').as('last'),
      ...STATUSES.map(status =>
        sql<number>`count(case when status = ${sql.lit(status)} then 1 end)`.as(status),
      ),
    ])
    .groupBy('key')
    .orderBy(by === 'hour' ? 'key' : 'count', 'desc')
    .orderBy(sql`${KEYS[by]} is not null`)
    .orderBy('key')
    .$if(query.limit !== undefined, some => some.limit(query.limit as number))
    .execute()
  return rows.map(({key, count, first, last, ...statuses}) => ({
    key: typeof key === 'number' ? new Date(key) : key,
    count: Number(count),
    first: new Date(Number(first)),
    last: new Date(Number(last)),
    statuses: Object.fromEntries(Object.entries(statuses).filter(([, some]) => some > 0)),
  }))
}

/** Equal amounts are counted by the engine and added up here, exactly. @see Inbox.sumGroups */
export async function sumGroups(
  from: Events,
  target: string,
  query: InboxQuery,
  by: Grouping,
): Promise<Map<unknown, Money[]>> {
  const {selectAmount} = chooseRecordsDialect(from)
  const rows = filterEvents(from, target, query)
    .clearSelect()
    .select(({fn}) => [
      KEYS[by].as('key'),
      selectAmount('value').as('value'),
      selectAmount('currency').as('currency'),
      fn.countAll<number>().as('count'),
    ])
    .groupBy(['key', 'value', 'currency'])
    .stream()
  const totals = new Map<unknown, AmountTotals>()
  for await (const {key, value, currency, count} of rows) {
    if (value === null || currency === null) continue
    const sums = totals.get(key) ?? new AmountTotals()
    totals.set(key, sums)
    sums.add({value, currency}, Number(count))
  }
  return new Map([...totals].map(([key, sums]) => [key, sums.list()]))
}
