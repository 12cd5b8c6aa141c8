import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest'
import {BASE_IDS, deriveTagId} from '../../../src/shop/runtime/base-data.js'
import {addTo, idOf, person, removeFrom, tagCustomers} from '../people.js'
import {runShop, type TestShop} from '../running-shop.js'

describe('search aggregations', () => {
  let shop: TestShop
  let token: string

  const at = (text: string) => new Date(`${text}Z`)
  const address = (number: number, customer: number, city: string) => ({
    id: idOf(number, 'ad'),
    customerId: idOf(customer),
    firstName: 'Ada',
    lastName: 'Byron',
    city,
    street: 'Am See 1',
  })

  beforeAll(async () => {
    shop = await runShop()
    token = await shop.signIn()
    const born = at('2024-10-24T21:30:46.123')
    await addTo(shop, 'customer', [
      person(1, {company: 'acme', orderCount: 1, orderTotalAmount: 2, createdAt: born}),
      person(2, {
        company: 'Ácme',
        orderCount: 5,
        orderTotalAmount: 4.5,
        createdAt: at('2024-10-24T23:59:59'),
      }),
      person(3, {
        company: 'Zoë & Söhne',
        orderCount: 9,
        orderTotalAmount: 6,
        createdAt: at('2024-12-30T10:00:00'),
      }),
      person(4, {orderCount: 9, orderTotalAmount: 0.5, createdAt: at('2025-03-30T01:30:00'), guest: true}),
    ])
    await addTo(shop, 'customer_address', [
      address(11, 1, 'Köln'),
      address(12, 1, 'Bonn'),
      address(13, 2, 'Bonn'),
    ])
    await tagCustomers(shop, [
      [idOf(1), deriveTagId('VIP')],
      [idOf(2), deriveTagId('VIP')],
      [idOf(2), deriveTagId('Newsletter')],
    ])
  })
  afterAll(() => shop.stop())

  const search = (criteria: object, headers: Record<string, string> = {}) =>
    shop.post('/api/search/customer', criteria, {authorization: `Bearer ${token}`, ...headers})
  /** The text of `aggregations`, as it stands at the end of the answer. */
  const aggregated = async (aggregations: object[], criteria: object = {}, headers = {}) => {
    const answer = await search({limit: 1, aggregations, ...criteria}, headers)
    const text = await answer.text()
    expect(answer.status, text).toBe(200)
    return text.slice(text.lastIndexOf('"aggregations":') + '"aggregations":'.length, -1)
  }
  const bucketsOf = async (aggregation: object, criteria: object = {}) => {
    const [only] = Object.values(JSON.parse(await aggregated([{name: 'a', ...aggregation}], criteria)))
    const {buckets} = only as {buckets: {key: string; count: number}[]}
    return buckets.map(({key, count}) => [key, count])
  }

  describe('numbers', () => {
    test('count tells apart as compares do, avg and sum are numbers, min and max are texts', async () => {
      expect(
        await aggregated([
          {name: 'n', type: 'count', field: 'company'},
          {name: 'a', type: 'avg', field: 'orderCount'},
          {name: 's', type: 'sum', field: 'orderTotalAmount'},
          {name: 'l', type: 'min', field: 'orderCount'},
          {name: 'm', type: 'max', field: 'customer.createdAt'},
          {name: 'z', type: 'max', field: 'company'},
          {name: 'st', type: 'stats', field: 'orderTotalAmount'},
        ]),
      ).toBe(
        '{"n":{"name":"n","count":2,"apiAlias":"n_aggregation"},' +
          '"a":{"name":"a","avg":6,"apiAlias":"a_aggregation"},' +
          '"s":{"name":"s","sum":13,"apiAlias":"s_aggregation"},' +
          '"l":{"name":"l","min":"1","apiAlias":"l_aggregation"},' +
          '"m":{"name":"m","max":"2025-03-30 01:30:00.000","apiAlias":"m_aggregation"},' +
          '"z":{"name":"z","max":"Zo\\u00eb \\u0026 S\\u00f6hne","apiAlias":"z_aggregation"},' +
          '"st":{"name":"st","min":"0.5","max":"6","avg":3.25,"sum":13,"apiAlias":"st_aggregation"}}',
      )
    })

    test('JSON:API keeps a zero fraction and escapes less', async () => {
      const aggregations = [
        {name: 's', type: 'sum', field: 'orderTotalAmount'},
        {name: 'z', type: 'max', field: 'company'},
      ]
      expect(await aggregated(aggregations, {}, {accept: 'application/vnd.api+json'})).toBe(
        '{"s":{"name":"s","sum":13.0,"apiAlias":"s_aggregation"},' +
          '"z":{"name":"z","max":"Zo\\u00eb & S\\u00f6hne","apiAlias":"z_aggregation"}}',
      )
    })

    test('of nothing are null among statistics, and 0 by themselves', async () => {
      const nobody = {filter: [{type: 'equals', field: 'firstName', value: 'nobody'}]}
      const asked = [
        {name: 's', type: 'stats', field: 'orderCount'},
        {name: 'a', type: 'avg', field: 'orderCount'},
      ]
      expect(JSON.parse(await aggregated(asked, nobody))).toEqual({
        s: {name: 's', min: null, max: null, avg: null, sum: null, apiAlias: 's_aggregation'},
        a: {name: 'a', avg: 0, apiAlias: 'a_aggregation'},
      })
    })

    test('see filter and ids, and neither post-filter, sort, grouping, limit nor page', async () => {
      const count = [{name: 'n', type: 'count', field: 'id'}]
      const found = async (criteria: object) => JSON.parse(await aggregated(count, criteria)).n.count
      expect(await found({filter: {guest: false}})).toBe(3)
      expect(await found({ids: [idOf(1), idOf(4)]})).toBe(2)
      expect(await found({term: 'acme'})).toBe(2)
      expect(await found({query: [{query: {type: 'equals', field: 'guest', value: true}}]})).toBe(1)
      const ignored = {'post-filter': {guest: true}, sort: '-email', grouping: ['guest'], limit: 1, page: 3}
      expect(await found(ignored)).toBe(4)
    })

    test('none is a list', async () => {
      expect(await aggregated([])).toBe('[]')
    })
  })

  describe('range', () => {
    test('counts from the lower bound to before the upper one, and names what has no key', async () => {
      const ranges = [{to: 5}, {from: 1, to: 5}, {from: 5, key: 'many'}, {from: 4.5}]
      expect(await aggregated([{name: 'r', type: 'range', field: 'orderCount', ranges}])).toBe(
        '{"r":{"name":"r","ranges":{"*-5":1,"1-5":1,"many":3,"4.5-*":3},"apiAlias":"r_aggregation"}}',
      )
    })

    test('is for numbers alone', async () => {
      const answer = await search({
        aggregations: [{name: 'r', type: 'range', field: 'email', ranges: [{to: 1}]}],
      })
      expect(answer.status).toBe(500)
      expect(await answer.json()).toMatchObject({
        errors: [{status: '500', code: 'FRAMEWORK__NOT_SUPPORTED_FIELD_FOR_AGGREGATION'}],
      })
    })
  })

  describe('terms', () => {
    test('have a bucket for each value, and an empty key for null', async () => {
      expect(
        await bucketsOf({type: 'terms', field: 'company', sort: {field: 'company', order: 'desc'}}),
      ).toEqual([
        ['Zoë & Söhne', 1],
        [expect.stringMatching(/^(acme|Ácme)$/), 2],
        ['', 1],
      ])
    })

    test('are cut at their limit, in the order asked for', async () => {
      const terms = {type: 'terms', field: 'orderCount'}
      expect(await bucketsOf({...terms, limit: 1, sort: {field: '_count', order: 'DESC'}})).toEqual([
        ['9', 2],
      ])
      expect(await bucketsOf({...terms, sort: {field: 'orderCount', order: 'asc'}})).toEqual([
        ['1', 1],
        ['5', 1],
        ['9', 2],
      ])
      const byLength = {field: 'customerNumber', naturalSorting: true, order: 'desc'}
      expect(await bucketsOf({type: 'terms', field: 'customerNumber', limit: 2, sort: byLength})).toEqual([
        ['10004', 1],
        ['10003', 1],
      ])
    })

    test('hold other aggregations, which have extensions and no alias', async () => {
      const inner = {name: 'inner', type: 'sum', field: 'orderTotalAmount'}
      const terms = {name: 't', type: 'terms', field: 'guest', sort: {field: 'guest'}, aggregation: inner}
      expect(await aggregated([terms])).toBe(
        '{"t":{"name":"t","buckets":[' +
          '{"key":"0","count":3,"inner":{"extensions":[],"name":"inner","sum":12.5},"apiAlias":"aggregation_bucket"},' +
          '{"key":"1","count":1,"inner":{"extensions":[],"name":"inner","sum":0.5},"apiAlias":"aggregation_bucket"}' +
          '],"apiAlias":"t_aggregation"}}',
      )
    })

    test('hold buckets in buckets', async () => {
      const inner = {
        name: 'i',
        type: 'terms',
        field: 'orderCount',
        limit: 1,
        sort: {field: '_count', order: 'desc'},
      }
      const outer = {name: 'o', type: 'terms', field: 'firstName', aggregation: inner}
      expect(JSON.parse(await aggregated([outer]))).toMatchObject({
        o: {buckets: [{key: 'Ada', count: 4, i: {name: 'i', buckets: [{key: '9', count: 2}]}}]},
      })
    })

    test('cross to many things, and count a row for each', async () => {
      expect(
        await bucketsOf({type: 'terms', field: 'addresses.city', sort: {field: 'addresses.city'}}),
      ).toEqual([
        ['', 2],
        ['Bonn', 2],
        ['Köln', 1],
      ])
      const byName = {field: 'tags.name', order: 'desc'}
      expect(await bucketsOf({type: 'terms', field: 'tags.name', sort: byName, limit: 2})).toEqual([
        ['VIP', 2],
        ['Newsletter', 1],
      ])
    })
  })

  describe('filter', () => {
    test('narrows what is inside it, and loses its own name', async () => {
      const inner = {name: 'inner', type: 'count', field: 'id'}
      const filter = [{type: 'range', field: 'orderCount', parameters: {gte: 5}}]
      expect(await aggregated([{name: 'outer', type: 'filter', filter, aggregation: inner}])).toBe(
        '{"inner":{"name":"inner","count":3,"apiAlias":"inner_aggregation"}}',
      )
    })
  })

  describe('entity', () => {
    test('gives whole things, and asks for no further privilege', async () => {
      const groups = {name: 'g', type: 'entity', field: 'groupId', definition: 'customer_group'}
      const {g} = JSON.parse(await aggregated([groups]))
      expect(Object.keys(g)).toEqual(['name', 'entities', 'apiAlias'])
      expect(g.entities).toMatchObject([{id: BASE_IDS.customerGroup, apiAlias: 'customer_group'}])
    })
  })

  describe('histogram', () => {
    const histogram = (interval: string, more: object = {}) =>
      bucketsOf({type: 'histogram', field: 'createdAt', interval, ...more})

    test.each<[string, string[]]>([
      [
        'minute',
        ['2024-10-24 21:30:00', '2024-10-24 23:59:00', '2024-12-30 10:00:00', '2025-03-30 01:30:00'],
      ],
      ['hour', ['2024-10-24 21:00:00', '2024-10-24 23:00:00', '2024-12-30 10:00:00', '2025-03-30 01:00:00']],
      ['day', ['2024-10-24 00:00:00', '2024-12-30 00:00:00', '2025-03-30 00:00:00']],
      ['week', ['2024 43', '2024 01', '2025 13']],
      ['month', ['2024-10-01 00:00:00', '2024-12-01 00:00:00', '2025-03-01 00:00:00']],
      ['quarter', ['2024 4', '2025 1']],
      ['year', ['2024-01-01 00:00:00', '2025-01-01 00:00:00']],
    ])('by the %s has the keys of the shop', async (interval, keys) => {
      expect((await histogram(interval)).map(([key]) => key)).toEqual(keys)
    })

    test('counts, sorts and formats', async () => {
      expect(await histogram('quarter')).toEqual([
        ['2024 4', 3],
        ['2025 1', 1],
      ])
      const sort = {field: 'createdAt', order: 'desc'}
      expect(await histogram('month', {format: 'M \\of Y', sort})).toEqual([
        ['Mar of 2025', 1],
        ['Dec of 2024', 1],
        ['Oct of 2024', 2],
      ])
      expect(await histogram('day', {sort: {field: '_count', order: 'asc'}, format: 'd.m.y'})).toEqual([
        ['30.12.24', 1],
        ['30.03.25', 1],
        ['24.10.24', 2],
      ])
    })

    test('takes a time zone and does nothing with it, as shops are shipped', async () => {
      const inUtc = await histogram('hour', {})
      expect(await histogram('HOUR', {timeZone: 'Europe/Berlin'})).toEqual(inUtc)
      expect(await histogram('hour', {timeZone: 'Asia/Kolkata'})).toEqual(inUtc)
    })

    test('keeps weeks from Monday to Sunday, and apart where a year ends', async () => {
      const first = Date.UTC(2020, 11, 21)
      const days = Array.from({length: 21}, (_, day) => ({
        id: idOf(day, 'da'),
        name: `day ${day}`,
        createdAt: new Date(first + day * 24 * 3600 * 1000 + 12 * 3600 * 1000),
      }))
      await addTo(shop, 'tag', days)
      const criteria = {
        limit: 1,
        filter: [{type: 'prefix', field: 'name', value: 'day '}],
        aggregations: [{name: 'h', type: 'histogram', field: 'createdAt', interval: 'week'}],
      }
      const answer = await shop.post('/api/search/tag', criteria, {authorization: `Bearer ${token}`})
      const {aggregations} = (await answer.json()) as {aggregations: {h: {buckets: object[]}}}
      expect(aggregations.h.buckets).toMatchObject([
        {key: '2020 52', count: 7},
        {key: '2020 53', count: 4},
        {key: '2021 53', count: 3},
        {key: '2021 01', count: 7},
      ])
    })

    test('takes nothing for now', async () => {
      expect(await bucketsOf({type: 'histogram', field: 'lastLogin', interval: 'day'})).toEqual([
        ['2026-03-04 00:00:00', 4],
      ])
    })

    test('holds other aggregations', async () => {
      const inner = {name: 'most', type: 'max', field: 'orderCount'}
      const histogram = {
        name: 'h',
        type: 'histogram',
        field: 'createdAt',
        interval: 'year',
        aggregation: inner,
      }
      expect(JSON.parse(await aggregated([histogram]))).toMatchObject({
        h: {buckets: [{count: 3, most: {extensions: [], name: 'most', max: '9'}}, {count: 1}]},
      })
    })
  })

  describe('what is wrong', () => {
    const MESSAGE = 'FRAMEWORK__INVALID_AGGREGATION_QUERY'
    const pointing = (detail: string, pointer: string) => ({
      status: '400',
      code: MESSAGE,
      title: 'Bad Request',
      detail,
      source: {pointer},
      meta: {parameters: {message: detail}},
    })
    const NAME = 'The aggregation name should be a non-empty string.'
    const TYPE = 'The aggregations of "%s" should be a non-empty string.'
    const FIELD = 'The aggregation should contain a "field".'
    const FILTER = 'The aggregation should contain an array of filters in property "filter".'
    const count = {name: 'n', type: 'count', field: 'id'}

    test.each<[string, object, object]>([
      ['no name', {type: 'count', field: 'id'}, pointing(NAME, '/aggregations/0')],
      ['an empty name', {...count, name: ''}, pointing(NAME, '/aggregations/0')],
      ['a name that is a number', {...count, name: '12'}, pointing(NAME, '/aggregations/0')],
      [
        'a name with a colon',
        {...count, name: 'a:b'},
        pointing('The aggregation name should not contain a question mark or colon.', '/aggregations/0'),
      ],
      ['no type', {name: 'n', field: 'id'}, pointing(TYPE, '/aggregations/0')],
      ['a type that is a number', {...count, type: 1}, pointing(TYPE, '/aggregations/0')],
      [
        'an unknown type',
        {...count, type: 'foo'},
        pointing('The aggregation type "foo" used as key does not exist.', '/aggregations/0'),
      ],
      ['no field', {name: 'n', type: 'count'}, pointing(FIELD, '/aggregations/0/count/field')],
      [
        'no ranges',
        {...count, type: 'range'},
        pointing('The aggregation should contain "ranges".', '/aggregations/0/range/field'),
      ],
      [
        'no definition',
        {...count, type: 'entity'},
        pointing('The aggregation should contain a "definition".', '/aggregations/0/entity/field'),
      ],
      [
        'no filter',
        {name: 'n', type: 'filter', aggregation: count},
        pointing(FILTER, '/aggregations/0/filter/field'),
      ],
      [
        'nothing to filter',
        {name: 'n', type: 'filter', filter: [{type: 'equals', field: 'id', value: null}]},
        pointing(FILTER, '/aggregations/0/filter/field'),
      ],
      [
        'no interval',
        {...count, type: 'histogram'},
        pointing('The aggregation should contain an date interval.', '/aggregations/0/histogram/interval'),
      ],
      [
        'something wrong inside',
        {name: 't', type: 'terms', field: 'email', aggregation: {name: 'n', type: 'sum'}},
        pointing(FIELD, '/aggregations/0/sum/field'),
      ],
    ])('%s', async (_, aggregation, error) => {
      const answer = await search({aggregations: [aggregation]})
      expect(await answer.json()).toEqual({errors: [error]})
      expect(answer.status).toBe(400)
    })

    test('is answered together with what else is wrong, sorting before it', async () => {
      const answer = await search({limit: 0, sort: [{}], aggregations: [count, {name: ''}]})
      const {errors} = (await answer.json()) as {errors: {code: string; source: object}[]}
      expect(errors.map(({source}) => source)).toEqual([
        {pointer: '/limit'},
        {pointer: '/sort/0'},
        {pointer: '/aggregations/1'},
      ])
    })

    test('aggregations that are no list are answered alone', async () => {
      const detail = 'The aggregations parameter has to be a list of aggregations.'
      const answer = await search({limit: 0, aggregations: 'foo'})
      expect(answer.status).toBe(400)
      expect(await answer.json()).toEqual({
        errors: [
          {status: '400', code: MESSAGE, title: 'Bad Request', detail, meta: {parameters: {message: detail}}},
        ],
      })
    })

    test('an interval that there is not', async () => {
      const answer = await search({
        aggregations: [{name: 'h', type: 'histogram', field: 'createdAt', interval: 'foo'}],
      })
      expect(answer.status).toBe(500)
      expect(await answer.json()).toEqual({
        errors: [
          {
            status: '500',
            code: 'FRAMEWORK__INVALID_DATE_HISTOGRAM_INTERVAL',
            title: 'Internal Server Error',
            detail:
              'Provided date histogram interval "foo" is not supported. Supported intervals: minute, hour, day, week, month, quarter, year.',
            meta: {
              parameters: {
                interval: 'foo',
                allowedIntervals: 'minute, hour, day, week, month, quarter, year',
              },
            },
          },
        ],
      })
    })

    test.each([
      ['string keys', {aggregations: {foo: count}}],
      ['scalar members', {aggregations: ['foo']}],
    ])('%s are a type error', async (_, criteria) => {
      const answer = await search(criteria)
      expect(answer.status).toBe(500)
      expect(await answer.json()).toMatchObject({errors: [{code: '0', title: 'Internal Server Error'}]})
    })

    test.each<[string, string, string, object]>([
      ['hidden', 'password', 'FRAMEWORK__ACCESSOR_NOT_ALLOWED', {accessor: 'customer.password'}],
      ['unknown', 'foo', 'FRAMEWORK__UNMAPPED_FIELD', {field: 'foo', entity: 'customer'}],
    ])('a %s field', async (_, field, code, parameters) => {
      const nested = {name: 't', type: 'terms', field: 'id', aggregation: {...count, field}}
      const answer = await search({aggregations: [nested]})
      expect(await answer.json()).toMatchObject({errors: [{code, meta: {parameters}}]})
    })

    test.each<[string, object]>([
      [
        'aggregations',
        {aggregations: Array.from({length: 101}, (_, index) => ({...count, name: `n${index}x`}))},
      ],
      [
        'ranges',
        {
          aggregations: [
            {
              name: 'r',
              type: 'range',
              field: 'orderCount',
              ranges: Array.from({length: 501}, () => ({to: 1})),
            },
          ],
        },
      ],
      ['groups', {grouping: Array.from({length: 101}, () => 'email')}],
    ])('more %s than a search needs', async (_, criteria) => {
      const answer = await search(criteria)
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({errors: [{code: '0', status: '400'}]})
    })

    test('a sum beyond all numbers leaves the answer JSON', async () => {
      await addTo(shop, 'customer', [person(9, {title: '1e999'})])
      onTestFinished(() => removeFrom(shop, 'customer', [idOf(9)]))
      const sum = [{name: 's', type: 'sum', field: 'title'}]
      // Beyond what it holds, PostgreSQL reads the largest number that it does.
      expect([0, 1e99]).toContain(JSON.parse(await aggregated(sum, {ids: [idOf(9)]})).s.sum)
    })

    test('more buckets than one answer holds', async () => {
      const values = Array.from({length: 10_001}, (_, index) => ({
        id: idOf(index, 'ff'),
        name: `tag ${index}`,
      }))
      await addTo(shop, 'tag', values)
      const terms = {aggregations: [{name: 't', type: 'terms', field: 'name'}]}
      const answer = await shop.post('/api/search/tag', terms, {authorization: `Bearer ${token}`})
      expect(answer.status).toBe(400)
      const limited = {aggregations: [{name: 't', type: 'terms', field: 'name', limit: 5}]}
      const some = await shop.post('/api/search/tag', limited, {authorization: `Bearer ${token}`})
      expect(((await some.json()) as {aggregations: {t: {buckets: []}}}).aggregations.t.buckets).toHaveLength(
        5,
      )
    })
  })
})
