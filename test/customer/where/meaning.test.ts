import fc from 'fast-check'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {createCustomerFields} from '../../../src/customer/fields/customer-fields.js'
import {buildCriteria} from '../../../src/customer/search/search.js'
import {createSearchClient} from '../../../src/customer/search/search-client.js'
import type {Comparison, Condition, ConditionValue} from '../../../src/language/where/condition.js'
import {parseWhere} from '../../../src/language/where/where.js'
import {JsonRows} from '../../../src/output/json/json-rows.js'
import {readValueAt} from '../../../src/output/view.js'
import {deriveCountryId} from '../../../src/shop/runtime/base-data.js'
import {fold} from '../../../src/shopware/fold-text.js'
import {addTo, idOf, person, tagCustomers} from '../../shop/people.js'
import {runShop, type TestShop} from '../../shop/running-shop.js'
import {printWhere} from '../../support/print-where.js'
import {sized} from '../../support/sized.js'

const NAMES = ['Ada', 'ADA', 'Jörg', 'jorg', 'Łukasz', 'O_o', '50%', 'a\\b', 'Zoë', "D'Arc", 'Anna  Maria']
const COMPANIES = [null, null, 'Acme', 'ACME GmbH', 'Ünder', '"quoted"']

const NAMED = {firstName: 'Ada', lastName: 'Byron'}
const CITIES = ['Köln', 'koln', 'Bonn', 'New York']
const COLOURS = ['red', 'Rot', null, '50%']

const people = Array.from({length: 60}, (_, at) =>
  person(at + 1, {
    defaultBillingAddressId: at % 5 === 0 ? null : idOf(at + 1, 'ad'),
    customFields: at % 6 === 0 ? null : {colour: COLOURS[at % COLOURS.length], points: at % 4},
    firstName: NAMES[at % NAMES.length],
    company: COMPANIES[at % COMPANIES.length],
    orderCount: at % 7,
    orderTotalAmount: (at % 5) * 12.5,
    active: at % 3 !== 0,
    birthday: at % 4 === 0 ? null : `19${String(60 + (at % 30)).padStart(2, '0')}-05-0${1 + (at % 9)}`,
    lastLogin: at % 2 === 0 ? null : new Date(Date.UTC(2024, at % 12, 1 + (at % 28), at % 24)),
  }),
)

const addresses = people.flatMap(({id, defaultBillingAddressId}, at) => {
  if (!defaultBillingAddressId) return []
  const place = {street: 'Way 1', zipcode: String(10_000 + at), city: CITIES[at % CITIES.length]}
  return [
    {
      id: defaultBillingAddressId,
      customerId: id,
      countryId: deriveCountryId(at % 2 ? 'DE' : 'AT'),
      ...NAMED,
      ...place,
    },
  ]
})

/** Nobody's, gold, silver, both, in turn. */
const tagged = people.flatMap(({id}, at) =>
  [1, 2].filter(tag => (at % 4) & tag).map((tag): [string, string] => [String(id), idOf(tag, 'aa')]),
)

let shop: TestShop
let found: (where: string) => Promise<number[]>

beforeAll(async () => {
  shop = await runShop()
  await addTo(shop, 'customer', people)
  await addTo(shop, 'customer_address', addresses)
  const tags = ['gold', 'silver', 'bronze'].map((name, at) => ({id: idOf(at + 1, 'aa'), name}))
  await addTo(shop, 'tag', tags)
  await tagCustomers(shop, tagged)
  const headers = {authorization: `Bearer ${await shop.signIn()}`}
  const api = createSearchClient({
    patient: {
      baseUrl: new URL(shop.url),
      call: async call => {
        const answer = await shop.post(call.path, call.body as string, headers)
        return {status: answer.status, headers: {}, body: Buffer.from(await answer.arrayBuffer())}
      },
    },
    refusal: ({body}) => new Error(body.toString()) as never,
  })
  found = async where => {
    const criteria = buildCriteria({where, limit: undefined}, createCustomerFields())
    const {rows} = await api.search({...criteria, limit: 500}, new AbortController().signal)
    const all = rows instanceof JsonRows ? rows.parseRows() : rows
    return all.map(({autoIncrement}) => autoIncrement as number).sort((a, b) => a - b)
  }
})

afterAll(() => shop.stop())

const text = (values: readonly string[]) =>
  fc.constantFrom(...values).map(value => ({kind: 'text' as const, text: value, at: 0}))
const bare = (values: readonly (string | number)[]) =>
  fc.constantFrom(...values).map(value => ({kind: 'bare' as const, text: String(value), at: 0}))
const nothing = fc.constant({kind: 'null' as const, at: 0})
const RANGES = ['<', '<=', '>', '>='] as const
const EQUAL = ['=', '!='] as const
const MATCHES = ['contains', 'starts', 'ends'] as const

function single(
  name: string,
  operators: readonly (typeof RANGES | typeof EQUAL | typeof MATCHES)[number][],
  value: fc.Arbitrary<ConditionValue>,
) {
  const field = {name, at: 0}
  return fc.record({
    kind: fc.constant('single' as const),
    field: fc.constant(field),
    operator: fc.constantFrom(...operators),
    value,
  })
}

function listed(name: string, value: fc.Arbitrary<ConditionValue>) {
  const values = fc.array(value, {minLength: 1, maxLength: 3})
  return fc.record({
    kind: fc.constant('list' as const),
    field: fc.constant({name, at: 0}),
    operator: fc.constant('in' as const),
    values,
  })
}

