import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {generateAccessKey, generateSecret, hashOfSecret} from '../../../src/shop/oauth/secrets.js'
import {replaceIntegration} from '../../../src/shop/store/accounts.js'
import {generateId} from '../../../src/shopware/ids.js'
import {runShop, type TestShop, testShop} from '../../support/shop.js'

describe('fulfillment order', () => {
  const PATH = '/api/fulfillment/order'

  let shop: TestShop
  beforeAll(async () => {
    shop = await runShop()
  })
  afterAll(() => shop.remove())

  let last = 0
  const order = (members: object = {}) => ({
    reference: `SO-${++last}`,
    orderNumber: '10007',
    lines: [
      {sku: 'TEA-1', quantity: 2},
      {sku: 'CUP-1', quantity: 1, reference: 'cup'},
    ],
    shipTo: {name: 'Zoë Straße', street: 'Am Hang 1/2', city: 'Łódź', postalCode: '01067', country: 'PL'},
    ...members,
  })

  const submit = (body: unknown, headers: Record<string, string> = {}) => shop.call(PATH, body, headers)
  const errorsOf = async (answer: Response) =>
    ((await answer.json()) as {errors: Record<string, unknown>[]}).errors
  async function count(reference: string) {
    const {db} = shop
    const rows = await db.reads
      .selectFrom('fulfillment_order')
      .select('id')
      .where('reference', '=', reference)
      .execute()
    return rows.length
  }

  describe('an order that is taken', () => {
    test('is answered with what the shop made of it', async () => {
      const body = order()
      const answer = await submit(body)
      expect([
        answer.status,
        answer.headers.get('content-type'),
        answer.headers.get('idempotency-replayed'),
      ]).toEqual([200, 'application/json', null])
      expect(await answer.json()).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        reference: body.reference,
        orderNumber: '10007',
        status: 'received',
        createdAt: shop.clock.now().toISOString().replace('Z', '+00:00'),
        lines: [
          {reference: '1', sku: 'TEA-1', quantity: 2, status: 'received'},
          {reference: 'cup', sku: 'CUP-1', quantity: 1, status: 'received'},
        ],
        apiAlias: 'fulfillment_order',
      })
    })

    test('is on hold when it says so, and has no number when it has none', async () => {
      const answer = await submit(order({hold: true, orderNumber: undefined}))
      expect(await answer.json()).toMatchObject({status: 'on_hold', orderNumber: null})
    })

    test('keeps everything it said', async () => {
      const body = order({
        orderDate: '2026-11-21T13:00:00+02:00',
        shipNotBefore: '2026-12-01',
        note: 'ring "twice"',
        customFields: {gift: true, text: 'Ω'},
        shippingMethod: 'express',
      })
      await submit(body)
      const {db} = shop
      const row = await db.reads
        .selectFrom('fulfillment_order')
        .selectAll()
        .where('reference', '=', body.reference)
        .executeTakeFirst()
      expect(row).toMatchObject({
        order_date: '2026-11-21 11:00:00.000',
        note: 'ring "twice"',
        shipping_method: 'express',
        fill_policy: 'all-or-nothing',
        hold: 0,
        status: 'received',
      })
      expect(JSON.parse(String(row?.ship_to))).toEqual(body.shipTo)
      expect(JSON.parse(String(row?.custom_fields))).toEqual({gift: true, text: 'Ω'})
    })
  })

  describe('the same reference', () => {
    test('with the same content gives the first answer again and creates nothing', async () => {
      const body = order()
      const first = await (await submit(body)).text()
      shop.clock.advance(60_000)
      const {reference, lines, ...rest} = body
      const again = await submit({...rest, hold: false, shippingMethod: 'standard', lines, reference})
      expect([again.status, again.headers.get('idempotency-replayed'), await again.text()]).toEqual([
        200,
        'true',
        first,
      ])
      expect(await count(reference)).toBe(1)
    })

    test('with other content is a conflict, whatever the key says', async () => {
      const body = order()
      await submit(body, {'idempotency-key': 'k-conflict'})
      const answer = await submit({...body, note: 'other'}, {'idempotency-key': 'k-conflict'})
      expect(answer.status).toBe(409)
      expect(await errorsOf(answer)).toMatchObject([
        {
          status: '409',
          code: 'FULFILLMENT__REFERENCE_CONFLICT',
          title: 'Conflict',
          meta: {parameters: {reference: body.reference}},
        },
      ])
    })

    test('in another case is another reference', async () => {
      const body = order({reference: 'Case-A'})
      expect((await submit(body)).status).toBe(200)
      const other = await submit({...body, reference: 'case-a', note: 'other'})
      expect([other.status, other.headers.get('idempotency-replayed')]).toEqual([200, null])
    })

    test('submitted many times at once is created once', async () => {
      const body = order()
      const answers = await Promise.all(Array.from({length: 20}, () => submit(body)))
      const ids = new Set(
        await Promise.all(answers.map(async answer => ((await answer.json()) as {id: string}).id)),
      )
      expect(answers.map(answer => answer.status)).toEqual(Array(20).fill(200))
      expect(answers.filter(answer => answer.headers.get('idempotency-replayed') === null)).toHaveLength(1)
      expect([ids.size, await count(body.reference)]).toEqual([1, 1])
    })
  })

  describe('the idempotency key', () => {
    test('with other content is refused, and creates nothing', async () => {
      expect((await submit(order(), {'idempotency-key': 'k-1'})).status).toBe(200)
      const other = order()
      const answer = await submit(other, {'idempotency-key': 'k-1'})
      expect([answer.status, (await errorsOf(answer))[0]?.code]).toEqual([
        422,
        'FULFILLMENT__IDEMPOTENCY_KEY_REUSED',
      ])
      expect(await count(other.reference)).toBe(0)
    })

    test('of a repeated answer stands for that content too', async () => {
      const body = order()
      await submit(body, {'idempotency-key': 'k-2'})
      expect((await submit(body, {'idempotency-key': 'k-3'})).status).toBe(200)
      expect((await submit(order(), {'idempotency-key': 'k-3'})).status).toBe(422)
    })

    test('of a refused order is free again', async () => {
      expect((await submit({}, {'idempotency-key': 'k-4'})).status).toBe(400)
      expect((await submit(order(), {'idempotency-key': 'k-4'})).status).toBe(200)
    })
  })

  describe('field errors', () => {
    test('come all at once, each pointing at its place', async () => {
      const body = order({lines: [{sku: 'A', quantity: 0}], shipto: {}})
      const answer = await submit({...body, reference: 'a b'})
      expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'application/json'])
      expect(await errorsOf(answer)).toEqual([
        {
          status: '400',
          code: 'FULFILLMENT__INVALID_FIELD',
          title: 'Bad Request',
          detail: 'reference may hold letters, digits and . _ : - only.',
          source: {pointer: '/reference'},
          meta: {parameters: {field: 'reference', value: 'a b'}},
        },
        {
          status: '400',
          code: 'FULFILLMENT__INVALID_FIELD',
          title: 'Bad Request',
          detail: 'lines[0].quantity must be a whole number from 1 to 1000000.',
          source: {pointer: '/lines/0/quantity'},
          meta: {parameters: {field: 'lines[].quantity', value: 0}},
        },
        {
          status: '400',
          code: 'FULFILLMENT__INVALID_FIELD',
          title: 'Bad Request',
          detail: 'shipto is not a field; did you mean shipTo?',
          source: {pointer: '/shipto'},
          meta: {parameters: {field: 'shipto'}},
        },
      ])
    })

    test.each([
      ['no body', '', 3],
      ['an empty list', '[]', 1],
      ['a list with something', '[1]', 1],
      ['an empty object', '{}', 3],
    ])('%s', async (_name, body, faults) => {
      const answer = await submit(body)
      expect([answer.status, (await errorsOf(answer)).length]).toEqual([400, faults])
    })

    test('an order date is measured by the shop’s clock', async () => {
      expect((await submit(order({orderDate: '2031-01-01T00:00:00Z'}))).status).toBe(400)
    })
  })

  describe('before the order is looked at', () => {
    test('no token: 401', async () => {
      const answer = await shop.post(PATH, {}, {'content-type': 'application/json'})
      expect([answer.status, (await errorsOf(answer))[0]?.code]).toEqual([401, '9'])
    })

    test('malformed JSON: 400, before the token', async () => {
      const answer = await shop.post(PATH, '{', {'content-type': 'application/json'})
      expect((await errorsOf(answer))[0]?.detail).toBe('The JSON payload is malformed.')
    })

    test('more than 1 MiB: 413; exactly 1 MiB is read', async () => {
      const padded = (sizeBytes: number) => {
        const text = JSON.stringify({note: ''})
        return text.replace('""', `"${'x'.repeat(sizeBytes - text.length)}"`)
      }
      expect((await submit(padded(1024 * 1024))).status).toBe(400)
      const answer = await submit(padded(1024 * 1024 + 1))
      expect([answer.status, (await errorsOf(answer))[0]?.code]).toEqual([413, 'FULFILLMENT__TOO_LARGE'])
    })

    test('a caller without the privilege: 403, before field errors', async () => {
      const token = await tokenOf(['customer:read'])
      const answer = await submit({}, {authorization: `Bearer ${token}`})
      expect([answer.status, await answer.text()]).toEqual([
        403,
        '{"errors":[{"status":"403","code":"FRAMEWORK__MISSING_PRIVILEGE_ERROR","title":"Forbidden","detail":"{\\u0022message\\u0022:\\u0022Missing privilege\\u0022,\\u0022missingPrivileges\\u0022:[\\u0022fulfillment_order:create\\u0022]}","meta":{"parameters":[]}}]}',
      ])
      const allowed = await tokenOf(['fulfillment_order:create'])
      expect((await submit(order(), {authorization: `Bearer ${allowed}`})).status).toBe(200)
    })
  })

  /** A token of a new integration with these privileges and no others. */
  async function tokenOf(privileges: string[]): Promise<string> {
    const [access_key, secret] = [generateAccessKey('SWIA'), generateSecret()]
    const {db} = shop
    await db.writes.run(transaction =>
      replaceIntegration(transaction, {
        id: generateId(shop.runtime.now()),
        access_key,
        secret_hash: hashOfSecret(secret),
        label: access_key,
        admin: 0,
        privileges: JSON.stringify(privileges),
      }),
    )
    const grant = {grant_type: 'client_credentials', client_id: access_key, client_secret: secret}
    const answer = await shop.post('/api/oauth/token', grant, {'content-type': 'application/json'})
    return ((await answer.json()) as {access_token: string}).access_token
  }

  test('what was submitted is found by its reference, with all that it said', async () => {
    const body = order({
      orderDate: '2026-11-21T13:00:00+02:00',
      shipNotBefore: '2026-12-01',
      customFields: {a: 1},
    })
    await submit(body, {'idempotency-key': 'k-found'})
    const criteria = {
      filter: [{type: 'equals', field: 'reference', value: body.reference}],
      'total-count-mode': 1,
    }
    const answer = await shop.call('/api/search/fulfillment-order', criteria)
    const found = (await answer.json()) as {total: number; data: Record<string, unknown>[]}
    expect([answer.status, found.total]).toEqual([200, 1])
    expect(found.data[0]).toMatchObject({
      reference: body.reference,
      orderNumber: '10007',
      orderDate: '2026-11-21T11:00:00.000+00:00',
      shipNotBefore: '2026-12-01T00:00:00.000+00:00',
      status: 'received',
      hold: false,
      shippingMethod: 'standard',
      fillPolicy: 'all-or-nothing',
      shipTo: body.shipTo,
      lines: [
        {sku: 'TEA-1', quantity: 2, reference: '1'},
        {sku: 'CUP-1', quantity: 1, reference: 'cup'},
      ],
      customFields: {a: 1},
      apiAlias: 'fulfillment_order',
    })
    expect(JSON.stringify(found)).not.toContain('k-found')
  })

  test('an answer lost after the commit is found again by sending the same once more', async () => {
    const flaky = await testShop({faults: ['route=order,reset=after-commit,count=1']})
    const body = order()
    await expect(flaky.call(PATH, body)).rejects.toThrow()
    const again = await flaky.call(PATH, body)
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
  })

  test('orders and keys are there after a restart', async () => {
    const first = await testShop()
    const body = order()
    await first.call(PATH, body, {'idempotency-key': 'kept'})
    await first.stop()
    const second = await testShop({dataFolder: first.dataFolder})
    expect((await second.call(PATH, body)).headers.get('idempotency-replayed')).toBe('true')
    expect((await second.call(PATH, order(), {'idempotency-key': 'kept'})).status).toBe(422)
  })

  test('a shop that is told to know no unique reference makes an order again that is submitted again', async () => {
    const forgetful = await testShop({faults: ['route=order,reference=not-unique']})
    const body = order()
    const ids = new Set<string>()
    const made: (string | null)[] = []
    for (const note of ['one', 'one', 'another']) {
      const answer = await forgetful.call(PATH, {...body, note}, {'idempotency-key': 'K1'})
      ids.add(((await answer.json()) as {id: string}).id)
      made.push(answer.headers.get('idempotency-replayed'))
    }
    expect(made).toEqual([null, null, null])
    expect(ids.size).toBe(3)
    const found = await forgetful.call('/api/search/fulfillment-order', {
      filter: [{type: 'equals', field: 'reference', value: body.reference}],
    })
    expect((await found.json()) as object).toMatchObject({data: [{}, {}, {}]})
  })
})
