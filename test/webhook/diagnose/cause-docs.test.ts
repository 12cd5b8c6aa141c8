import {expect, test} from 'vitest'
import {CAUSE_ROWS, CAUSES, type Cause, REMEDIES, type Remedy} from '../../../src/webhook/event/cause.js'
import {readSection} from '../../docs/sections.js'

const names = (cell: string) => [...cell.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name)

/** Rows of the tables of a section, by the names in their first cell. */
function readRows(columns: number): {names: string[]; cells: string[]}[] {
  return readSection('docs/webhooks.md', 'Diagnose')
    .split('\n')
    .filter(line => /^\| `[a-z]/.test(line))
    .map(line => line.slice(2, -2).split(' | '))
    .filter(cells => cells.length === columns)
    .map(cells => ({names: names(cells[0] ?? ''), cells}))
}

const helps: Readonly<Record<Remedy, RegExp>> = {
  replay: /a replay$|`webhook replay/,
  resolve: /`webhook resolve`/,
  'set-up': /^`profile set|`next`/,
  'by-hand': /^by hand\b/,
  none: /^nothing: |^–$/,
}

test('the page has each cause once, and each remedy', () => {
  const [, ...remedies] = readRows(2)
  expect(readRows(3).flatMap(row => row.names)).toHaveLength(CAUSES.length)
  expect(new Set(readRows(3).flatMap(row => row.names))).toEqual(new Set(CAUSES))
  expect(remedies.flatMap(row => row.names.slice(0, 1))).toEqual(REMEDIES)
})

test.each(CAUSES)('what the page says of %s is what its command does', cause => {
  const row = readRows(3).find(row => row.names.includes(cause)) as {names: Cause[]; cells: string[]}
  const {remedy, next = '', before = '', flags = ''} = CAUSE_ROWS[cause]
  const help = row.cells[2] ?? ''
  expect(row.names.map(name => CAUSE_ROWS[name].remedy)).toEqual(row.names.map(() => remedy))
  expect(help).toMatch(helps[remedy])
  expect(help).toContain(flags)
  if (before !== '') expect(help).toMatch(/^`profile set`, then/)
  if (next !== '' && !next.includes('ID')) expect(help).toContain(`\`${next.replace('storectl ', '')}\``)
})

test('a cause says that a person is needed where one decides', () => {
  for (const cause of CAUSES)
    expect(CAUSE_ROWS[cause].detail.includes('A person must'), cause).toBe(
      CAUSE_ROWS[cause].remedy === 'by-hand',
    )
})
