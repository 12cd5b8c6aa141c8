import fc from 'fast-check'
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest'
import {deriveTagId, SAMPLE_TAGS} from '../../../src/shop/runtime/base-data.js'
import {sized} from '../../support/sized.js'
import {addTo, idOf, person, removeFrom, tagCustomers} from '../people.js'
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

  describe('filters', () => {
    test('find what a plain reading of the rules finds', async () => {
      await fc.assert(
        fc.asyncProperty(filters, async filter => {
          expect(await numbersOf(filter)).toEqual(expected(filter))
        }),
        {seed: 20_261_121, numRuns: sized(50, 400)},
      )
    }, 120_000)

    test.each<[string, WrittenFilter]>([
      [
        'xor of two',
        {
          type: 'not',
          operator: 'XOR',
          queries: [
            {type: 'equals', field: 'active', value: 1},
            {type: 'equals', field: 'orderCount', value: 0},
          ],
        },
      ],
      ['a word in another case, without its accent', {type: 'equals', field: 'lastName', value: 'mÜLLER'}],
      ['truth as text', {type: 'equals', field: 'active', value: '1'}],
    ])('%s', async (_, filter) => {
      const numbers = await numbersOf(filter)
      expect(numbers).toEqual(expected(filter))
      expect(numbers.length).toBeGreaterThan(0)
    })

    test('not equals brings those without a value, not contains does not', async () => {
      const without = subjects.filter(({company}) => company === null).map(({autoIncrement}) => autoIncrement)
      const negated = (type: string) => ({type: 'not', queries: [{type, field: 'company', value: 'x'}]})
      expect(await numbersOf(negated('equals'))).toEqual(expect.arrayContaining(without))
      const contained = await numbersOf(negated('contains'))
      expect(contained.filter(number => without.includes(number))).toEqual([])
    })

    test('conditions on addresses must be met by one and the same address', async () => {
      const both = [
        {type: 'equals', field: 'addresses.city', value: 'Paris'},
        {type: 'equals', field: 'addresses.zipcode', value: '01067'},
      ]
      const byHand = subjects.filter(({addresses}) =>
        (addresses as {city: string; zipcode: string}[]).some(
          one => one.city === 'Paris' && one.zipcode === '01067',
        ),
      )
      expect(await numbersOf(...both)).toEqual(byHand.map(({autoIncrement}) => autoIncrement))
    })

    test('a map is an and of equals, equalsAny takes bars', async () => {
      expect((await found({filter: {lastName: 'muller', active: true}})).data.length).toBe(
        subjects.filter(
          one => ['Müller', 'MULLER', 'muller '].includes(one.lastName as string) && one.active === 1,
        ).length,
      )
      expect(await numbersOf({type: 'equalsAny', field: 'lastName', value: 'x|a_b'})).toEqual(
        subjects.filter(one => ['x', 'a_b'].includes(one.lastName as string)).map(one => one.autoIncrement),
      )
    })

    test('since and until look at the day, and at the right side of now', async () => {
      const since = (operator: string, value: string) => ({
        type: 'since',
        field: 'createdAt',
        value,
        parameters: {operator},
      })
      const now = shop.clock.now()
      const day = (days: number) => new Date(now.getTime() - days * 86_400_000)
      await addTo(
        shop,
        'customer',
        [1, 10, 100].map(days => person(1000 + days, {createdAt: day(days)})),
      )
      await addTo(shop, 'customer', [person(2000, {createdAt: day(-5)})])
      onTestFinished(() =>
        removeFrom(
          shop,
          'customer',
          [1001, 1010, 1100, 2000].map(number => idOf(number)),
        ),
      )
      const recent = async (filter: object) =>
        (await numbersOf(filter, {type: 'range', field: 'autoIncrement', parameters: {gte: 1000}})).map(
          one => one - 1000,
        )
      expect(await recent(since('lt', 'P7D'))).toEqual([1])
      expect(await recent(since('gt', 'P7D'))).toEqual([10, 100])
      expect(await recent(since('eq', 'P10D'))).toEqual([10])
      expect(await recent(since('neq', 'P10D'))).toEqual([1, 100])
      const until = {type: 'until', field: 'createdAt', value: 'P7D', parameters: {operator: 'lt'}}
      expect(await recent(until)).toEqual([1000])
    })
  })

  describe('pages', () => {
    const ids = async (criteria: object) =>
      found({
        sort: 'autoIncrement',
        filter: [{type: 'range', field: 'autoIncrement', parameters: {lte: 80}}],
        ...criteria,
      })
    const slice = (from: number, to: number) => subjects.slice(from, to).map(({id}) => id)

    test('follow each other', async () => {
      expect((await ids({limit: 30})).data).toEqual(slice(0, 30))
      expect((await ids({limit: 30, page: 3})).data).toEqual(slice(60, 80))
      expect((await ids({limit: 30, page: 4})).data).toEqual([])
    })

    test('page counts for nothing without limit', async () => {
      expect((await ids({page: 3})).data).toEqual(slice(0, 80))
    })

    test.each([
      ['none', {limit: 30}, 30],
      ['none, on the last page', {limit: 30, page: 3}, 20],
      ['exact', {limit: 30, 'total-count-mode': 1}, 80],
      ['exact by name', {limit: 30, 'total-count-mode': 'exact'}, 80],
      ['exact by truth', {limit: 30, 'total-count-mode': true}, 80],
      ['exact, past the end', {limit: 30, page: 9, 'total-count-mode': 1}, 80],
      ['next pages', {limit: 5, 'total-count-mode': 2}, 31],
      ['next pages near the end', {limit: 5, page: 15, 'total-count-mode': 'next-pages'}, 10],
      ['next pages past the end', {limit: 5, page: 50, 'total-count-mode': 2}, 0],
      ['out of range', {limit: 30, 'total-count-mode': 3}, 30],
    ])('count mode %s', async (_, criteria, total) => {
      expect((await ids(criteria)).total).toBe(total)
    })

    test('ids come in the order asked for, without limit, and are texts until a search compares them', async () => {
      const wanted = [idOf(7), idOf(3), 'f'.repeat(32), idOf(5)]
      const {data, total} = await found({
        ids: [...wanted, idOf(1).toUpperCase()],
        limit: 1,
        'total-count-mode': 1,
      })
      expect([data, total]).toEqual([[idOf(7), idOf(3), idOf(5)], 3])
      expect((await found({ids: wanted.join('|').toUpperCase(), sort: 'autoIncrement'})).data).toEqual([
        idOf(3),
        idOf(5),
        idOf(7),
      ])
    })

    test('an order that is not desc is ascending', async () => {
      const sorted = async (order: string) =>
        (await found({ids: [idOf(3), idOf(5)], sort: [{field: 'autoIncrement', order}]})).data
      expect(await sorted('DESC')).toEqual([idOf(5), idOf(3)])
      expect(await sorted('sideways')).toEqual([idOf(3), idOf(5)])
    })

    test('nulls come first, and natural order goes by length', async () => {
      const {data} = await ids({sort: [{field: 'orderCount'}], limit: 500})
      const counts = data.map(id => subjects.find(one => one.id === id)?.orderCount)
      expect(counts).toEqual([...counts].sort((one, other) => Number(one ?? -1) - Number(other ?? -1)))
      const {data: natural} = await ids({sort: [{field: 'lastName', naturalSorting: true}]})
      const lengths = natural.map(
        id => String(subjects.find(one => one.id === id)?.lastName).trimEnd().length,
      )
      expect(lengths).toEqual([...lengths].sort((one, other) => one - other))
    })

    test('sorting by count goes by how many there are', async () => {
      const {data} = await ids({sort: [{field: 'addresses.id', type: 'count', order: 'desc'}]})
      const addressesOf = (id: string) => subjects.find(one => one.id === id)?.addresses as unknown[]
      const counts = data.map(id => addressesOf(id).length)
      expect(counts).toEqual([...counts].sort((one, other) => other - one))
    })

    test.each(['company', 'customFields.n'])(
      'counted of a single value is whether it is there: %s',
      async field => {
        const filled = await ids({filter: [{type: 'not', queries: [{type: 'equals', field, value: null}]}]})
        const {data} = await ids({sort: [{field, type: 'count', order: 'desc'}], limit: 500})
        expect(new Set(data.slice(0, filled.data.length))).toEqual(new Set(filled.data))
      },
    )
  })
})
