import {type RawBuilder, sql} from 'kysely'
import type {ListTest, SingleTest, Tested} from '../../condition/test.js'
import type {Scalar} from '../../condition/value.js'
import type {EventField} from '../../webhook/event-fields.js'

type Sql = RawBuilder<unknown>
type Holds = RawBuilder<boolean>

/**
 * A condition on events as SQL over `webhook_event`. A comparison with nothing is false, and `not` turns that round.
 * Upper and lower case of ASCII letters make no difference.
 */
export function eventConditionSql(condition: Tested): Holds {
  if (condition.kind === 'single') return singleSql(condition)
  if (condition.kind === 'list') return listSql(condition)
  if (condition.kind === 'not') return sql<boolean>`(not ${eventConditionSql(condition.part)})`
  const parts = condition.parts.map(eventConditionSql)
  return sql<boolean>`(${sql.join(parts, condition.kind === 'and' ? sql` and ` : sql` or `)})`
}

function listSql({field, type, operator, values}: ListTest): Holds {
  const parts = values.map(value => singleSql({kind: 'single', field, type, operator: '=', value}))
  return sql<boolean>`(${sql.join(parts, operator === 'in' ? sql` or ` : sql` and `)})`
}

const LIKE = {contains: ['%', '%'], starts: ['', '%'], ends: ['%', '']} as const

function singleSql({field, operator, value}: SingleTest): Holds {
  if (value === null) {
    return operator === '='
      ? sql<boolean>`(${columnOf(field)} is null)`
      : sql<boolean>`(${columnOf(field)} is not null)`
  }
  if (operator === '!=') return sql<boolean>`(not ${equals(field, value)})`
  if (operator === '=') return equals(field, value)
  if (operator === 'contains' || operator === 'starts' || operator === 'ends') {
    const [before, after] = LIKE[operator]
    const like = before + String(value).replace(/[\\%_]/g, '\\$&') + after
    return sql<boolean>`coalesce(${columnOf(field)} like ${like} escape '\\', false)`
  }
  return sql<boolean>`coalesce(${comparable(field, value)} ${sql.raw(operator)} ${bound(value)}, false)`
}

function equals(field: string, value: Scalar): Holds {
  return sql<boolean>`coalesce(${comparable(field, value)} = ${bound(value)}, false)`
}

/** The field as it compares with a value of that kind: members of a body say numbers as text as often as not. */
function comparable(field: string, value: Scalar): Sql {
  const found = columnOf(field)
  if (typeof value === 'string') return sql`cast(${found} as text) collate nocase`
  if (typeof value !== 'number' || !field.startsWith('body.')) return found
  return sql`(case when typeof(${found}) = 'text' and ${found} not glob '[0-9-]*' then null else cast(${found} as real) end)`
}

function bound(value: Scalar): Sql {
  if (value instanceof Date) return sql`${value.getTime()}`
  return typeof value === 'boolean' ? sql`${value ? 1 : 0}` : sql`${value}`
}

/** Members of the body that stand at another place in events of the first version. */
const AMOUNT = sql`coalesce(${member('resource.amount.value')}, ${member('resource.amount.total')})`
const CURRENCY = sql`coalesce(${member('resource.amount.currency_code')}, ${member('resource.amount.currency')})`

const VALUES: Readonly<Record<EventField, Sql>> = {
  id: sql`webhook_event.id`,
  type: sql`type`,
  status: sql`status`,
  answer: sql`answer`,
  cause: sql`cause`,
  attempts: sql`attempts`,
  createdAt: sql`created_at_ms`,
  receivedAt: sql`received_at_ms`,
  changedAt: sql`changed_at_ms`,
  transaction: sql`transaction_key`,
  resourceType: sql`resource_type`,
  resourceVersion: sql`resource_version`,
  source: sql`source`,
  sizeBytes: sql`size_bytes`,
  sha256: sql`sha256`,
  conflict: sql`conflict`,
  unproven: sql`unproven`,
  finalCapture: sql`json_extract(traits, '$.finalCapture')`,
  amount: sql`cast(${AMOUNT} as real)`,
  currency: CURRENCY,
}

function columnOf(field: string): Sql {
  return Object.hasOwn(VALUES, field) ? VALUES[field as EventField] : member(field.slice('body.'.length))
}

/** A member of the body; what SQLite cannot read as JSON, though it was once read, has none. */
function member(path: string): Sql {
  const place = `$${path
    .split('.')
    .map(name => (/^\d+$/.test(name) ? `[${name}]` : `."${name}"`))
    .join('')}`
  return sql`(
    select case when json_valid(cast(body as text)) then json_extract(cast(body as text), ${place}) end
    from webhook_body where webhook_body.target = webhook_event.target and webhook_body.id = webhook_event.id)`
}
