import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {signedInTo} from '../../support/customer-pages.js'
import {temporaryFolder} from '../../support/home.js'
import {orderOf, orderShop} from '../../support/order-shop.js'
import {storectl} from '../../support/storectl.js'

async function submitting(words: string[], given: {stdin?: string; answers?: unknown[]} = {}) {
  const shop = await orderShop()
  const {answers, ...rest} = given
  const ended = await storectl(['order', 'submit', ...words], {
    env: signedInTo(shop.url),
    ...rest,
    ...(answers && {answers, terminal: true}),
  })
  return {...ended, orders: [...shop.orders.values()], shop}
}

const ADDRESS = [
  'shipTo.name=Ada',
  'shipTo.street=Weg 1',
  'shipTo.postalCode=01067',
  'shipTo.city=Dresden',
  'shipTo.country=DE',
]
const sets = (...settings: string[]) => settings.flatMap(setting => ['--set', setting])

test('columns of other names are mapped, and some are passed over', async () => {
  const stdin = 'No. = 1;Name;Street;PLZ;City;SKU;Qty;Internal\nA-1;Ada;Weg 1;01067;Dresden;X;2;"=cmd|calc"\n'
  const map = [
    'No. = 1=reference',
    'Name=shipTo.name',
    'Street=shipTo.street',
    'PLZ=shipTo.postalCode',
    'City=shipTo.city',
    'SKU=line.sku',
    'Qty=line.quantity',
    'Internal=-',
  ].flatMap(each => ['--map', each])
  const {exit, orders, stderr} = await submitting(['-', '--yes', ...map, ...sets('shipTo.country=DE')], {
    stdin,
  })
  expect(exit, stderr).toBe(0)
  expect(orders).toEqual([orderOf('A-1')])
})

test('lines above a header, numbers with a comma and a file of mappings are read', async () => {
  const folder = temporaryFolder()
  const map = join(folder, 'map.json')
  writeFileSync(map, JSON.stringify({Given: '-', 'Street+No': 'shipTo.street'}))
  const header =
    'reference;Given;shipTo.name;Street;No;shipTo.postalCode;shipTo.city;shipTo.country;line.sku;line.quantity'
  const price = ';line.unitPrice.amount;line.unitPrice.currency'
  const stdin = `Orders\n${header}${price}\nA-1;A;Ada;Weg;1;01067;Dresden;DE;X;2;12,90 €;EUR\n`
  const words = ['-', '--yes', '--skip-rows', '1', '--decimal', 'comma', '--map', `@${map}`]
  const {exit, orders, stderr} = await submitting(words, {stdin})
  expect(exit, stderr).toBe(0)
  const unitPrice = {amount: '12.90', currency: 'EUR'}
  expect(orders).toEqual([{...orderOf('A-1'), lines: [{sku: 'X', quantity: 2, unitPrice}]}])
  for (const left of [2, 4]) {
    const less = words.filter((_, at) => at !== left && at !== left + 1)
    expect((await submitting(less, {stdin})).exit, less.join(' ')).toBe(2)
  }
})

test('the same item twice in an order is a warning, and is sent', async () => {
  const row = 'A-1,Ada,Weg 1,01067,Dresden,DE,X,2\n'
  const stdin = `reference,shipTo.name,shipTo.street,shipTo.postalCode,shipTo.city,shipTo.country,line.sku,line.quantity\n${row}${row}`
  const {exit, orders, stderr} = await submitting(['-', '--yes'], {stdin})
  expect([exit, orders.length]).toEqual([0, 1])
  expect(stderr).toContain(
    'warning: stdin:3:1: is the same item again as in another row of its order, in line 2',
  )
})

