import {gzipSync} from 'node:zlib'
import {expect, test} from 'vitest'
import {withErrorMembers} from '../../src/order/read/json.js'
import {checked, rowOf, tableOf} from '../support/checked.js'

const GOOD = {
  reference: 'A-1',
  shipTo: {name: 'Ada', street: 'Weg 1', postalCode: '01067', city: 'Dresden', country: 'DE'},
  lines: [{sku: 'X', quantity: 2}],
}
const good = JSON.stringify(GOOD)
const json = (text: string, asked = {}) => checked(text, {name: 'o.json', asked})

test('a member that stands twice is a fault with its place, and hides no other', async () => {
  const {lines} = await json(`[{"reference": "A-1",
  "shipTo": {"name": "Ada", "street": "a", "street": "b", "postalCode": "01067", "city": "c", "country": "DE"},
  "reference": "A-2", "lines": [{"sku": "X", "quantity": 1, "sku": {"a": 1}, "sku": "Z"}], "hold": 1}]`)
  expect(lines).toEqual([
    'o.json:2:44 shipTo.street: appears twice in the same object (got "b")',
    'o.json:3:3 reference: appears twice in the same object (got "A-2")',
    'o.json:3:61 lines[1].sku: appears twice in the same object (got {"a":1})',
    'o.json:3:78 lines[1].sku: appears twice in the same object (got "Z")',
    'o.json:3:100 hold: must be true or false; did you mean true? (got 1)',
  ])
})

test.each([
  ['the same name in other objects', '{"a": {"x": 1}, "b": {"x": 1}, "c": [{"x": 1}, {"x": 1}]}'],
  ['colons and quotes in texts', '{"a": ":::\\":\\\\", "b:": "{\\"b:\\": 1}"}'],
  ['a name like that of what all objects have', '{"__proto__": {"a": 1}, "constructor": null}'],
])('%s is no member that stands twice', async (_, customFields) => {
  expect((await json(`{"customFields": ${customFields},${good.slice(1)}`)).lines).toEqual([])
})

test('what --rejects added is passed over, also where it stands twice', async () => {
  expect((await json(`${good.slice(0, -1)},"_error":"a","_error":"b"}`)).lines).toEqual([])
})

test('with --raw only a reference that stands twice is a fault', async () => {
  const {lines} = await checked('{"reference":"A","x":1,"x":2}\n{"reference":"B","reference":"C"}\n', {
    asked: {raw: true},
  })
  expect(lines).toEqual(['orders.csv:2:18 reference: appears twice in the same object (got "C")'])
})

test('a text that is not closed ends with its line, and the orders behind it are checked', async () => {
  const {lines} = await json(`[\n{"reference": "A-1,\n "hold": 1},\n${good.replace('"DE"', '"XX"')}\n]`)
  expect(lines).toEqual([
    'o.json:2:15: unclosed text, or a line break or bad escape in it',
    expect.stringMatching(/^o\.json:4:\d+ shipTo\.country: /),
  ])
})

test('a bracket that is not closed takes all with it, and that is said', async () => {
  expect((await json(`[{"reference": "A-1", "shipTo": {\n${good}]`)).lines[0]).toMatch(
    /^o\.json:2:1: .*; nothing from line 2 on was checked$/,
  )
})

test('reading ends at a thousand commas that are where no comma belongs', async () => {
  const {lines, ...counts} = await json(`[${','.repeat(1_000_000)}${good}]`)
  expect(counts).toEqual({orders: 0, faultCount: 1000, warnings: []})
  expect(lines[0]).toBe('o.json:1:2: expected an order, not a comma')
  const {lines: all} = await checked(`[${','.repeat(1_000_000)}]`, {name: 'o.json', mostFaults: 2000})
  expect(all.at(-1)).toBe(
    'o.json:1:1001: 1000 misplaced commas or brackets; nothing from line 1 on was checked',
  )
})

test('depth beyond reason is a fault, not an accident', async () => {
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  const {lines} = await json(`{"customFields":{"a":${deep(300)}},"hold":1,${good.slice(1)}`)
  expect(lines).toEqual([
    expect.stringMatching(/^o\.json:1:17 customFields: is nested more than 64 levels deep/),
    'o.json:1:631 hold: must be true or false; did you mean true? (got 1)',
  ])
  expect((await json(`{"note":${deep(100_000)},${good.slice(1)}`)).lines).toEqual([
    expect.stringMatching(/^o\.json:1:9 note: must be text/),
  ])
})

test('a file whose name says JSON is JSON, whatever it begins with', async () => {
  expect((await json('"A-1"')).lines).toEqual(['o.json:1:1: must be an object (got "A-1")'])
  expect((await json('nul')).lines).toEqual(['o.json:1:1: expected a value, got "n"'])
})

