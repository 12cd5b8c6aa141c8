import {type RawBuilder, sql} from 'kysely'
import {formatDecimal, type Money} from '../../language/amount-totals.js'
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

/** Units are summed in two parts, so that no sum leaves the whole numbers that both engines have. */
const PART = 1_000_000

/**
 * Adds up amounts to ten-thousandths. What is no plain decimal below 10^11 counts for nothing.
 *
 * @see Inbox.sumGroups
 */
export async function sumGroups(
  from: Events,
  target: string,
  query: InboxQuery,
  by: Grouping,
): Promise<Map<unknown, Money[]>> {
  const {amountUnits: units, selectAmount} = chooseRecordsDialect(from)
  const value = selectAmount('value')
  const digits = sql`length(${value}) - length(rtrim(${value}, '0123456789'))`
  const rows = await filterEvents(from, target, query)
    .clearSelect()
    .select([
      KEYS[by].as('key'),
      sql<string | null>`${selectAmount('currency')}`.as('currency'),
      sql<string>`cast(sum(${units} / ${sql.lit(PART)}) as text)`.as('high'),
      sql<string>`cast(sum(${units} % ${sql.lit(PART)}) as text)`.as('low'),
      sql<number>`max(case when ${value} like '%.%' then ${digits} else 0 end)`.as('digits'),
    ])
    .where(sql<boolean>`${units} is not null`)
    .groupBy(['key', 'currency'])
    .orderBy('currency')
    .execute()
  const totals = new Map<unknown, Money[]>()
  for (const {key, currency, high, low, digits} of rows) {
    if (currency === null) continue
    const value = formatDecimal(BigInt(high) * BigInt(PART) + BigInt(low), digits)
    totals.set(key, [...(totals.get(key) ?? []), {value, currency}])
  }
  return totals
}