test('a mapping that leads nowhere is refused with the nearest name', async () => {
  const stdin = 'reference,line.sku\nA-1,X\n'
  const field = await submitting(['-', '--map', 'No=referense'], {stdin})
  expect([field.exit, field.stderr]).toEqual([2, expect.stringContaining('Did you mean "reference"?')])
  const column = await submitting(['-', '--map', 'line.skuu=line.sku'], {stdin})
  expect(column.stderr).toContain('is in --map, but not in the file; did you mean "line.sku"?')
  const json = await submitting(['-', '--map', 'No=reference'], {stdin: '{}'})
  expect([json.exit, json.stderr]).toEqual([2, expect.stringContaining('--map is for the columns of tables')])
})

test('--set says the same in every order, whatever the input says, and with its type', async () => {
  const stdin = JSON.stringify([orderOf('A-1'), orderOf('A-2', {note: 'other'})])
  const {exit, orders} = await submitting(
    ['-', '--yes', ...sets('note=a=b', 'hold=true', 'line.quantity=3', 'customFields.channel=web')],
    {stdin},
  )
  expect(exit).toBe(0)
  const more = {note: 'a=b', hold: true, lines: [{sku: 'X', quantity: 3}], customFields: {channel: 'web'}}
  expect(orders).toEqual([orderOf('A-1', more), orderOf('A-2', more)])
})

test('one order from flags alone', async () => {
  const {exit, orders, stderr} = await submitting([
    '--yes',
    ...sets('reference=A-1', ...ADDRESS, 'lines[1].sku=X', 'lines[2].sku=Y', 'line.quantity=2'),
  ])
  expect(exit, stderr).toBe(0)
  const lines = [
    {sku: 'X', quantity: 2},
    {sku: 'Y', quantity: 2},
  ]
  expect(orders).toEqual([orderOf('A-1', {lines})])
  const wrong = await submitting(['--yes', ...sets('reference=A-1', 'shipTo.cuntry=DE')])
  expect(wrong.stderr).toContain('next: --set shipTo.country=DE')
  const faulty = await submitting(['--yes', ...sets('reference=A-1', 'shipTo.country=Germany')])
  expect([faulty.exit, faulty.shop.received]).toEqual([2, []])
  expect(faulty.stderr).toContain('shipTo.country: must be a country code')
})

test('one order from questions on a terminal, each answer checked; nothing is asked where nobody can answer', async () => {
  const answers = ['A-1', 'Ada', 'Weg 1', 'Dresden', 'DE', '01067', 'X', '2', true, 'Y', '1', false, true]
  const {exit, orders, stderr} = await submitting([], {answers})
  expect(exit, stderr).toBe(0)
  const lines = [
    {sku: 'X', quantity: 2},
    {sku: 'Y', quantity: 1},
  ]
  expect(orders).toEqual([orderOf('A-1', {lines})])
  const wrong = await submitting([], {answers: ['A 1']})
  expect(wrong.stderr).toContain('It may hold letters, digits and . _ : - only.')
  const silent = await submitting([])
  expect([silent.exit, silent.stderr]).toEqual([2, expect.stringContaining('name a FILE, or - for stdin')])
})

const SCHEMA = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  required: ['reference', 'customer', 'lines'],
  additionalProperties: false,
  properties: {
    reference: {type: 'string', format: 'uuid'},
    customer: {$ref: '#/definitions/customer'},
    urgent: {type: 'boolean'},
    lines: {
      type: 'array',
      items: {type: 'object', properties: {article: {type: 'string'}, weight: {type: 'number'}}},
    },
  },
  definitions: {
    customer: {
      type: 'object',
      required: ['name'],
      properties: {name: {type: 'string'}, tier: {enum: ['gold', 'silver']}},
    },
  },
}
const ID = '4bf92f35-77b3-4da6-a3ce-929d0e0e4736'

