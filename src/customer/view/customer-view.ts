import {OUTPUT_FORMATS, type OutputFormat} from '../../language/output-formats.js'
import {describeShown} from '../../output/describe-shown.js'
import type {Column, View} from '../../output/view.js'
import type {FieldFinder} from '../fields/fields.js'

/** How customers are shown. */
export const CUSTOMERS: View = {
  hasAnyField: true,
  noun: ['customer', 'customers'],
  columns: [
    {path: 'customerNumber', header: 'NUMBER'},
    {path: 'firstName'},
    {path: 'lastName'},
    {path: 'email'},
    {path: 'company'},
    {path: 'active'},
    {path: 'createdAt', header: 'CREATED', kind: 'time'},
  ],
  id: 'id',
}

/** A view with a column for each path that it has none for, so that times and numbers are shown as such. */
export function addColumns(view: View, paths: readonly string[] = [], fields: FieldFinder): View {
  const further = paths.filter(path => !view.columns.some(column => column.path === path))
  return {...view, columns: [...view.columns, ...further.map(path => buildColumn(path, fields))]}
}

function buildColumn(path: string, fields: FieldFinder): Column {
  const found = fields.find(path)
  if ('problem' in found) return {path}
  const {type} = found
  return type === 'time' || type === 'date' || type === 'number' ? {path, kind: type} : {path}
}

/**
 * The properties that a format prints, so that nothing else is asked for.
 *
 * @param fields what `--fields` names
 * @returns `undefined` where whole customers are printed
 */
export function listPrintedProperties(
  format: OutputFormat,
  fields: readonly string[] | undefined,
): readonly string[] | undefined {
  if (format === 'id') return [CUSTOMERS.id]
  if (fields) return fields
  const whole = format === 'json' || format === 'ndjson' || format === 'yaml'
  return whole ? undefined : CUSTOMERS.columns.map(({path}) => path)
}

/** Whether a limit may have kept some back; for certain only the shop could say, by counting them. */
export function mayHaveMore(shown: number, limit: number | undefined): boolean {
  return limit !== undefined && shown >= limit
}

/**
 * What is said below a list: how many came, and how to get more.
 *
 * @param limit `undefined` where all were asked for
 * @param page from 1
 */
export function formatFooter(
  shown: number,
  {limit, page, isWritten}: {limit: number | undefined; page?: number | undefined; isWritten?: boolean},
): string {
  const [one, many] = CUSTOMERS.noun
  const what = `${shown} ${shown === 1 ? one : many} ${isWritten ? 'written' : 'shown'}`
  const way = page === undefined ? '--limit N or --all' : `--page ${page + 1}`
  return `${what}${mayHaveMore(shown, limit) ? `; if there are more: ${way}` : ''}.`
}

/** The line below a table of the first page: `25 of 1,500 customers (local); --all for all`, or the flag of the next page. */
export function formatTotal(
  shown: number,
  total: number,
  page: number | undefined,
  shopName: string,
): string {
  const line = describeShown(shown, total, CUSTOMERS.noun, shopName)
  return page === undefined ? line : line.replace(/--all for all$/, `--page ${page + 1} for more`)
}

/** A count as a format prints it: the number alone, or `{"count":25}`. */
export function countText(count: number, format: OutputFormat): string {
  if (format === 'json' || format === 'ndjson') return `${JSON.stringify({count})}\n`
  return format === 'yaml' ? `count: ${count}\n` : `${count}\n`
}

/** The format that a file's name asks for; TSV where it asks for none. */
export function selectCustomerFormat(file: string): OutputFormat {
  const ending = /\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase()
  const format = OUTPUT_FORMATS.find(each => each === ending)
  if (format !== undefined && format !== 'table' && format !== 'id') return format
  return ending === 'jsonl' ? 'ndjson' : ending === 'yml' ? 'yaml' : 'tsv'
}
