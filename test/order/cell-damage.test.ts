import {expect, test} from 'vitest'
import {checked, HEADER, rowOf, tableOf} from '../support/checked.js'

const JSON_ORDER = '; if it is right, send the order as JSON'

/** What is said of an order with other cells. */
async function said(cells: Parameters<typeof rowOf>[1], asked = {}) {
  const {lines} = await checked(tableOf(rowOf('A-1', cells)), {asked})
  return lines
}

test('UTF-8 that was read as Windows-1252 is refused, with what was meant', async () => {
  expect(await said({name: 'JÃ¼rgen GroÃŸ', street: 'KÃ¶nigstraÃŸe 5', city: 'KÃ¶ln'})).toEqual([
    'orders.csv:2:5 shipTo.name: was read with the wrong encoding; did you mean "Jürgen Groß"? If not, send the order as JSON (got "JÃ¼rgen GroÃŸ")',
    'orders.csv:2:19 shipTo.street: was read with the wrong encoding; did you mean "Königstraße 5"? If not, send the order as JSON (got "KÃ¶nigstraÃŸe 5")',
    'orders.csv:2:41 shipTo.city: was read with the wrong encoding; did you mean "Köln"? If not, send the order as JSON (got "KÃ¶ln")',
  ])
  expect(await said({city: 'CittÃ\u00a0'})).toEqual([expect.stringContaining('did you mean "Città"?')])
  expect(await said({city: 'JÃƒÂ¼lich'})).toEqual([expect.stringContaining('did you mean "Jülich"?')])
})

test('a character that was lost is refused', async () => {
  expect(await said({name: 'J\ufffdrgen'})).toEqual([
    `orders.csv:2:5 shipTo.name: holds U+FFFD, the sign of a character that was lost${JSON_ORDER} (got "J\ufffdrgen")`,
  ])
})

test.each(
  '#N/A #REF! #VALUE! #DIV/0! #NAME? #NULL! #NUM! #NV #BEZUG! #WERT! #SPILL! #ERROR! Err:502 ##### NULL NaN undefined'
    .split(' ')
    .concat('[object Object]'),
)('the cell %s is refused in every column', async value => {
  const lines = await said({name: value, sku: value, quantity: value, country: value})
  expect(lines).toHaveLength(4)
  for (const line of lines)
    expect(line).toContain(`is an error value of a spreadsheet or program${JSON_ORDER} (got "${value}")`)
})

test.each([
  'Null',
  'null',
  'Nan',
  'NAN',
  'Undefined',
  'NULL GmbH',
  '#1',
  '#WEG!',
  '[object]',
  'N/A',
  'NV',
  'Err:',
])('the cell %s is none', async name => {
  expect(await said({name})).toEqual([])
})

test.each([
  ['\u0007', 'U+0007'],
  ['\u0000', 'U+0000'],
  ['\u0085', 'U+0085'],
  ['\u00ad', 'U+00AD'],
  ['\u200b', 'U+200B'],
  ['\u200c', 'U+200C'],
  ['\u200d', 'U+200D'],
  ['\u200e', 'U+200E'],
  ['\u202e', 'U+202E'],
  ['\u2028', 'U+2028'],
  ['\u2060', 'U+2060'],
  ['\ufeff', 'U+FEFF'],
  ['\u3164', 'U+3164'],
  ['\u{e0041}', 'U+E0041'],
])('%j inside a word is refused as %s, with the word without it', async (character, name) => {
  expect(await said({city: `Dres${character}den`})).toEqual([
    expect.stringContaining(
      `shipTo.city: holds ${name}, which cannot be seen; did you mean "Dresden"? If not, send the order as JSON`,
    ),
  ])
})

test('a cell of nothing but what cannot be seen has nothing that was meant', async () => {
  expect(await said({city: '\u200b'})).toEqual([
    expect.stringContaining(`shipTo.city: holds U+200B, which cannot be seen${JSON_ORDER}`),
  ])
})