test('files of spreadsheet programs and archives are told from text', async () => {
  const zip = (first: string) =>
    Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(26), Buffer.from(first)])
  const old = Buffer.from('d0cf11e0a1b11ae1000000000000', 'hex')
  const sheets: [Buffer, string, string][] = [
    [zip('[Content_Types].xml'), 'stdin', 'xlsx'],
    [zip('anything'), 'Orders.XLSX', 'xlsx'],
    [zip('mimetypeapplication/vnd.oasis.opendocument.spreadsheet'), 'orders', 'ods'],
    [old, 'orders.xls', 'xls'],
    [gzipSync(old), 'orders.xls.gz', 'xls'],
  ]
  for (const [bytes, name, kind] of sheets) {
    await expect(checked(bytes, {name}), name).rejects.toMatchObject({
      code: 'usage.not_text',
      message: `${name} is a spreadsheet (${kind}). Save it as "CSV UTF-8" and use that file. Nothing was sent.`,
    })
  }
  await expect(checked(zip('orders.csv'))).rejects.toMatchObject({
    code: 'usage.not_text',
    message: 'orders.csv is a zip archive. Unpack it and use the file inside. Nothing was sent.',
  })
  const page = '<!DOCTYPE html>\n<html><head><title>Sign in</title></head></html>\n'
  await expect(checked(page, {name: 'orders.json'})).rejects.toMatchObject({
    code: 'usage.not_text',
    message: expect.stringContaining('orders.json is a web page (HTML): a sign-in or an error page.'),
  })
})

test('a byte that is no UTF-8 is named with its place, and with the encodings that its word may be in', async () => {
  const table = tableOf(rowOf('A', {name: 'Ä🚚'}), rowOf('B', {name: 'Gün J\u00fcrgen'}))
  const wrong = Buffer.from(table).toString('latin1').replace('J\u00c3\u00bcr', 'J\u00fcr')
  const bytes = Buffer.from(wrong, 'latin1')
  for (const pieceBytes of [1, 64, 1 << 16]) {
    await expect(checked(bytes, {name: "Ada's orders.csv", pieceBytes})).rejects.toMatchObject({
      code: 'usage.encoding',
      message: "Ada's orders.csv:3:8: this is not UTF-8 text (got the byte 0xfc). Nothing was sent.",
      nextSteps: [
        '--encoding windows-1252 (reads "Jürgen")',
        '--encoding windows-1250 (reads "Jürgen")',
        '--encoding macintosh (reads "J¸rgen")',
        '--encoding windows-1251 (reads "Jьrgen")',
        '--encoding cp850 (reads "J³rgen")',
      ],
    })
  }
  const accents = Buffer.from(tableOf(rowOf('A', {name: 'Ren\u00e9 B'})), 'latin1')
  await expect(checked(accents)).rejects.toMatchObject({
    message: 'orders.csv:2:6: this is not UTF-8 text (got the byte 0xe9). Nothing was sent.',
  })
  await expect(checked(gzipSync(bytes), {name: 'in/o.csv.gz'})).rejects.toMatchObject({
    message: expect.stringContaining('in/o.csv.gz:3:8'),
  })
})

test('nothing, blanks, a header alone and an empty list are no orders', async () => {
  for (const text of ['', '\n \n', tableOf(), '[]', '[\n]\n'])
    expect(await checked(text), text).toMatchObject({orders: 0, faultCount: 0})
})

test('in a long line a column is counted from its beginning, in characters', async () => {
  const before = 'ö'.repeat(100)
  const other = good.replace('{', `{"note":"${before}",`).replace('A-1', 'A-0')
  const {lines} = await json(`[${other},${' '.repeat(1_500_000)}${good.slice(0, -1)},"hold":1}]`)
  const column = 1 + other.length + 1 + 1_500_000 + good.length + '"hold":'.length + 1
  expect(lines).toEqual([`o.json:1:${column} hold: must be true or false; did you mean true? (got 1)`])
})

test('an order that is longer than a shop takes is a fault of its own', async () => {
  const {lines} = await json(`[${good},{"note":"${'x'.repeat(1_100_000)}",${good.slice(1)}]`)
  expect(lines).toEqual([
    expect.stringMatching(/^o\.json:1:\d+: is longer than 1 MiB, the limit of the shop/),
  ])
})

test.each(['', ' ', '  ', '\r\n\t'])('what was said of an order is replaced behind the blanks %j', blanks => {
  const said = withErrorMembers(`${blanks}{"reference":"A-1","_error":"old"}`, {
    status: 'failed',
    detail: 'new',
  })
  expect(JSON.parse(said)).toEqual({reference: 'A-1', _error_status: 'failed', _error: 'new'})
  expect(said.match(/"_error"/g)).toHaveLength(1)
})
