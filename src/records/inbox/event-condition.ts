import {type RawBuilder, sql} from 'kysely'
import type {ListTest, SingleTest, Tested} from '../../language/where/comparison.js'
import type {FittedValue} from '../../language/where/value.js'
import {listPayerMembers} from '../../providers/providers.js'
import type {EventField} from '../../webhook/event/event-fields.js'
import type {RecordsDialect} from '../schema/dialect.js'
import type {RecordsTables} from '../schema/schema.js'

type Sql = RawBuilder<unknown>
type Holds = RawBuilder<boolean>

/**
 * A condition on events as SQL over `webhook_event`. A comparison with null is false, and `not` inverts that. The case
 * of ASCII letters is ignored.
 */
export function buildEventCondition(condition: Tested, dialect: RecordsDialect): Holds {
  if (condition.kind === 'single') return buildSingleTest(condition, dialect)
  if (condition.kind === 'list') return buildListTest(condition, dialect)
  if (condition.kind === 'not') return sql<boolean>`(not ${buildEventCondition(condition.part, dialect)})`
  const parts = condition.parts.map(part => buildEventCondition(part, dialect))
  return sql<boolean>`(${sql.join(parts, condition.kind === 'and' ? sql` and ` : sql` or `)})`
}

function buildListTest({field, type, operator, values}: ListTest, dialect: RecordsDialect): Holds {
  const parts = values.map(value =>
    buildSingleTest({kind: 'single', field, type, operator: '=', value}, dialect),
  )
  return sql<boolean>`(${sql.join(parts, operator === 'in' ? sql` or ` : sql` and `)})`
}

const LIKE = {contains: ['%', '%'], starts: ['', '%'], ends: ['%', '']} as const

function buildSingleTest({field, operator, value}: SingleTest, dialect: RecordsDialect): Holds {
  if (field === 'payer') return buildPayerTest(operator, value, dialect)
  if (value === null) {
    const found = selectFieldText(field, dialect)
    return operator === '=' ? sql<boolean>`(${found} is null)` : sql<boolean>`(${found} is not null)`
  }
  if (operator === '!=') return sql<boolean>`(not ${buildComparison(field, '=', value, dialect)})`
  if (operator === 'contains' || operator === 'starts' || operator === 'ends') {
    const [before, after] = LIKE[operator]
    const pattern = before + String(value).replace(/[\\%_]/g, '\\$&') + after
    return sql<boolean>`coalesce(${dialect.matchPattern(selectFieldText(field, dialect), pattern)}, false)`
  }
  return buildComparison(field, operator, value, dialect)
}

function buildComparison(
  field: string,
  operator: string,
  value: FittedValue,
  dialect: RecordsDialect,
): Holds {
  const [found, bound] = selectComparable(field, value, dialect)
  return sql<boolean>`coalesce(${found} ${sql.raw(operator)} ${bound}, false)`
}

/** Field and value in comparable form: bodies often contain numbers as text. */
function selectComparable(
  field: string,
  value: FittedValue,
  dialect: RecordsDialect,
): [found: Sql, bound: Sql] {
  const {foldText, foldValue, member, castNumber} = dialect
  const path = parseBodyPath(field)
  if (typeof value === 'string') return [foldText(selectFieldText(field, dialect)), foldValue(value)]
  if (typeof value === 'boolean') {
    return [path ? member.selectTruth(path) : selectField(field, dialect), sql`${sql.lit(value ? 1 : 0)}`]
  }
  const number = value instanceof Date ? value.getTime() : value
  return [path ? member.selectNumber(path) : selectField(field, dialect), castNumber(number)]
}

function selectFieldText(field: string, dialect: RecordsDialect): Sql {
  const path = parseBodyPath(field)
  return path ? dialect.member.selectText(path) : selectField(field, dialect)
}

/** The same as `findSender`. */
export const SENDER = sql<string>`case coalesce(verification, 'not-checked') when 'not-checked' then arrived_with else verification end`

/** The fields of the last manual resolution of an event. */
export const RESOLVED = {
  resolvedAt: selectLastWord<number>('at_ms'),
  resolvedBy: selectLastWord<string>('who'),
  resolvedReason: selectLastWord<string>('reason'),
  resolvedRun: selectLastWord<string>('run_id'),
}

function selectLastWord<T>(column: keyof RecordsTables['webhook_resolution']): RawBuilder<T | null> {
  return sql`(case when status = 'resolved' then (
    select ${sql.ref(`word.${column}`)} from webhook_resolution as word
    where word.target = webhook_event.target and word.id = webhook_event.id
    order by word.number desc limit 1) end)`
}

type StoredField = Exclude<EventField, 'amount' | 'currency' | 'finalCapture' | 'payer'>

const COLUMNS: Readonly<Record<StoredField, Sql>> = {
  id: sql`webhook_event.id`,
  type: sql`type`,
  status: sql`status`,
  answer: sql`answer`,
  message: sql`message`,
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
  sender: SENDER,
  verification: sql`coalesce(verification, 'not-checked')`,
  verificationReason: sql`verification_reason`,
  orderNumber: sql`order_number`,
  ...RESOLVED,
}

function selectField(field: string, {parseAmount, finalCapture, member}: RecordsDialect): Sql {
  if (field === 'amount') return parseAmount(selectFirstMember(AMOUNT, member))
  if (field === 'currency') return selectFirstMember(CURRENCY, member)
  return field === 'finalCapture' ? finalCapture : COLUMNS[field as keyof typeof COLUMNS]
}

/** Members of the body with another path in v1 events. */
const AMOUNT = ['value', 'total']
const CURRENCY = ['currency_code', 'currency']

function selectFirstMember(names: readonly string[], {selectText}: RecordsDialect['member']): Sql {
  return sql`coalesce(${sql.join(names.map(name => selectText(['resource', 'amount', name])))})`
}

/** Whether an address, id or name of the payer is the text; without a text: whether there is none. */
function buildPayerTest(
  operator: string,
  value: FittedValue | null,
  {foldText, foldValue, member}: RecordsDialect,
): Holds {
  const tests = listPayerMembers().map(names => {
    const parts = names.split(' ').map(name => member.selectText(name.split('.')))
    const found = sql.join(parts, sql` || ' ' || `)
    if (value === null) return sql`(${found}) is not null`
    return sql`coalesce(${foldText(sql`(${found})`)} = ${foldValue(String(value))}, false)`
  })
  const isAny = sql<boolean>`(${sql.join(tests, sql` or `)})`
  return (operator === '=') === (value === null) ? sql<boolean>`(not ${isAny})` : isAny
}

/** The path of a field in the body; `undefined` for a column. */
function parseBodyPath(field: string): string[] | undefined {
  return field.startsWith(BODY) ? field.slice(BODY.length).split('.') : undefined
}

const BODY = 'body.'
