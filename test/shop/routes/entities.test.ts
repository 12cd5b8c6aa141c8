import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {hashOfSecret} from '../../../src/shop/oauth/secrets.js'
import {
  BASE_IDS,
  deriveInitialStateId,
  deriveSalutationId,
  deriveStateId,
  deriveTagId,
} from '../../../src/shop/runtime/base-data.js'
import {replaceIntegration} from '../../../src/shop/store/accounts.js'
import {idOf} from '../people.js'
import {runShop, type TestShop} from '../running-shop.js'
import {customer, MOMENT, order, type Row} from '../written.js'

/** What only the shop itself writes. */
const LOCKED = 'This field is write-protected. (Got: "crud" scope and "system" is required)'

describe('entities', () => {
  let shop: TestShop
  let token: string
  beforeAll(async () => {
    shop = await runShop()
    token = await shop.signIn()
    await ok(send('POST', '/api/customer', customer(1)))
  })
  afterAll(() => shop.stop())

  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    fetch(`${shop.url}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        ...headers,
      },
      ...(body === undefined ? {} : {body: JSON.stringify(body)}),
    })
  const ok = async (answer: Promise<Response>) => {
    const {status} = await answer
    if (status >= 300) throw new Error(await (await answer).text())
    return status
  }
  async function find(entity: string, id: string, associations: object = {}): Promise<Row | undefined> {
    const answer = await send('POST', `/api/search/${entity}`, {ids: [id], associations})
    return ((await answer.json()) as {data: Row[]}).data[0]
  }
  type Entry = {
    code: string
    status: string
    detail: string
    template: string
    meta: {parameters: Record<string, string>}
    source: {pointer: string}
  }
  const errorsOf = async (answer: Response) => ((await answer.json()) as {errors: Entry[]}).errors
  const told = async (answer: Response) => {
    const errors = await errorsOf(answer)
    return [answer.status, ...errors.map(({detail, source}) => [source?.pointer, detail])]
  }

  describe('a new customer', () => {
    test('is answered 204 with nothing in it but where it is', async () => {
      const answer = await send('POST', '/api/customer', customer(10))
      expect([answer.status, await answer.text(), answer.headers.get('location')]).toEqual([
        204,
        '',
        `${shop.url}/api/customer/${idOf(10)}`,
      ])
      expect(answer.headers.get('x-frame-options')).toBe('deny')
      const made = await find('customer', idOf(10), {addresses: {}})
      expect(made).toMatchObject({
        customerNumber: 'C-10',
        active: true,
        guest: false,
        orderCount: 0,
        accountType: 'private',
        createdAt: '2026-03-04T05:06:07.089+00:00',
        updatedAt: null,
        defaultBillingAddressId: idOf(10, 'b111'),
        addresses: [{id: idOf(10, 'b111'), customerId: idOf(10), city: 'London'}],
      })
      expect(made?.autoIncrement).toEqual(expect.any(Number))
    })

    test('gets an id where none was sent, which the location says', async () => {
      const {id: _, ...rest} = customer(2)
      const answer = await send('POST', '/api/customer', rest)
      const id = answer.headers.get('location')?.split('/').at(-1) ?? ''
      expect(id).toMatch(/^[0-9a-f]{32}$/)
      expect(await find('customer', id)).toMatchObject({customerNumber: 'C-2'})
    })

    test('without its required fields is refused with an entry for each, and nothing is kept', async () => {
      const answer = await send('POST', '/api/customer', {id: idOf(3), firstName: '', addresses: [{}]})
      const errors = await errorsOf(answer)
      expect(answer.status).toBe(400)
      expect(errors[0]).toEqual({
        code: 'c1051bb4-d103-4f74-8988-acbcafc7fdc3',
        status: '400',
        detail: 'This value should not be blank.',
        template: 'This value should not be blank.',
        meta: {parameters: {'{{ value }}': 'null'}},
        source: {pointer: '/0/groupId'},
      })
      expect(errors.map(({source}) => source.pointer).sort()).toEqual(
        [
          'groupId',
          'salesChannelId',
          'defaultPaymentMethodId',
          'defaultBillingAddressId',
          'defaultShippingAddressId',
          'customerNumber',
          'firstName',
          'lastName',
          'email',
          'addresses/0/countryId',
          'addresses/0/firstName',
          'addresses/0/lastName',
          'addresses/0/street',
          'addresses/0/city',
        ]
          .map(name => `/0/${name}`)
          .sort(),
      )
      expect(await find('customer', idOf(3))).toBeUndefined()
    })

    test.each([
      ['title', 'x'.repeat(101), 'This value is too long. It should have 100 characters or less.'],
      ['company', 'x'.repeat(256), 'This value is too long. It should have 255 characters or less.'],
      ['email', 'nobody', 'This value is not a valid email address.'],
      ['active', 'yes', 'This value should be of type bool.'],
      ['firstName', 7, 'This value should be of type string.'],
      ['vatIds', 'DE1', 'This value should be of type array.'],
      ['firstName', '  ', 'This value should not be blank.'],
      ['email', 'a@b', 'This value is not a valid email address.'],
      ['id', idOf(4).toUpperCase(), `The string "${idOf(4).toUpperCase()}" is not a valid uuid.`],
      ['birthday', 5, 'This value should be of type DateTimeInterface.'],
      ['customFields', 'x', 'This value should be of type array.'],
      ['groupId', 'x', 'The string "x" is not a valid uuid.'],
      ['id', 'x', 'The string "x" is not a valid uuid.'],
    ])('%s = %j is refused', async (name, value, detail) => {
      const answer = await send('POST', '/api/customer', customer(4, {[name]: value}))
      expect(await told(answer)).toEqual([400, [`/0/${name}`, detail]])
    })

    test.each([
      ['orderCount', 3, LOCKED],
      ['orderTotalAmount', 3, LOCKED],
      ['lastOrderDate', MOMENT, LOCKED],
      ['autoIncrement', 3, 'This field is write-protected.'],
    ])('%s is nobody’s to write, and named twice in the pointer', async (name, value, detail) => {
      const answer = await send('POST', '/api/customer', customer(4, {[name]: value}))
      expect(await told(answer)).toEqual([400, [`/0/${name}${name}`, detail]])
    })

    test.each([
      ['customFields', ['x'], /getCustomField\(\): Argument #1 .* string, int given$/],
      ['customFields', {5: 'x'}, /getCustomField\(\): Argument #1 .* string, int given$/],
      ['email', 5, /EmailIdnConverter::encode\(\): Argument #1 \(\$email\) .* int given$/],
      ['birthday', 'no date', /^Failed to parse time string \(no date\) at position 0 \(n\): /],
    ])('%s = %j breaks the shop', async (name, value, detail) => {
      const answer = await send('POST', '/api/customer', customer(4, {[name]: value}))
      const [error] = await errorsOf(answer)
      expect([answer.status, error]).toMatchObject([500, {code: '0', detail: expect.stringMatching(detail)}])
    })

    test.each([
      ['2024-02-31', '2024-03-02'],
      ['31.12.2024', '2024-12-31'],
      ['10 October 2020', '2020-10-10'],
      ['@86400', '1970-01-02'],
      ['2020-05-01T23:30:00-02:00', '2020-05-02'],
    ])('a birthday of %s is on %s', async (value, day) => {
      const answer = await send('POST', '/api/customer', customer(4, {birthday: value}))
      expect(answer.status).toBe(204)
      expect(await find('customer', idOf(4))).toMatchObject({birthday: `${day}T00:00:00.000+00:00`})
      await send('DELETE', `/api/customer/${idOf(4)}`)
    })

    test('is refused at once where what hangs on it is no list', async () => {
      const answer = await send('POST', '/api/customer', customer(4, {addresses: 'x'}))
      expect([answer.status, await errorsOf(answer)]).toMatchObject([
        400,
        [{code: 'FRAMEWORK__WRITE_MALFORMED_INPUT', meta: {parameters: {path: '/0/addresses'}}}],
      ])
    })

    test('of nothing is refused, before anything is missed', async () => {
      const answer = await send('POST', '/api/customer', {})
      const [error] = await errorsOf(answer)
      expect([answer.status, error]).toMatchObject([
        400,
        {code: '0', detail: 'Invalid payload. Should be associative array'},
      ])
    })

    test('says each rule that a value breaks, and how long it is', async () => {
      const [list, cast] = await errorsOf(
        await send('POST', '/api/customer', customer(4, {firstName: ['a']})),
      )
      expect([list?.meta.parameters, cast?.meta.parameters]).toEqual([
        {'{{ value }}': 'array', '{{ type }}': 'string'},
        {'{{ type }}': 'string'},
      ])
      const [short] = await errorsOf(await send('POST', '/api/customer', customer(4, {password: 'x'})))
      expect(short?.meta.parameters).toEqual({
        '{{ value }}': '"x"',
        '{{ limit }}': '8',
        '{{ value_length }}': '1',
      })
      const [item] = await errorsOf(await send('POST', '/api/customer', customer(4, {vatIds: ['a', 5]})))
      expect(item?.source.pointer).toBe('/0/vatIds/1')
    })

    test('keeps no markup, has a salutation, and says when it was made', async () => {
      const values = {
        firstName: '<b>Bob</b> & "Al" </x',
        lastName: 'a < b',
        createdAt: MOMENT,
        updatedAt: MOMENT,
      }
      expect(await ok(send('POST', '/api/customer', customer(9, values)))).toBe(204)
      expect(await find('customer', idOf(9))).toMatchObject({
        firstName: 'Bob & "Al" ',
        lastName: 'a < b',
        salutationId: deriveSalutationId('not_specified'),
        createdAt: MOMENT,
        updatedAt: null,
      })
    })

    test('has names in its addresses of 50 and 60 characters at most', async () => {
      const names = {firstName: 'a'.repeat(51), lastName: 'b'.repeat(61)}
      const {defaultBillingAddress, addresses} = customer(4) as Record<string, unknown>
      const address = {...(defaultBillingAddress ?? (addresses as Row[])[0] ?? {}), ...names} as Row
      const made = await send('POST', '/api/customer-address', {...address, customerId: idOf(1)})
      expect((await told(made)).slice(1).map(one => (one as string[])[0])).toEqual([
        '/0/firstName',
        '/0/lastName',
      ])
    })

    test('may have members that no field has', async () => {
      expect(await ok(send('POST', '/api/customer', customer(5, {frstName: 1, versionId: null})))).toBe(204)
    })

    test('whose id is taken is a 400, one which points to nothing a 500, and nothing changes', async () => {
      const taken = await send('POST', '/api/customer', customer(1, {firstName: 'Eve'}))
      const commands = 'Shopware\\Core\\Framework\\DataAbstractionLayer\\Write\\Command'
      const [insert, update] = [`${commands}\\InsertCommand`, `${commands}\\UpdateCommand`]
      expect([taken.status, await errorsOf(taken)]).toEqual([
        400,
        [
          {
            status: '400',
            code: 'FRAMEWORK__WRITE_TYPE_INTEND_ERROR',
            title: 'Bad Request',
            detail: `Expected command for "customer" to be "${insert}". (Got: ${update})`,
            meta: {parameters: {definition: 'customer', expectedClass: insert, actualClass: update}},
          },
        ],
      ])
      expect(await find('customer', idOf(1))).toMatchObject({firstName: 'Ada'})
      expect((await send('POST', '/api/customer', customer(6, {groupId: idOf(99)}))).status).toBe(500)
      expect(await find('customer', idOf(6))).toBeUndefined()
    })

    test('never shows its password, nor keeps it', async () => {
      expect(await ok(send('POST', '/api/customer', customer(7, {password: 'shopware1'})))).toBe(204)
      expect(JSON.stringify(await find('customer', idOf(7)))).not.toContain('assword"')
      const {db} = shop
      const rows = await db.reads
        .selectFrom('customer')
        .select('password')
        .where('id', '=', idOf(7))
        .execute()
      expect(rows[0]?.password).toMatch(/^scrypt\$/)
    })

    test('brings tags, old and new, whose ids it carries', async () => {
      const tags = [{id: deriveTagId('VIP')}, {id: idOf(8, '7a9'), name: 'Mathematician'}]
      expect(await ok(send('POST', '/api/customer', customer(8, {tags})))).toBe(204)
      const made = (await find('customer', idOf(8), {tags: {}})) as Row
      expect((made.tags as Row[]).map(({name}) => name).sort()).toEqual(['Mathematician', 'VIP'])
      expect((made.tagIds as string[]).sort()).toEqual([deriveTagId('VIP'), idOf(8, '7a9')].sort())
    })
  })

  describe('with _response in the query, a write answers what it wrote', () => {
    const asked = (method: string, path: string, body: unknown, accept = 'application/json') =>
      send(method, path, body, {accept})

    test.each(['_response', '_response=detail', '_response=basic', '_response=true', 'a=b&_response=0'])(
      'whatever it says: %s',
      async query => {
        const made = await asked('POST', `/api/tag?${query}`, {name: query})
        const {data} = (await made.json()) as {data: Row}
        expect([made.status, made.headers.get('content-type'), made.headers.get('location')]).toEqual([
          200,
          'application/json',
          null,
        ])
        expect(data).toEqual(await find('tag', data.id as string))
        const changed = await asked('PATCH', `/api/tag/${data.id}?${query}`, {name: 'other'})
        expect(((await changed.json()) as {data: Row}).data).toMatchObject({id: data.id, name: 'other'})
        const removed = await asked('DELETE', `/api/tag/${data.id}?${query}`, undefined)
        expect([removed.status, await removed.text(), removed.headers.get('location')]).toEqual([
          204,
          '',
          `${shop.url}/api/tag/${data.id}`,
        ])
      },
    )

    test('in JSON:API where that is accepted, with a link to itself', async () => {
      const path = `/api/customer?_response=detail&x=%22`
      const answer = await asked('POST', path, customer(90), 'application/vnd.api+json')
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/vnd.api+json'])
      const body = (await answer.json()) as {data: Row}
      expect(Object.keys(body)).toEqual(['data', 'included', 'links'])
      expect(body).toMatchObject({
        data: {id: idOf(90), type: 'customer', attributes: {customerNumber: 'C-90'}, meta: null},
        included: [{type: 'extension', id: idOf(90)}],
        links: {self: `${shop.url}${path}`},
      })
    })

    test('without what nobody is shown', async () => {
      const answer = await asked('POST', '/api/customer?_response', customer(91, {password: 'shopware1'}))
      expect(await answer.text()).not.toContain('assword"')
    })

    test('but not in the body, nor where nothing was written', async () => {
      expect((await asked('POST', '/api/tag', {name: 'x', _response: 'detail'})).status).toBe(204)
      const wrong = await asked('POST', '/api/tag?_response=detail', {name: ''})
      expect(await told(wrong)).toEqual([400, ['/0/name', 'This value should not be blank.']])
    })
  })

  test('several things at once are no single write', async () => {
    for (const [method, path] of [
      ['POST', '/api/tag'],
      ['PATCH', `/api/tag/${deriveTagId('VIP')}`],
    ] as const) {
      const answer = await send(method, path, [{name: 'one'}, {name: 'two'}])
      expect([answer.status, (await errorsOf(answer))[0]]).toMatchObject([
        400,
        {code: '0', detail: expect.stringMatching(/^Only single write operations are supported\. .*\/sync/)},
      ])
    }
  })

  describe('a change', () => {
    test('touches what was sent alone, is 204, and is found from then on', async () => {
      await send('POST', '/api/customer', customer(20))
      const answer = await send('PATCH', `/api/customer/${idOf(20)}`, {lastName: 'Lovelace', company: null})
      expect([answer.status, await answer.text(), answer.headers.get('location')]).toEqual([
        204,
        '',
        `${shop.url}/api/customer/${idOf(20)}`,
      ])
      expect(await find('customer', idOf(20))).toMatchObject({
        firstName: 'Ada',
        lastName: 'Lovelace',
        updatedAt: '2026-03-04T05:06:07.089+00:00',
      })
      const filter = [{type: 'equals', field: 'lastName', value: 'LOVELACE'}]
      const found = await send('POST', '/api/search-ids/customer', {filter})
      expect(((await found.json()) as {data: string[]}).data).toEqual([idOf(20)])
    })

    test('takes no required field away', async () => {
      const answer = await send('PATCH', `/api/customer/${idOf(20)}`, {lastName: null, email: ''})
      expect(await told(answer)).toEqual([
        400,
        ['/0/lastName', 'This value should not be blank.'],
        ['/0/email', 'This value should not be blank.'],
      ])
    })

    test('of what does not exist is 400, and the id of the path wins', async () => {
      const errors = await errorsOf(
        await send('PATCH', `/api/customer/${idOf(98)}`, {id: idOf(20), title: 'x'}),
      )
      expect(errors[0]).toMatchObject({status: '400', code: 'FRAMEWORK__WRITE_TYPE_INTEND_ERROR'})
      expect(errors[0]?.detail).toMatch(/InsertCommand\)Hint: Use POST method to create new entities\.$/)
    })

    test('sets the tracking codes of a delivery, the whole list, and nothing but a list', async () => {
      await ok(send('POST', '/api/order', order(20)))
      const path = `/api/order-delivery/${idOf(20, 'de11')}`
      expect((await send('PATCH', path, {trackingCodes: ['A1', 'B2']})).status).toBe(204)
      expect((await send('PATCH', path, {trackingCodes: ['C3']})).status).toBe(204)
      expect(await find('order-delivery', idOf(20, 'de11'))).toMatchObject({trackingCodes: ['C3']})
      expect((await send('PATCH', path, {trackingCodes: []})).status).toBe(204)
      expect(await find('order-delivery', idOf(20, 'de11'))).toMatchObject({trackingCodes: []})
      expect(await told(await send('PATCH', path, {trackingCodes: 'C3'}))).toEqual([
        400,
        ['/0/trackingCodes', 'This value should be of type array.'],
      ])
      expect(await told(await send('PATCH', path, {trackingCodes: [1]}))).toEqual([
        400,
        ['/0/trackingCodes/0', 'This value should be of type string.'],
      ])
    })
  })

  describe('an order', () => {
    test('comes with its lines, address, delivery and payment, and with sums of its own', async () => {
      expect(await ok(send('POST', '/api/order', order(1)))).toBe(204)
      const made = await find('order', idOf(1, 'cc11'), {
        lineItems: {},
        deliveries: {associations: {positions: {}}},
        transactions: {},
        billingAddress: {},
        orderCustomer: {},
      })
      expect(made).toMatchObject({
        orderNumber: 'O-1',
        amountTotal: 119,
        amountNet: 100,
        taxStatus: 'gross',
        shippingTotal: 4.9,
        orderDateTime: '2026-03-01T05:30:00.000+00:00',
        stateId: deriveInitialStateId('order'),
        billingAddress: {city: 'London', orderId: idOf(1, 'cc11')},
        orderCustomer: {email: 'ada@example.test'},
        lineItems: [{label: 'A loom', unitPrice: 59.5, totalPrice: 119, good: true}],
        deliveries: [{stateId: deriveInitialStateId('order_delivery'), positions: [{quantity: 2}]}],
        transactions: [{stateId: deriveInitialStateId('order_transaction')}],
      })
    })

    test('says which state it is in, as do its parts', async () => {
      const [transaction] = order(4).transactions as Row[]
      const transactions = [{...transaction, stateId: undefined}]
      const answer = await send('POST', '/api/order', order(4, {stateId: undefined, transactions}))
      expect(await told(answer)).toEqual([
        400,
        ['/0/stateId', 'This value should not be blank.'],
        ['/0/transactions/0/stateId', 'This value should not be blank.'],
      ])
    })

    test('can be moved and paid afterwards, but its state is not written', async () => {
      await ok(send('POST', '/api/order', order(2)))
      const id = idOf(2, 'cc11')
      expect((await send('POST', `/api/_action/order/${id}/state/process`)).status).toBe(200)
      const written = await send('PATCH', `/api/order/${id}`, {
        stateId: deriveStateId('order.state', 'completed'),
      })
      expect(await told(written)).toEqual([400, ['/0/stateIdstateId', LOCKED]])
    })

    test('has pointers to what is wrong deep inside', async () => {
      const {lineItems, deliveries} = order(3) as Record<string, Row[]>
      const wrong = order(3, {
        amountTotal: 1,
        lineItems: [{...lineItems?.[0], quantity: '2'}],
        deliveries: [{...deliveries?.[0], positions: [{id: 'x'}]}],
      })
      expect(await told(await send('POST', '/api/order', wrong))).toEqual([
        400,
        ['/0/amountTotalamountTotal', 'This field is write-protected.'],
        ['/0/deliveries/0/positions/0/id', 'The string "x" is not a valid uuid.'],
        ['/0/lineItems/0/quantity', 'This value should be of type int.'],
      ])
    })

    test('takes with it what belongs to it when it goes, and leaves the customer', async () => {
      await ok(send('POST', '/api/customer', customer(30)))
      const orderCustomer = {...(order(4).orderCustomer as Row), customerId: idOf(30)}
      await ok(send('POST', '/api/order', order(4, {orderCustomer})))
      const answer = await send('DELETE', `/api/order/${idOf(4, 'cc11')}`)
      expect([answer.status, await answer.text()]).toEqual([204, ''])
      for (const [entity, lead] of [
        ['order', 'cc11'],
        ['order-line-item', '1111'],
        ['order-delivery', 'de11'],
        ['order-delivery-position', '5511'],
        ['order-transaction', '7711'],
        ['order-address', 'ad11'],
      ] as const) {
        expect(await find(entity, idOf(4, lead))).toBeUndefined()
      }
      expect(await find('customer', idOf(30))).toBeDefined()
    })
  })

  describe('a removal', () => {
    test('of what does not exist is 404', async () => {
      const errors = await errorsOf(await send('DELETE', `/api/customer/${idOf(97)}`))
      expect(errors[0]).toMatchObject({status: '404', code: 'FRAMEWORK__RESOURCE_NOT_FOUND'})
    })

    test('of a customer leaves its orders, which no longer point to it', async () => {
      await ok(send('POST', '/api/customer', customer(31, {tags: [{id: deriveTagId('VIP')}]})))
      const orderCustomer = {...(order(5).orderCustomer as Row), id: idOf(5, '0c'), customerId: idOf(31)}
      await ok(send('POST', '/api/order', order(5, {orderCustomer})))
      expect((await send('DELETE', `/api/customer/${idOf(31)}`)).status).toBe(204)
      expect(await find('customer-address', idOf(31, 'b111'))).toBeUndefined()
      expect(await find('order-customer', idOf(5, '0c'))).toMatchObject({customerId: null})
    })

    test('of what others cannot do without is a conflict', async () => {
      const answer = await send('DELETE', `/api/customer-group/${BASE_IDS.customerGroup}`)
      expect([answer.status, (await errorsOf(answer))[0]?.code]).toEqual([
        409,
        'FRAMEWORK__DELETE_RESTRICTED',
      ])
      expect(await find('customer-group', BASE_IDS.customerGroup)).toBeDefined()
    })
  })

  describe('a sync', () => {
    test('does several writes in their order, and says what it did', async () => {
      const answer = await send('POST', '/api/_action/sync', {
        people: {entity: 'customer', action: 'upsert', payload: [customer(40), customer(41)]},
        again: {entity: 'customer', action: 'upsert', payload: [{id: idOf(40), lastName: 'King'}]},
        gone: {entity: 'customer', action: 'delete', payload: [{id: idOf(41)}, {id: idOf(96)}]},
      })
      expect([answer.status, await answer.json()]).toEqual([
        200,
        {
          extensions: [],
          data: {customer: [idOf(40), idOf(41), idOf(40)]},
          notFound: {customer: [idOf(96)]},
          deleted: {customer: [idOf(41)]},
        },
      ])
      expect(await find('customer', idOf(40))).toMatchObject({lastName: 'King'})
      expect(await find('customer', idOf(41))).toBeUndefined()
    })

    test('that does nothing has lists where there is nothing', async () => {
      const answer = await send('POST', '/api/_action/sync', {})
      expect(await answer.text()).toBe('{"extensions":[],"data":[],"notFound":[],"deleted":[]}')
    })

    test('is done as a whole or not at all', async () => {
      const answer = await send('POST', '/api/_action/sync', [
        {entity: 'customer', action: 'upsert', payload: [customer(42)]},
        {entity: 'tag', action: 'upsert', payload: [{id: idOf(42)}]},
      ])
      expect(await told(answer)).toEqual([400, ['/1/0/name', 'This value should not be blank.']])
      expect(await find('customer', idOf(42))).toBeUndefined()
    })

    test.each([
      [{entity: 'customer', action: 'replace', payload: [{id: 'x'}]}, 400],
      [{entity: 'customer', action: 'upsert'}, 400],
      [{entity: 'customer', action: 'upsert', payload: []}, 400],
      [{entity: 'customer', action: 'upsert', payload: {a: {id: 'x'}}}, 400],
      [{entity: 'tag', action: 'delete', criteria: [{type: 'equals', field: 'name', value: 'x'}]}, 400],
      [{action: 'upsert', payload: []}, 400],
      ['x', 400],
      [{entity: 'foo', action: 'upsert', payload: []}, 400],
      [{entity: 'foo', action: 'upsert', payload: [{id: 'x'}]}, 500],
      [{entity: 'acl_role', action: 'upsert', payload: [{name: 'x'}]}, 403],
      [{entity: 'integration', action: 'delete', payload: [{id: 'a'.repeat(32)}]}, 403],
      [{entity: 'customer', action: 'delete', payload: ['x']}, 400],
    ])('with the operation %j is %i', async (operation, status) => {
      expect((await send('POST', '/api/_action/sync', [operation])).status).toBe(status)
    })
  })

  describe('who may write', () => {
    const callerWith = async (privileges: string[]) => {
      const {db} = shop
      const clientId = `SWIA${'W'.repeat(22)}`
      const row = {id: 'c'.repeat(32), access_key: clientId, label: 'writer', admin: 0}
      const rights = {secret_hash: hashOfSecret('s'), privileges: JSON.stringify(privileges)}
      await db.writes.run(write => replaceIntegration(write, {...row, ...rights}))
      const grant = {grant_type: 'client_credentials', client_id: clientId, client_secret: 's'}
      const {access_token} = (await (await shop.askForToken(grant)).json()) as {access_token: string}
      return {authorization: `Bearer ${access_token}`}
    }
    const missing = async (answer: Response) => [answer.status, (await errorsOf(answer))[0]?.detail]
    const lacks = (...names: string[]) => [
      403,
      JSON.stringify({message: 'Missing privilege', missingPrivileges: names}),
    ]

    test('each verb has a privilege of its own, asked for when the values are right and the thing is there', async () => {
      const headers = await callerWith([])
      const path = `/api/tag/${deriveTagId('VIP')}`
      const elsewhere = `/api/tag/${idOf(95)}`
      expect((await send('POST', '/api/tag', {name: ''}, headers)).status).toBe(400)
      expect(await missing(await send('POST', '/api/tag', {name: 'x'}, headers))).toEqual(lacks('tag:create'))
      expect((await send('PATCH', elsewhere, {name: 'x'}, headers)).status).toBe(400)
      expect(await missing(await send('PATCH', path, {name: 'x'}, headers))).toEqual(lacks('tag:update'))
      expect((await send('DELETE', elsewhere, undefined, headers)).status).toBe(404)
      expect(await missing(await send('DELETE', path, undefined, headers))).toEqual(lacks('tag:delete'))
      const remove = (id: string) =>
        send('POST', '/api/_action/sync', [{entity: 'tag', action: 'delete', payload: [{id}]}], headers)
      expect((await remove(idOf(95))).status).toBe(200)
      expect(await missing(await remove(deriveTagId('VIP')))).toEqual(lacks('tag:delete'))
    })

    test('a tag on a customer needs a privilege for joining the two', async () => {
      const headers = await callerWith(['customer:update'])
      const put = (tags: Row[]) => send('PATCH', `/api/customer/${idOf(1)}`, {tags}, headers)
      expect(await missing(await put([{id: deriveTagId('VIP')}]))).toEqual(lacks('customer_tag:create'))
      const both = '{"message":"Missing privilege","missingPrivileges":["tag:create","customer_tag:create"]}'
      expect(await missing(await put([{name: 'new'}]))).toMatchObject([403, both])
    })

    test('what is nested needs its own', async () => {
      const headers = await callerWith(['customer:create'])
      expect(await missing(await send('POST', '/api/customer', customer(50), headers))).toEqual(
        lacks('customer_address:create'),
      )
      expect(await find('customer', idOf(50))).toBeUndefined()
      const both = await callerWith(['customer:create', 'customer_address:create'])
      expect((await send('POST', '/api/customer', customer(50), both)).status).toBe(204)
    })

    test('checks come in order: route, token, accept, privilege', async () => {
      expect((await send('PATCH', '/api/customer/NOT-AN-ID', {})).status).toBe(404)
      expect((await send('PUT', `/api/customer/${idOf(1)}`, {})).status).toBe(405)
      expect(
        (await send('POST', '/api/customer', {}, {authorization: 'x', accept: 'text/html'})).status,
      ).toBe(401)
      expect((await send('POST', '/api/customer', {}, {accept: 'text/html'})).status).toBe(415)
      expect((await send('POST', '/api/state-machine-history', {})).status).toBe(405)
      expect((await send('POST', '/api/nothing', {})).status).toBe(404)
    })
  })
})
