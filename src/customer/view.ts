import type {Format, View} from '../output/view.js'

/** How customers are shown. */
export const CUSTOMERS: View = {
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

/**
 * The properties that a format prints, so that nothing else is asked for.
 *
 * @param fields what `--fields` names
 * @returns `undefined` where whole customers are printed
 */
export function printedProperties(
  format: Format,
  fields: readonly string[] | undefined,
): readonly string[] | undefined {
  if (format === 'id') return [CUSTOMERS.id]
  if (fields) return fields
  const whole = format === 'json' || format === 'ndjson' || format === 'yaml'
  return whole ? undefined : CUSTOMERS.columns.map(({path}) => path)
}

/** What stands below a table. @param limit `undefined` where all were asked for */
export function footer(shown: number, limit: number | undefined): string {
  const [one, many] = CUSTOMERS.noun
  const customers = shown === 0 ? `No ${one}` : `${shown} ${shown === 1 ? one : many}`
  const more = shown === limit ? '; more with --limit N or --all' : ''
  return `${customers}${shown === 0 ? ' found' : ' shown'}${more}.`
}

/** A count as a format prints it: the number alone, or `{"count":25}`. */
export function countText(count: number, format: Format): string {
  if (format === 'json' || format === 'ndjson') return `${JSON.stringify({count})}\n`
  return format === 'yaml' ? `count: ${count}\n` : `${count}\n`
}
