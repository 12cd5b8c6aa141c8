import fc from 'fast-check'
import {expect, test} from 'vitest'
import {areColumns, JsonColumns} from '../../../src/output/json/json-columns.js'
import {JsonRows} from '../../../src/output/json/json-rows.js'
import {pick, type Row} from '../../../src/output/view.js'
import {sized} from '../../support/sized.js'

function rowsOf(texts: readonly string[]): JsonRows {
  const commas: number[] = []
  let at = 0
  for (const text of texts.slice(0, -1)) {
    at += Buffer.byteLength(text)
    commas.push(at++)
  }
  return new JsonRows(Buffer.from(texts.join(',')), commas)
}

function lines(columns: JsonColumns, texts: readonly string[]): string[] {
  const text = Buffer.from(columns.formatLines(rowsOf(texts))).toString()
  expect(text.endsWith('\n')).toBe(true)
  return text.slice(0, -1).split('\n')
}

const name = fc.constantFrom('a', 'b', 'c', 'group', 'name', 'a b', 'é', '7', '__proto__', 'x.y')
const value = fc.letrec(tie => ({
  any: fc.oneof(
    {maxDepth: 3},
    fc.jsonValue({maxDepth: 1}),
    fc.array(tie('any'), {maxLength: 3}),
    tie('object'),
  ),
  object: fc.dictionary(name, tie('any'), {maxKeys: 6, noNullPrototype: true}),
}))
const path = fc.array(fc.constantFrom('a', 'b', 'c', 'group', 'name'), {minLength: 1, maxLength: 3})

test('whatever the rows are, it prints what parsing them and choosing from them would', () => {
  const rows = fc.array(value.object as fc.Arbitrary<Row>, {minLength: 1, maxLength: 5})
  const paths = fc.uniqueArray(
    path.map(steps => steps.join('.')),
    {minLength: 1, maxLength: 4},
  )
  fc.assert(
    fc.property(fc.array(rows, {minLength: 1, maxLength: 3}), paths.filter(areColumns), (pages, chosen) => {
      const columns = new JsonColumns(chosen)
      for (const page of pages) {
        const texts = page.map(row => JSON.stringify(row))
        const expected = page.map(row => JSON.parse(JSON.stringify(pick(row, chosen))))
        expect(lines(columns, texts).map(line => JSON.parse(line))).toEqual(expected)
        const list = Buffer.from(columns.list(rowsOf(texts))).toString()
        expect(JSON.parse(`[${list}]`)).toEqual(expected)
      }
    }),
    {numRuns: sized(50, 500)},
  )
})

test('values stand as they came: numbers longer than a double, escapes, nested ones', () => {
  const text = (id: string) =>
    `{"id":${id},"big":12345678901234567890,"name":"\\u00c9 \\"q\\" \\\\","at":{"x":[1,{"y":"}]"}],"z":2},"not":1}`
  const columns = new JsonColumns(['name', 'big', 'at.x', 'gone', 'id'])
  const expected = (id: string) =>
    `{"name":"\\u00c9 \\"q\\" \\\\","big":12345678901234567890,"at":{"x":[1,{"y":"}]"}]},"gone":null,"id":${id}}`
  lines(columns, [text('0')])
  expect(lines(columns, ['1', '2.50', '-3e+1'].map(text))).toEqual(['1', '2.50', '-3e+1'].map(expected))
})

test('a row that is not like the others is printed like the others', () => {
  const columns = new JsonColumns(['a', 'b.c'])
  const texts = [
    '{"a":1,"b":{"c":1}}',
    '{"b":{"c":2},"a":2}',
    '{"a":3}',
    '{"a":4,"b":null}',
    '{ "a":5, "b":{"c":5}}',
    '{"a":0,"a":6,"b":{"c":6}}',
    '{"a":7,"b":{"d":0,"c":7}}',
    '{"a":8,"b":[]}',
    '{}',
  ]
  expect(lines(columns, texts).map(line => JSON.parse(line))).toEqual([
    {a: 1, b: {c: 1}},
    {a: 2, b: {c: 2}},
    {a: 3, b: {c: null}},
    {a: 4, b: {c: null}},
    {a: 5, b: {c: 5}},
    {a: 6, b: {c: 6}},
    {a: 7, b: {c: 7}},
    {a: 8, b: []},
    {a: null, b: {c: null}},
  ])
})

test('text that no JSON holds is not handed on', () => {
  const good = '{"a":"1"}'
  for (const bad of ['{"a":"\u0007"}', '{"a":nul}', '{"a":tru,}', '{"a":1,}', '{"a":"1}']) {
    const columns = new JsonColumns(['a'])
    lines(columns, [good])
    expect(() => lines(columns, [good, bad, good]), bad).toThrow(SyntaxError)
  }
})

test('what a terminal obeys is written out', () => {
  const columns = new JsonColumns(['a'])
  expect(lines(columns, ['{"a":"x"}', '{"a":"\u009b2J\u202e"}'])[1]).toBe('{"a":"\\u009b2J\\u202e"}')
})

test('paths that lie in one another, or are no plain names, are left to a parser', () => {
  expect(
    [['a', 'a.b'], ['a', 'a'], ['a.b', 'a'], ['__proto__'], ['a b'], ['a.'], ['1']].map(areColumns),
  ).toEqual(Array.from({length: 7}, () => false))
  expect(areColumns(['a.b', 'a.c', 'ab', 'b'])).toBe(true)
})
