import fc from 'fast-check'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {deriveTagId, SAMPLE_TAGS} from '../../../src/shop/runtime/base-data.js'
import {sized} from '../../support/sized.js'
import {addTo, idOf, person, tagCustomers} from '../people.js'
import {keeps, type Subject, type WrittenFilter} from '../reference-filter.js'
import {runShop, type TestShop} from '../running-shop.js'

describe('search filters', () => {
  /** Words that differ in case, accents and trailing space alone, and such as mean something to LIKE. */
  const WORDS = [
    'Müller',
    'MULLER',
    'muller ',
    'Mueller',
    '100%',
    'a_b',
    'a\\b',
    "O'Neill",
    'a"b',
    'Ёлка',
    'елка',
    '佐藤',
    'x',
  ]
  const CITIES = ['Łódź', 'Köln', 'koln', 'Paris', 'São Paulo']
  const GROUPS = [idOf(1, 'aa'), idOf(2, 'aa')]
  const MOMENTS = ['2024-01-01 00:00:00.000', '2024-01-01 12:30:00.500', '2024-06-30 23:59:59.999']

  let shop: TestShop
  let token: string
  let subjects: Subject[]

  beforeAll(async () => {
    shop = await runShop()
    token = await shop.signIn()
    subjects = fc
      .sample(
        fc.record({
          lastName: fc.constantFrom(...WORDS),
          company: fc.constantFrom(null, ...WORDS),
          active: fc.constantFrom(null, 0, 1),
          orderCount: fc.constantFrom(null, 0, 1, 7),
          orderTotalAmount: fc.constantFrom(null, 0, 1.5, -2),
          birthday: fc.constantFrom(null, '1990-05-06 00:00:00.000', '2001-01-01 00:00:00.000'),
          createdAt: fc.constantFrom(...MOMENTS),
          groupId: fc.constantFrom(...GROUPS),
          vatIds: fc.constantFrom(null, [], ['DE1'], ['DE1', 'fr2']),
          customFields: fc.constantFrom(null, {}, {color: 'Grün'}, {color: 'red', n: 5}, {n: 12}),
          addresses: fc.array(
            fc.record({city: fc.constantFrom(...CITIES), zipcode: fc.constantFrom(null, '01067', '1')}),
            {
              maxLength: 3,
            },
          ),
          tags: fc.subarray(SAMPLE_TAGS),
        }),
        {numRuns: 80, seed: 42},
      )
      .map((values, index) => subjectOf(index + 1, values as unknown as Record<string, unknown>))
    await store(subjects)
  })
  afterAll(() => shop.stop())

  function subjectOf(number: number, values: Record<string, unknown>): Subject {
    const addresses = (values.addresses as object[]).map((address, index) => ({
      ...address,
      id: idOf(number * 10 + index, 'ad'),
    }))
    const tags = (values.tags as string[]).map(name => ({id: deriveTagId(name), name}))
    return {
      ...values,
      id: idOf(number),
      autoIncrement: number,
      addresses,
      tags,
      defaultBillingAddress: addresses[0],
    }
  }

  async function store(all: Subject[]): Promise<void> {
    const customers = all.map(({addresses, tags: _, defaultBillingAddress: __, ...values}) => {
      const defaultBillingAddressId = (addresses as {id: string}[])[0]?.id
      return person(values.autoIncrement as number, {...values, defaultBillingAddressId})
    })
    await addTo(shop, 'customer', customers)
    const addresses = all.flatMap(({id, addresses: own}) =>
      (own as object[]).map(one => ({...one, customerId: id})),
    )
    await addTo(shop, 'customer_address', addresses)
    const pairs = all.flatMap(({id, tags}) => (tags as {id: string}[]).map(tag => [id, tag.id] as const))
    await tagCustomers(shop, pairs)
  }

  async function found(criteria: object): Promise<{total: number; data: string[]}> {
    const answer = await shop.post('/api/search-ids/customer', criteria, {authorization: `Bearer ${token}`})
    if (answer.status !== 200) throw new Error(await answer.text())
    return (await answer.json()) as {total: number; data: string[]}
  }
  const numbersOf = async (...filter: unknown[]) =>
    (await found({filter, sort: 'autoIncrement'})).data.map(id => Number.parseInt(id.slice(-6), 16))
  const expected = (filter: WrittenFilter) =>
    subjects.filter(subject => keeps(filter, subject)).map(subject => subject.autoIncrement)

  const texts = fc.constantFrom(
    'lastName',
    'company',
    'customer.lastName',
    'defaultBillingAddress.city',
    'addresses.city',
    'addresses.zipcode',
    'tags.name',
    'customFields.color',
  )
  const words = fc.constantFrom(
    ...WORDS,
    ...CITIES,
    'VIP',
    'großhandel',
    '01067',
    'grun',
    'l',
    '%',
    '_',
    '\\',
  )
  const numbers = fc.constantFrom(
    'orderCount',
    'orderTotalAmount',
    'autoIncrement',
    'active',
    'customFields.n',
  )
  const bounds = fc.constantFrom({gt: 0}, {gte: 1, lt: 7}, {gt: 1, gte: 0}, {lte: 5}, {lt: 40, lte: 1})
  const moments = fc.constantFrom(
    {gt: '2024-01-01'},
    {gte: '2024-01-01', lt: '2024-06-30'},
    {lte: '2024-01-01T12:30:00.500+00:00'},
    {gt: '1995-01-01', lte: '2024-06-30 23:59:59.999'},
  )

  const leaves = fc.oneof(
    fc.record({type: fc.constant('equals'), field: texts, value: fc.option(words)}),
    fc.record({type: fc.constantFrom('contains', 'prefix', 'suffix'), field: texts, value: words}),
    fc.record({
      type: fc.constantFrom('equalsAny', 'equalsAll'),
      field: texts,
      value: fc.array(words, {minLength: 1, maxLength: 3}),
    }),
    fc.record({
      type: fc.constant('equals'),
      field: numbers,
      value: fc.constantFrom(null, 0, 1, 7, 1.5, 5, 12),
    }),
    fc.record({type: fc.constant('range'), field: numbers, parameters: bounds}),
    fc.record({
      type: fc.constant('range'),
      field: fc.constantFrom('createdAt', 'birthday'),
      parameters: moments,
    }),
    fc.record({
      type: fc.constant('equals'),
      field: fc.constant('createdAt'),
      value: fc.constantFrom('2024-01-01', null),
    }),
    fc.record({
      type: fc.constant('equals'),
      field: fc.constant('groupId'),
      value: fc.constantFrom(null, ...GROUPS),
    }),
    fc.record({
      type: fc.constant('equals'),
      field: fc.constant('vatIds'),
      value: fc.constantFrom(null, 'DE1', 'FR2'),
    }),
  ) as fc.Arbitrary<WrittenFilter>

  const {filter: filters} = fc.letrec<{filter: WrittenFilter; group: WrittenFilter}>(tie => ({
    filter: fc.oneof({depthSize: 'small', withCrossShrink: true}, leaves, tie('group')),
    group: fc.record({
      type: fc.constantFrom('and', 'or', 'multi', 'not', 'nand', 'nor'),
      operator: fc.constantFrom('AND', 'or'),
      queries: fc.array(tie('filter'), {maxLength: 4}),
    }) as fc.Arbitrary<WrittenFilter>,
  }))

  test('filters find what a plain reading of the rules finds', async () => {
    await fc.assert(
      fc.asyncProperty(filters, async filter => {
        expect(await numbersOf(filter)).toEqual(expected(filter))
      }),
      {seed: 20_261_121, numRuns: sized(50, 400)},
    )
  }, 120_000)
})
