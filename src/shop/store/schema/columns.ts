import type {Entity, Field} from '../../../shopware/entity.js'
import {fold} from '../../../shopware/fold-text.js'
import type {EntityRow} from './schema.js'

/** Column types that both SQLite and PostgreSQL have. */
export type ColumnType = 'text' | 'integer' | 'real'

interface Column {
  name: string
  type: ColumnType
}

/** The column with a value without case and accents, next to the original one. */
export function nameFoldedColumn(column: string): string {
  return `${column}_folded`
}

/** Whether comparisons of the field use a folded copy. */
export function isFolded({kind, hidden}: Field): boolean {
  return !hidden && (kind === 'text' || kind === 'custom-fields' || kind === 'list')
}

/** Fields that have a column, in the order of the description. */
export function listStoredFields(entity: Entity): Field[] {
  return entity.fields.filter(field => field.constant === undefined && !field.madeOf)
}

/** Every column of an entity's table. */
export function listSqlColumns(entity: Entity): Column[] {
  return listStoredFields(entity).flatMap(field => {
    const column: Column = {name: field.column, type: getColumnType(field)}
    return isFolded(field) ? [column, {name: nameFoldedColumn(field.column), type: 'text'}] : [column]
  })
}

function getColumnType({kind}: Field): ColumnType {
  if (kind === 'int' || kind === 'bool') return 'integer'
  return kind === 'float' ? 'real' : 'text'
}

/** A column with the source of its value. */
export interface ColumnSource {
  field: Field
  name: string
  isFolded: boolean
}

/** Every column of an entity's table with the field that it comes from, in the order of `listSqlColumns`. */
export function listColumnSources(entity: Entity): ColumnSource[] {
  return listStoredFields(entity).flatMap(field => {
    const plain = {field, name: field.column, isFolded: false}
    return isFolded(field) ? [plain, {field, name: nameFoldedColumn(field.column), isFolded: true}] : [plain]
  })
}

/** The value of a column, from an entity's values by field name. */
export function computeColumnValue({field, isFolded}: ColumnSource, values: Values): string | number | null {
  const value = values[field.name]
  if (value === null || value === undefined) return null
  return isFolded ? computeFoldedValue(field, value) : convertToStored(field, value)
}

type Values = Readonly<Record<string, unknown>>

/**
 * The row for an entity's values.
 *
 * @param values by field name: dates as Date or as stored, objects and lists as such; missing values are null
 */
export function buildRow(entity: Entity, values: Values): EntityRow {
  return Object.fromEntries(
    listColumnSources(entity).map(source => [source.name, computeColumnValue(source, values)]),
  )
}

/** A value as it is stored: dates as `2024-10-24 21:30:46.123`, JSON as text, booleans as 1 and 0. */
export function convertToStored({kind}: Field, value: unknown): string | number | null {
  if (value === null || value === undefined) return null
  if (kind === 'date')
    return truncateToDay(value instanceof Date ? formatStoredDate(value) : parseStoredMoment(String(value)))
  if (value instanceof Date) return formatStoredDate(value)
  if (kind === 'bool') return value ? 1 : 0
  if (typeof value === 'object') return JSON.stringify(value)
  if (kind === 'date-time') return parseStoredMoment(String(value))
  return value as string | number
}

/** The value of the folded column: folded text, or JSON with folded texts. */
export function computeFoldedValue({kind}: Field, value: unknown): string | null {
  if (value === null || value === undefined) return null
  return kind === 'text' ? fold(String(value)) : JSON.stringify(foldJson(value))
}

/** Every scalar becomes folded text, because custom fields are compared as text; names stay. */
function foldJson(value: unknown): unknown {
  if (value === null) return null
  if (Array.isArray(value)) return value.map(foldJson)
  if (typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, foldJson(member)]))
  }
  return fold(String(value))
}

/** `2024-10-24 21:30:46.123`, UTC. @see protocol.md §1.6 */
export function formatStoredDate(date: Date): string {
  const iso = date.toISOString()
  return `${iso.slice(0, 10)} ${iso.slice(11, 23)}`
}

const STORED_MOMENT = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{3}$/

/** Converts a date in any accepted form to the stored form: `2024-10-24`, ISO 8601 with or without a zone. */
export function parseStoredMoment(text: string): string {
  if (STORED_MOMENT.test(text)) return text
  const match =
    /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i.exec(
      text.trim(),
    )
  if (!match) return text
  const [, day, minutes = '00:00', seconds = '00', fraction = '', zone] = match
  const local = `${day} ${minutes}:${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}`
  if (zone === undefined || /^z$/i.test(zone)) return local
  const moment = new Date(`${local.replace(' ', 'T')}${zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')}`)
  return Number.isNaN(moment.getTime()) ? local : moment.toISOString().slice(0, 23).replace('T', ' ')
}

/** The midnight at the beginning of a stored time's day. */
function truncateToDay(moment: string): string {
  return `${moment.slice(0, 10)} 00:00:00.000`
}