test("another shop's schema takes the place of our rules: columns, types and faults are its own", async () => {
  const home = temporaryFolder()
  const schema = join(home, 'schema.json')
  writeFileSync(schema, JSON.stringify(SCHEMA))
  const header = 'reference,customer.name,customer.tier,urgent,line.article,line.weight\n'
  const good = await submitting(['-', '--yes', '--schema', schema], {
    stdin: `${header}${ID},Ada,gold,TRUE,X,1.5\n`,
  })
  expect(good.exit, good.stderr).toBe(0)
  expect(JSON.parse(good.shop.received.find(({url}) => !url.includes('search'))?.body ?? '')).toEqual({
    reference: ID,
    customer: {name: 'Ada', tier: 'gold'},
    urgent: true,
    lines: [{article: 'X', weight: 1.5}],
  })
  const bad = await submitting(['-', '--yes', '--schema', schema], {
    stdin: JSON.stringify([{reference: 'A-1', customer: {tier: 'gould'}, lines: [], urgnt: true}]),
  })
  expect([bad.exit, bad.shop.received]).toEqual([2, []])
  for (const fault of [
    'reference: must match format "uuid" (got "A-1")',
    'customer.name: is required',
    'customer.tier: must be one of gold, silver; did you mean gold? (got "gould")',
    'urgnt: is not a field; did you mean urgent? (got true)',
  ]) {
    expect(bad.stderr).toContain(fault)
  }
})

test('a fault of another schema names the types, and all of a dozen choices', async () => {
  const schema = join(temporaryFolder(), 'schema.json')
  const names = [...'abcdefghijkl'].map(letter => letter.repeat(9))
  const properties = {
    weight: {type: ['number', 'null']},
    size: {enum: names},
    kind: {enum: [...names, 'm']},
  }
  writeFileSync(schema, JSON.stringify({properties}))
  const {stderr} = await submitting(['-', '--yes', '--schema', schema], {
    stdin: JSON.stringify({reference: 'A-1', weight: 'x', size: '7', kind: '7'}),
  })
  expect(stderr).toContain('weight: must be number or null (got "x")')
  expect(stderr).toContain(`size: must be one of ${names.join(', ')} (got "7")`)
  expect(stderr).toContain(`kind: must be one of ${names.join(', ')} …`)
})

test('a schema without lines is fed from tables, a row an order', async () => {
  const home = temporaryFolder()
  const schema = join(home, 'schema.json')
  const text = {type: 'string'}
  const properties = {reference: text, article: text, customFields: {properties: {weight: {type: 'number'}}}}
  const shape = {type: 'object', required: ['reference', 'article'], additionalProperties: false}
  writeFileSync(schema, JSON.stringify({...shape, properties}))
  const stdin = 'reference,article,customFields.weight\nA-1,X,1.5\nA-2,Y,\n'
  const {exit, stderr, orders} = await submitting(['-', '--yes', '--schema', schema], {stdin})
  expect(exit, stderr).toBe(0)
  expect(orders).toEqual([
    {reference: 'A-1', article: 'X', customFields: {weight: 1.5}},
    {reference: 'A-2', article: 'Y'},
  ])
  const twice = await submitting(['-', '--yes', '--schema', schema], {
    stdin: 'reference,article\nA-1,X\nA-1,Y\n',
  })
  expect(twice.stderr).toContain(
    'stdin:3:1 reference: is already the reference of another order, in line 2 (got "A-1")',
  )
})

test('lines that a schema does not ask for are left out where no cell says anything of them', async () => {
  const home = temporaryFolder()
  const schema = join(home, 'schema.json')
  const text = {type: 'string'}
  const lines = {
    type: 'array',
    minItems: 1,
    items: {type: 'object', required: ['sku'], properties: {sku: text}},
  }
  writeFileSync(schema, JSON.stringify({type: 'object', properties: {reference: text, lines}}))
  const {exit, stderr, orders} = await submitting(['-', '--yes', '--schema', schema], {
    stdin: 'reference,line.sku\nA-1,\nA-2,X\nA-2,Y\n',
  })
  expect(exit, stderr).toBe(0)
  expect(orders).toEqual([{reference: 'A-1'}, {reference: 'A-2', lines: [{sku: 'X'}, {sku: 'Y'}]}])
})