const comparison: fc.Arbitrary<Comparison> = fc.oneof(
  single('firstName', [...EQUAL, ...MATCHES], text(['ada', 'Jorg', 'o', '_', '%', '\\', 'luk', "'", 'anna'])),
  single('company', [...EQUAL, ...MATCHES], text(['acme', 'gmbh', 'u', '"'])),
  single('company', EQUAL, nothing),
  single('orderCount', [...EQUAL, ...RANGES], bare([0, 3, 6, 7])),
  single('orderTotalAmount', RANGES, bare([12.5, 25, '37.50'])),
  single(
    'active',
    EQUAL,
    fc.boolean().map(value => ({kind: 'boolean' as const, value, at: 0})),
  ),
  single('birthday', [...EQUAL, ...RANGES], bare(['1970-05-02', '1980-05-05'])),
  single('lastLogin', RANGES, bare(['2024-06-01T00:00:00Z', '2024-03-15T12:00:00+02:00'])),
  listed('firstName', text(['ADA', 'zoe', 'Nobody'])),
  listed('orderCount', bare([1, 2, 9])),
  single('defaultBillingAddress.city', [...EQUAL, ...MATCHES], text(['KOLN', 'york', 'o', 'bo'])),
  single('defaultBillingAddress.city', EQUAL, nothing),
  single('defaultBillingAddress.country.iso', EQUAL, text(['de', 'AT'])),
  listed('defaultBillingAddress.country.iso', text(['DE', 'FR'])),
  single('customFields.colour', [...EQUAL, ...MATCHES], text(['ROT', 'r', '%'])),
  single('customFields.colour', EQUAL, nothing),
  listed('id', text([idOf(1), idOf(2).toUpperCase()])),
)

const {condition} = fc.letrec<{condition: Condition}>(tie => ({
  condition: fc.oneof(
    {maxDepth: 4},
    comparison,
    fc.record({kind: fc.constant('not' as const), part: tie('condition')}),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      parts: fc.array(tie('condition'), {minLength: 2, maxLength: 3}),
    }),
  ),
}))

/** The language's meaning, said a second time and plainly. */
function holds(part: Condition, row: Record<string, unknown>): boolean {
  if (part.kind === 'and') return part.parts.every(each => holds(each, row))
  if (part.kind === 'or') return part.parts.some(each => holds(each, row))
  if (part.kind === 'not') return !holds(part.part, row)
  const value = heldAt(row, part.field.name)
  if (part.kind === 'list') return part.values.some(each => value !== null && same(value, each))
  if (part.operator === '=') return same(value, part.value)
  if (part.operator === '!=') return !same(value, part.value)
  return value !== null && matches(part.operator, value, part.value)
}

function heldAt(row: Record<string, unknown>, path: string): unknown {
  const address = addresses.find(({id}) => id === row.defaultBillingAddressId)
  const country = {iso: address?.countryId === deriveCountryId('DE') ? 'DE' : address ? 'AT' : null}
  const whole = {...row, defaultBillingAddress: {...address, country}}
  return readValueAt(whole, path) ?? null
}

function same(value: unknown, wanted: ConditionValue): boolean {
  if (wanted.kind === 'null' || value === null) return wanted.kind === 'null' && value === null
  return comparable(value) === comparable(plain(wanted, value))
}

function matches(
  operator: (typeof RANGES | typeof MATCHES)[number],
  value: unknown,
  wanted: ConditionValue,
): boolean {
  const [left, right] = [comparable(value), comparable(plain(wanted, value))] as [never, never]
  if (operator === 'contains') return String(left).includes(right)
  if (operator === 'starts') return String(left).startsWith(right)
  if (operator === 'ends') return String(left).endsWith(right)
  return {'<': left < right, '<=': left <= right, '>': left > right, '>=': left >= right}[operator]
}

function plain(wanted: ConditionValue, like: unknown): unknown {
  if (wanted.kind === 'boolean') return wanted.value
  if (wanted.kind === 'null') return null
  if (typeof like === 'number') return Number(wanted.text)
  return like instanceof Date ? new Date(wanted.text) : wanted.text
}

function comparable(value: unknown): unknown {
  if (value instanceof Date) return value.getTime()
  return typeof value === 'string' ? fold(value) : value
}

test('a condition finds the customers that it is true of', async () => {
  await fc.assert(
    fc.asyncProperty(condition, async tree => {
      const where = printWhere(tree)
      const expected = people.filter(row => holds(parseWhere(where), row)).map(row => row.autoIncrement)
      expect(await found(where), where).toEqual(expected)
    }),
    {numRuns: sized(40, 300)},
  )
})

const [GOLD, SILVER] = [1, 2]
test.each([
  ['tags.name = "Gold"', (has: number) => has & GOLD],
  ['not tags.name = "gold"', (has: number) => !(has & GOLD)],
  ['tags.name != "gold"', (has: number) => !(has & GOLD)],
  ['tags.name contains "l"', (has: number) => has],
  ['not tags.name contains "ilv"', (has: number) => !(has & SILVER)],
  ['tags.name in ("gold", "silver")', (has: number) => has],
  ['tags.name not in ("gold", "bronze")', (has: number) => !(has & GOLD)],
  ['tags.name all ("gold", "silver")', (has: number) => has === GOLD + SILVER],
  ['not tags.name all ("gold", "silver")', (has: number) => has !== GOLD + SILVER],
  ['tags.name = "gold" or tags.name = "silver"', (has: number) => has],
  ['tags.name = null', (has: number) => !has],
  ['tags.name != null', (has: number) => has],
])('%s finds whom a plain reading of it finds', async (where, holdsFor) => {
  const expected = people.flatMap(({autoIncrement}, at) => (holdsFor(at % 4) ? [autoIncrement] : []))
  expect(await found(where)).toEqual(expected)
})

test('an id is found with dashes too', async () => {
  const dashed = idOf(7).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  expect(dashed).toHaveLength(36)
  expect(await found(`id = "${dashed.toUpperCase()}"`)).toEqual([7])
})
