import {expect, test} from 'vitest'
import type {OutputFormat} from '../../src/language/output-formats.js'
import {JsonRows} from '../../src/output/json/json-rows.js'
import {type Batch, printRows} from '../../src/output/print.js'
import type {Row, View} from '../../src/output/view.js'
import {until} from '../support/until.js'

const view: View = {noun: ['thing', 'things'], columns: [{path: 'id'}], id: 'id'}

/** Rows as JSON text, the way an answer holds them. */
function jsonRows(rows: readonly Row[]): JsonRows {
  const texts = rows.map(row => JSON.stringify(row))
  const commas: number[] = []
  let at = 0
  for (const text of texts.slice(0, -1)) {
    at += Buffer.byteLength(text)
    commas.push(at++)
  }
  return new JsonRows(Buffer.from(texts.join(',')), commas)
}

function paper() {
  const pieces: string[] = []
  return {
    pieces,
    columns: undefined,
    write: async (piece: string | Uint8Array) => void pieces.push(Buffer.from(piece).toString()),
  }
}

const rows = [{id: 'a'}, {id: 'é'}, {id: 'c'}]

async function printed(format: OutputFormat, batches: AsyncIterable<Row | Batch>, fields?: string[]) {
  const out = paper()
  const count = await printRows(batches, out, {view, format, fields})
  return {count, text: out.pieces.join(''), pieces: out.pieces}
}

test('unparsed rows let nothing through that a terminal obeys', async () => {
  const harmful = [{id: '\u009b31m'}, {id: '\u007f\u202e“quoted” à'}]
  async function* batches() {
    yield jsonRows(harmful)
  }
  for (const format of ['json', 'ndjson'] as const) {
    const {text} = await printed(format, batches())
    expect(text).toContain('\\u009b31m')
    expect(text).toContain('\\u007f\\u202e“quoted” à')
    expect(text).not.toMatch(/[\u007f-\u009f\u202e]/)
  }
})

test.each(['csv', 'tsv', 'yaml', 'table'] as const)(
  '%s keeps every digit of a large number',
  async format => {
    const text =
      '{"id":9007199254740993,"n":[-12345678901234567890],"t":"1\\"2345678901234567890","f":0.12345678901234567}'
    async function* batches() {
      yield new JsonRows(Buffer.from(text), [])
    }
    const {text: shown} = await printed(format, batches(), ['id', 'n', 't', 'f'])
    expect(shown).toContain('9007199254740993')
    expect(shown).toContain('-12345678901234567890')
    expect(shown).toContain('0.123456789012345')
    expect(shown).not.toContain('9007199254740992')
  },
)

async function* mixed(): AsyncGenerator<Row | Batch> {
  yield jsonRows(rows)
  yield rows.slice(0, 2)
  yield {id: 'd'}
}

test('rows, batches and unparsed rows come out alike in every format', async () => {
  const all = [...rows, ...rows.slice(0, 2), {id: 'd'}]
  const {count, text} = await printed('ndjson', mixed())
  expect(count).toBe(6)
  expect(text).toBe(all.map(row => `${JSON.stringify(row)}\n`).join(''))
  expect(JSON.parse((await printed('json', mixed())).text)).toEqual(all)
  expect((await printed('tsv', mixed())).text).toBe(`id\n${all.map(({id}) => `${id}\n`).join('')}`)
  expect((await printed('ndjson', mixed(), ['id'])).text).toBe(text)
})

test('unparsed rows can be split, and the last one read', () => {
  const [head, rest] = jsonRows(rows).split(1)
  expect(head.parseRows()).toEqual([{id: 'a'}])
  expect(rest?.parseRows()).toEqual([{id: 'é'}, {id: 'c'}])
  expect(jsonRows(rows).last()).toEqual({id: 'c'})
  expect(jsonRows([{id: 'a'}]).split(1)[1]).toBeUndefined()
})

test('a batch is handed on before the next is asked for', async () => {
  const out = paper()
  const seen: number[] = []
  async function* batches(): AsyncGenerator<Batch> {
    yield [{id: 'a'}]
    seen.push(out.pieces.length)
    yield jsonRows([{id: 'b'}])
    seen.push(out.pieces.length)
  }
  await printRows(batches(), out, {view, format: 'ndjson'})
  expect(seen).toEqual([1, 3])
})

test('what is ready is handed on while the next row is waited for', async () => {
  const out = paper()
  let arrive = () => {}
  async function* slowly(): AsyncGenerator<Row> {
    yield {id: 'a'}
    yield {id: 'b'}
    await new Promise<void>(resolve => {
      arrive = resolve
    })
    yield {id: 'c'}
  }
  const printing = printRows(slowly(), out, {view, format: 'id'})
  await until('something is printed', () => out.pieces.length > 0)
  expect(out.pieces).toEqual(['a\nb\n'])
  arrive()
  await printing
  expect(out.pieces).toEqual(['a\nb\n', 'c\n'])
})

test('what was printed before a failure stays whole, and nothing stays nothing', async () => {
  async function* failing(count: number): AsyncGenerator<Row> {
    yield* rows.slice(0, count)
    throw new Error('away')
  }
  const out = paper()
  await expect(printRows(failing(2), out, {view, format: 'json'})).rejects.toThrow('away')
  expect(JSON.parse(out.pieces.join(''))).toEqual(rows.slice(0, 2))
  const empty = paper()
  await expect(printRows(failing(0), empty, {view, format: 'csv'})).rejects.toThrow('away')
  expect(empty.pieces).toEqual([])
})

test('a reader that left stops the source', async () => {
  let isClosed = false
  async function* endless(): AsyncGenerator<Batch> {
    try {
      while (true) yield [{id: 'a'}]
    } finally {
      isClosed = true
    }
  }
  const out = {columns: undefined, write: async () => Promise.reject(new Error('gone'))}
  await expect(printRows(endless(), out, {view, format: 'ndjson'})).rejects.toThrow('gone')
  expect(isClosed).toBe(true)
})