test.each([
  ['Persian', 'علی‌رضا'],
  ['Hindi', 'क्‍ष शर्मा'],
  ['Malayalam, at the end of a word', 'കൃഷ്ണന്‍'],
  ['Sinhala', 'ශ්‍රී ලංකා'],
  ['Bengali', 'র‍্যাব'],
  ['Tamil', 'க்‌ஷ'],
  ['a family', 'Café 👨‍👩‍👧‍👦'],
  ['a person with a skin and a job', '👩🏽‍🚀'],
  ['a flag with a colour', '🏳️‍🌈'],
  ['the flag of a part of a country', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
  ['a rare form of a kanji', '葛\u{e0100}城'],
  ['an Arabic sign below a number', '\u0600١٢'],
])('what cannot be seen is sound in %s', async (_, name) => {
  expect(await said({name})).toEqual([])
})

test('joiners are refused between other letters, twice, and at an end', async () => {
  for (const name of ['Jür\u200dgen', 'علی\u200c\u200cرضا', 'علی\u200c', '\u200dAda', '👩\u200d Ada'])
    expect(await said({name}), name).toEqual([expect.stringContaining('which cannot be seen')])
  expect(await said({name: 'علی\u200cرضا\u200b'})).toEqual([
    expect.stringContaining(`did you mean ${JSON.stringify('علی\u200cرضا')}?`),
  ])
})

const LOST = 'has a question mark for a letter: letters beyond ASCII were lost'

test('a question mark inside the word of a name is refused where the file has no letter beyond ASCII', async () => {
  expect(await said({name: 'J?rgen', street: 'Stra?e 5', city: 'K??ln'})).toEqual([
    `orders.csv:2:5 shipTo.name: ${LOST}${JSON_ORDER} (got "J?rgen")`,
    `orders.csv:2:12 shipTo.street: ${LOST}${JSON_ORDER} (got "Stra?e 5")`,
    `orders.csv:2:27 shipTo.city: ${LOST}${JSON_ORDER} (got "K??ln")`,
  ])
  expect(await said({name: '????? ???????', city: '??'})).toHaveLength(2)
  for (const name of ['Who?', '?Ada', '?', 'Ada ?', 'Ada (?)', 'Weg 5?'])
    expect(await said({name, sku: 'A?B'}), name).toEqual([])
})

test('one letter beyond ASCII anywhere in the file shows that question marks are meant', async () => {
  const lost = rowOf('A-1', {name: 'Who?What'})
  const rows = Array.from({length: 2000}, (_, at) => rowOf(`B-${at}`))
  const check = async (last: string, pieceBytes = 1000) =>
    (await checked(tableOf(lost, ...rows, last), {pieceBytes})).lines
  expect(await check(rowOf('Z'))).toEqual([expect.stringContaining(`:2:5 shipTo.name: ${LOST}`)])
  expect(await check(rowOf('Z', {sku: 'Größe'}))).toEqual([])
  expect(await check(rowOf('Z', {sku: '5 €'}))).toHaveLength(1)
})

test('a letter beyond ASCII in the header shows it, too', async () => {
  const table = tableOf(rowOf('A-1', {street: 'Who?What'})).replace('shipTo.street', 'Straße')
  expect((await checked(table, {asked: {map: ['Straße=shipTo.street']}})).lines).toEqual([])
})

test('of many names with question marks the first thousand are counted, in the order of the file', async () => {
  const rows = Array.from({length: 1500}, (_, at) =>
    rowOf(`A-${at}`, {name: 'J?rgen', ...(at === 7 && {country: 'X'})}),
  )
  const {lines, faultCount} = await checked(tableOf(...rows), {mostFaults: 10})
  expect(faultCount).toBe(1001)
  expect(lines.map(line => Number(line.split(':')[1]))).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 9, 10])
})

test('numbers that are kept as text are read as what they mean', async () => {
  const meant = rowOf('A-1', {name: 'Ada', code: '01069', sku: '4006381333931', street: '+49', city: '=A'})
  const {lines} = await checked(tableOf(meant, rowOf('B', {code: '1069'})))
  expect(lines).toHaveLength(1)
  for (const [code, sku] of [
    ['"=""01069"""', '"=""4006381333931"""'],
    ['="01069"', '="4006381333931"'],
    ["'01069", "'4006381333931"],
    [' 01069\u00a0', '\u00a0 4006381333931 '],
  ] as const) {
    const table = tableOf(rowOf('A-1', {code, sku, street: "'+49", city: "'=A"}))
    for (const pieceBytes of [1, 7, 1000])
      expect((await checked(table, {pieceBytes})).lines, code).toEqual([])
  }
  expect(await said({code: '="1069"'})).toEqual([
    expect.stringContaining('did you mean "01069"? (got "1069")'),
  ])
  expect(await said({code: "'1069"})).toEqual([expect.stringContaining('(got "1069")')])
})

test('a number that is kept as text stands beside cells in quotes, also with line breaks', async () => {
  const street = '"Weg 1,\n""Hof"""'
  const rows = [rowOf('A', {street, code: '="01069"', sku: '="007"'}), rowOf('B', {code: '="1069"'})]
  for (const pieceBytes of [1, 7, 1000])
    expect((await checked(tableOf(...rows), {pieceBytes})).lines).toEqual([
      expect.stringMatching(/^orders\.csv:4:13 shipTo\.postalCode: has lost leading zeros/),
    ])
})

test('a no-break space behind a last letter beyond ASCII is cut off, and no half of another letter', async () => {
  for (const city of ['CAFÉ\u00a0', 'Ö\u00a0'])
    expect((await checked(tableOf(rowOf('A', {city})))).lines, city).toEqual([])
})

test("an apostrophe before a letter is part of the name: 's-Hertogenbosch", async () => {
  const {lines} = await checked(tableOf(rowOf('A', {city: "'s-Hertogenbosch", name: "'t", country: "'DE"})))
  expect(lines).toEqual([expect.stringContaining('(got "\'DE")')])
})

test('quotes that are not those of a number as text are still faults', async () => {
  for (const code of ['="010"69"', '="01069', 'x="01069"', '="01069"x', '=""01069""'])
    expect(await said({code}), code).toEqual([expect.stringContaining('quote')])
})

test('blanks around a reference do not part the rows of an order', async () => {
  const {lines, orders} = await checked(
    tableOf(rowOf('A-1'), rowOf('A-1\u00a0', {sku: 'Y'}), rowOf(' A-1', {sku: 'Z'})),
  )
  expect([lines, orders]).toEqual([[], 1])
})

test('a column that is passed over may hold anything, and JSON is sent as it is', async () => {
  const table = `${HEADER},Junk\n${rowOf('A-1')},#N/A\n`
  expect((await checked(table, {asked: {map: ['Junk=-']}})).lines).toEqual([])
  const shipTo = {name: 'JÃ¼rgen \ufffd', street: 'NULL', postalCode: '01067', city: 'K?ln', country: 'DE'}
  const order = {reference: 'A', shipTo, lines: [{sku: '#N/A', quantity: 1}]}
  expect((await checked(JSON.stringify(order), {name: 'o.json'})).lines).toEqual([])
})
