import {parse} from 'csv-parse/sync'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {isBroken, readCsvRows} from '../../src/order/read/csv-rows.js'
import type {CsvRow} from '../../src/order/read/plain-rows.js'

/** What csv-parse alone makes of a table. */
function parseAlone(bytes: Buffer): CsvRow[] {
  const rows: CsvRow[] = []
  let start = 0
  parse(bytes, {
    ...{delimiter: ',', relax_column_count: true, skip_empty_lines: true},
    on_record: (cells: string[], {bytes: end}: {bytes: number}) => {
      if (cells.some(cell => cell.trim() !== '')) rows.push({cells, start, end})
      start = end
      return null
    },
  })
  return rows
}

async function readAll(pieces: readonly Buffer[]): Promise<CsvRow[]> {
  const rows: CsvRow[] = []
  for await (const batch of readCsvRows(toStream(pieces))) {
    if (isBroken(batch)) throw new Error(batch.message)
    rows.push(...batch.rows)
  }
  return rows
}

async function* toStream(pieces: readonly Buffer[]) {
  yield* pieces
}

function split(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = []
  let at = 0
  for (const size of sizes) {
    pieces.push(bytes.subarray(at, at + size))
    at += size
  }
  return [...pieces, bytes.subarray(at)].filter(({length}) => length > 0)
}

const CELL = fc.oneof(
  {weight: 8, arbitrary: fc.constantFrom('a', 'Straße', '🚚', ' ', '', '007', 'b\u00a0')},
  fc.constantFrom('"x,y"', '"two\nlines"', '"two\r\nlines"', '"say ""hi"""', '\r', 'x\r'),
)
const LINE = fc.array(CELL, {minLength: 1, maxLength: 4}).map(cells => cells.join())
const TABLE = fc.record({
  // A table of one column is told by no delimiter.
  lines: fc.array(LINE, {maxLength: 30}).map(lines => ['a,b', ...lines]),
  ends: fc.array(fc.boolean(), {minLength: 5, maxLength: 5}),
  isMixed: fc.boolean(),
  endsWithLineEnd: fc.boolean(),
  sizes: fc.array(fc.integer({min: 1, max: 40}), {maxLength: 20}),
})

test('a table in pieces has the rows that csv-parse finds in it as a whole, at the same bytes', async () => {
  await fc.assert(
    fc.asyncProperty(TABLE, async ({lines, ends, isMixed, endsWithLineEnd, sizes}) => {
      const lineEnd = (index: number) => (ends[isMixed ? index % ends.length : 0] ? '\n' : '\r\n')
      const text = lines.map((line, index) => (index === 0 ? line : lineEnd(index - 1) + line)).join('')
      const bytes = Buffer.from(endsWithLineEnd ? text + lineEnd(lines.length) : text)
      const alone = await Promise.resolve(bytes)
        .then(parseAlone)
        .catch(() => 'broken')
      const read = await readAll(split(bytes, sizes)).catch(() => 'broken')
      expect(read).toEqual(alone)
    }),
    {numRuns: 500},
  )
})

test('bytes that are no UTF-8 are read as csv-parse reads them', async () => {
  const bytes = Buffer.concat([
    Buffer.from('a,b\nx'),
    Buffer.from([0xc3, 0x2c, 0xff, 0x0a]),
    Buffer.from('y,z\n'),
  ])
  expect(await readAll([bytes])).toEqual(parseAlone(bytes))
})

test('a line that is too long for a row is refused also where it has no quotes', async () => {
  const bytes = Buffer.from(`a,b\n${'x'.repeat(2 * 1024 * 1024)}`)
  await expect(readAll(split(bytes, Array(40).fill(65_536)))).rejects.toThrow('longer than 1 MiB')
})

test('rows come as soon as they are whole, and not with the end of the table', async () => {
  const rows = readCsvRows(toStream([Buffer.from('a,b\n1,2\n'), Buffer.from('3,4\n'), Buffer.from('5,6\n')]))
  const first = (await rows.next()).value as {readonly rows: readonly CsvRow[]}
  await rows.return(undefined)
  expect(first.rows.map(({cells}) => cells)).toEqual([
    ['a', 'b'],
    ['1', '2'],
  ])
})