test('a schema that cannot be used is refused before anything is sent', async () => {
  const home = temporaryFolder()
  for (const text of [
    'no json',
    '[]',
    '{"type": "nonsense"}',
    '{"$ref": "https://example.com/other.json"}',
  ]) {
    const schema = join(home, 'schema.json')
    writeFileSync(schema, text)
    const {exit, stderr, shop} = await submitting(['-', '--yes', '--schema', schema], {stdin: '{}'})
    expect([exit, shop.received], text).toEqual([2, []])
    expect(stderr).toContain('is not a usable JSON Schema')
  }
})

test.each(['^(a|a)*$', '^(a+)+$', '^(a*)*$', '^(?:a|a?)+$', '^(.*a){20}$'])(
  'the pattern %s takes no longer than others, as a value and as a name',
  async pattern => {
    const schema = join(temporaryFolder(), 'schema.json')
    const members = {note: {pattern}, tags: {patternProperties: {[pattern]: {type: 'string'}}}}
    writeFileSync(schema, JSON.stringify({properties: members}))
    const submit = (note: string) =>
      submitting(['-', '--yes', '--schema', schema], {
        stdin: JSON.stringify({reference: 'A-1', note, tags: {[note]: 'x'}}),
      })
    const {exit, stderr, shop} = await submit(`${'a'.repeat(50_000)}!`)
    expect([exit, shop.received]).toEqual([2, []])
    expect(stderr).toContain('must match pattern')
    expect((await submit('a'.repeat(50_000))).exit).toBe(0)
  },
)

test.each([
  ['^(?!x).+$', {properties: {note: {pattern: '^(?!x).+$'}}}, '/properties/note/pattern'],
  [String.raw`^(.)\1$`, {patternProperties: {'^(.)\\1$': {}}}, '/patternProperties'],
  ['(', {allOf: [{properties: {'a/b': {pattern: '('}}}]}, '/allOf/0/properties/a~1b/pattern'],
])('the pattern %s cannot be used, and is named with its place', async (pattern, rules, place) => {
  const schema = join(temporaryFolder(), 'schema.json')
  writeFileSync(schema, JSON.stringify(rules))
  const {exit, stderr, shop} = await submitting(['-', '--yes', '--schema', schema], {stdin: '{}'})
  expect([exit, shop.received]).toEqual([2, []])
  expect(stderr).toContain(`the pattern ${pattern} at ${place} cannot be used`)
  // What is no pattern at all is not helped by that.
  expect(stderr.includes('look-ahead, look-behind and back-references')).toBe(pattern !== '(')
})

test.each([
  ['a byte order mark', (text: string) => Buffer.from(`\uFEFF${text}`)],
  ['UTF-16, as PowerShell writes it', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
])('a schema in a file with %s is read', async (_how, spell) => {
  const schema = join(temporaryFolder(), 'schema.json')
  writeFileSync(schema, spell(JSON.stringify({properties: {note: {const: 'Grüße'}}})))
  const submit = (note: string) =>
    submitting(['-', '--yes', '--schema', schema], {stdin: JSON.stringify({reference: 'A-1', note})})
  expect((await submit('Grüße')).exit).toBe(0)
  expect((await submit('Hallo')).exit).toBe(2)
})

test('--raw sends JSON to the byte, once for each reference, and is for JSON alone', async () => {
  const text = '{ "reference" : "A/1", "anything": 1.10, "lines": [] }'
  const {exit, stderr, shop} = await submitting(['-', '--yes', '--raw'], {stdin: text})
  expect([exit, shop.received.at(-1)?.body], stderr).toEqual([0, text])
  const table = await submitting(['-', '--yes', '--raw'], {stdin: 'reference\nA-1\n'})
  expect([table.exit, table.stderr]).toEqual([2, expect.stringContaining('--raw sends JSON as it is')])
  const without = await submitting(['-', '--yes', '--raw'], {stdin: '{"anything": 1}'})
  expect([without.exit, without.stderr]).toEqual([2, expect.stringContaining('reference: is required')])
})
