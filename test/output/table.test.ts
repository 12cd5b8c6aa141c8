import {expect, test} from 'vitest'
import {printRows} from '../../src/output/print.js'
import {cut, measureWidth} from '../../src/output/table/grid.js'

async function table(rows: readonly object[], columns: number | undefined, fields?: readonly string[]) {
  let text = ''
  const out = {
    columns,
    write: async (piece: string | Uint8Array) => {
      text += piece
    },
  }
  const view = {
    hasAnyField: true,
    noun: ['a', 'b'] as const,
    columns: [{path: 'name'}, {path: 'city'}],
    id: 'id',
  }
  await printRows(rows as never, out, {view, format: 'table', fields})
  return text.split('\n').slice(0, -1)
}

test('wide, combining and joined characters take the columns that a terminal gives them', async () => {
  const names = ['李小龍', 'Zoe\u0308', '👩‍👩‍👧 Lee', 'Ada']
  const lines = await table(
    names.map(name => ({name, city: 'X'})),
    80,
  )
  const before = lines.map(line =>
    measureWidth(line.slice(0, Math.max(line.lastIndexOf('X'), line.lastIndexOf('CITY')))),
  )
  expect(new Set(before)).toEqual(new Set([8]))
})

test('a mark that begins a value does not join the gap before it', async () => {
  const [, line] = await table([{name: 'Ada', city: '\u0301Bonn'}], 80)
  expect(line).toBe('Ada   \u25cc\u0301Bonn')
})

test('what runs from right to left is kept to its column', async () => {
  const [, line] = await table([{name: 'محمد', city: 'Bonn'}], 80)
  expect(line).toBe('\u2068محمد\u2069  Bonn')
  const [, evil] = await table([{name: 'محمد\u2069\u202e', city: 'Bonn'}], 80)
  expect(evil).toBe('\u2068محمد\\u2069\\u202e\u2069  Bonn')
})

test('no line is wider than the terminal, whatever is in the cells, and none cuts a character apart', async () => {
  const names = ['x'.repeat(10_000), '李'.repeat(5000), '👩‍👩‍👧'.repeat(300), 'e\u0308'.repeat(500)]
  for (const width of [10, 20, 21, 40, 79]) {
    const lines = await table(
      names.map(name => ({name, city: name})),
      width,
    )
    for (const line of lines) expect(measureWidth(line)).toBeLessThanOrEqual(width)
    expect(lines.join('')).not.toContain('�')
  }
})

test('a terminal of 20 columns shows every value in full, a line or more each', async () => {
  const fields = ['name', 'city', 'a', 'b', 'c']
  const lines = await table(
    [{name: 'A name that is far longer', city: 'Bonn', a: 1, b: 2, c: 3}, {name: 'B'}],
    20,
    fields,
  )
  expect(lines).toEqual([
    'NAME',
    '  A name that is far',
    '  longer',
    'CITY  Bonn',
    'A  1',
    'B  2',
    'C  3',
    '',
    'NAME  B',
    'CITY',
    'A',
    'B',
    'C',
  ])
})

test('a narrow terminal keeps what runs from right to left to its line as well', async () => {
  const lines = await table([{name: 'محمد', 'customFields.شكل': 'ש'.repeat(30)}], 20, [
    ...['name', 'a', 'b', 'c'],
    'customFields.شكل',
  ])
  expect(lines).toEqual([
    'NAME  \u2068محمد\u2069',
    ...['A', 'B', 'C'],
    '\u2068شكل\u2069',
    `  \u2068${'ש'.repeat(18)}\u2069`,
    `  \u2068${'ש'.repeat(12)}\u2069`,
  ])
})

test('columns whose names end alike are told apart by what comes before', async () => {
  const heads = async (fields: string[]) => (await table([{}], undefined, fields))[0]?.split(/ {2,}/)
  expect(await heads(['group.name', 'salesChannel.name', 'name'])).toEqual([
    'GROUP NAME',
    'SALES CHANNEL NAME',
    'NAME',
  ])
  expect(await heads(['a.country.name', 'b.country.name', 'group.name', 'a.city'])).toEqual([
    'A COUNTRY NAME',
    'B COUNTRY NAME',
    'GROUP NAME',
    'CITY',
  ])
  expect(await heads(['name', 'name'])).toEqual(['NAME', 'NAME'])
})

test('1,000 columns hold what they hold', async () => {
  const lines = await table([{name: 'x'.repeat(900), city: 'Bonn'}], 1000)
  expect(lines[1]).toBe(`${'x'.repeat(900)}  Bonn`)
})

test('a text is cut to a width', () => {
  expect([cut('abcdef', 4), cut('李小龍', 4), cut('ab', 4)]).toEqual(['abc…', '李…', 'ab'])
  expect([cut('李小', 4), cut('e\u0308e\u0308', 1), cut('李', 1)]).toEqual(['李小', '…', '…'])
})

const EVENT_VIEW = {
  noun: ['event', 'events'] as const,
  id: 'id',
  columns: [
    {path: 'id'},
    {path: 'status', priority: 1},
    {path: 'type', priority: 4},
    {path: 'answer', priority: 5},
    {path: 'cause', priority: 2},
    {path: 'at', header: 'CREATED', ageHeader: 'AGE', kind: 'time', priority: 3} as const,
  ],
}
const NOW = new Date('2026-11-23T10:00:00Z')
const ROWS = [
  {id: `WH-${'1'.repeat(35)}`, status: 'failed', type: 'PAYMENT.CAPTURE.COMPLETED', cause: 'token-mismatch'},
  {id: `WH-${'2'.repeat(35)}`, status: 'delivered', type: 'PAYMENT.CAPTURE.REFUNDED', cause: null},
].map(row => ({...row, answer: null, at: '2026-11-23T09:48:00Z'}))

async function events(columns: number, options: {now?: Date | undefined; hasColor?: boolean} = {now: NOW}) {
  let text = ''
  const out = {
    columns,
    write: async (piece: string | Uint8Array) => {
      text += piece
    },
  }
  const forEyes = {now: options.now, hasColor: options.hasColor ?? false}
  await printRows(ROWS, out, {view: EVENT_VIEW, format: 'table', forEyes})
  return text.split('\n').slice(0, -1)
}

test('80 columns show id, status, cause and age; wider ones the rest, and none a column without values', async () => {
  const [one, two] = ROWS.map(({id}) => id)
  expect(await events(80)).toEqual([
    `ID${' '.repeat(38)}STATUS     CAUSE           AGE`,
    `${one}  failed     token-mismatch  12m`,
    `${two}  delivered                  12m`,
  ])
  expect((await events(120))[0]?.trim().split(/ +/)).toEqual(['ID', 'STATUS', 'TYPE', 'CAUSE', 'AGE'])
  expect((await events(120, {now: undefined}))[0]).toContain('CREATED')
})

test('an id is never cut, however narrow the terminal is', async () => {
  for (const width of [20, 30, 38, 40, 50, 79]) {
    const text = (await events(width)).join('\n')
    for (const {id} of ROWS) expect(text).toContain(id)
  }
})

test('colour marks what failed, and changes no letter', async () => {
  const colored = await events(80, {now: NOW, hasColor: true})
  expect(colored[1]).toContain('\u001b[31mfailed\u001b[39m')
  expect(colored[2]).toContain('\u001b[32mdelivered\u001b[39m')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours
  expect(colored.map(line => line.replaceAll(/\u001b\[\d+m/g, ''))).toEqual(await events(80))
})
