import {describe, expect} from 'vitest'
import type {Made, Values} from '../arrange.js'
import {expectErrors, plainEntry, shopEntry} from '../envelopes.js'
import {conformance} from '../rows.js'
import type {Target} from '../target.js'
import {byVersion, EDITION} from '../versions.js'
import {complaintsOf, find, told} from './told.js'

const row = conformance()

const MOMENT = '2024-02-29T12:34:56.789+00:00'
const LOCKED = 'This field is write-protected. (Got: "crud" scope and "system" is required)'

const create = async (shop: Target, values: Values) =>
  shop.post('/api/customer', await shop.make.customerToSend(values))

describe('§3.4 a new customer', () => {
  row('is 204 with nothing in it but where it is, and its addresses are there', async shop => {
    const sent = await shop.make.customerToSend()
    const billing = sent.defaultBillingAddress as Made
    const reply = await shop.post('/api/customer', sent)
    shop.make.remember('customer', sent.id)
    expect([reply.status, reply.text, reply.headers.location]).toEqual([
      204,
      '',
      `${shop.url}/api/customer/${sent.id}`,
    ])
    expect(await find(shop, 'customer', sent.id, {addresses: {}})).toMatchObject({
      customerNumber: sent.customerNumber,
      defaultBillingAddressId: billing.id,
      addresses: [{id: billing.id, customerId: sent.id, city: billing.city}],
    })
  })

  row('brings tags, old and new, whose ids it carries', async shop => {
    const [old] = (await shop.make.rows('tag', [{name: `old ${shop.run}`}])) as [Made]
    const added = {id: shop.newId(), name: `new ${shop.run}`}
    const {id} = await shop.make.customer({tags: [{id: old.id}, added]})
    shop.make.remember('tag', added.id)
    const made = (await find(shop, 'customer', id, {tags: {}})) as Values
    expect((made.tags as Made[]).map(({name}) => name).toSorted()).toEqual([added.name, old.name])
    expect((made.tagIds as string[]).toSorted()).toEqual([old.id, added.id].toSorted())
  })

  row('may have members that no field has', async shop => {
    const {id} = await shop.make.customer({frstName: 1, versionId: null})
    expect(await find(shop, 'customer', id)).toBeDefined()
  })

  row('§7 keeps no markup', async shop => {
    const {id} = await shop.make.customer({firstName: '<b>Bob</b> & "Al" </x', lastName: 'a < b'})
    expect(await find(shop, 'customer', id)).toMatchObject({firstName: 'Bob & "Al" ', lastName: 'a < b'})
  })

  row('§7.1 says itself when it was made', async shop => {
    const {id} = await shop.make.customer({createdAt: MOMENT})
    expect(await find(shop, 'customer', id)).toMatchObject({createdAt: MOMENT})
  })

  row.each<[sent: string, day: string]>(
    [
      ['2024-02-31', '2024-03-02'],
      ['31.12.2024', '2024-12-31'],
      ['10 October 2020', '2020-10-10'],
      ['@86400', '1970-01-02'],
      ['2020-05-01T23:30:00-02:00', '2020-05-02'],
    ].map(([sent, day]) => [`a birthday of ${sent} is on ${day}`, sent as string, day as string]),
    async (shop, birthday, day) => {
      const {id} = await shop.make.customer({birthday})
      expect(await find(shop, 'customer', id)).toMatchObject({birthday: `${day}T00:00:00.000+00:00`})
    },
  )

  row.bundledOnly('keeps its password as a hash', async shop => {
    const {id} = await shop.make.customer({password: 'correct horse'})
    const {db} = shop.bundled
    const kept = await db.reads.selectFrom('customer').select('password').where('id', '=', id).execute()
    expect(kept[0]?.password).toMatch(/^scrypt\$/)
  })
})

const NEEDED = [
  ...['groupId', 'salesChannelId', ...byVersion(['defaultPaymentMethodId'], {'6.7': []})],
  ...[
    'defaultBillingAddressId',
    'defaultShippingAddressId',
    'customerNumber',
    'firstName',
    'lastName',
    'email',
  ],
  ...['countryId', 'firstName', 'lastName', 'street', 'city'].map(name => `addresses/0/${name}`),
]

describe('§1.3 a new customer is refused', () => {
  row('without its required fields, with an entry for each, and nothing is kept', async shop => {
    const id = shop.newId()
    const reply = await shop.post('/api/customer', {id, firstName: '', addresses: [{}]})
    const complaints = complaintsOf(reply)
    expect(reply.status).toBe(400)
    expect(complaints.find(({source}) => source.pointer === '/0/groupId')).toEqual({
      code: 'c1051bb4-d103-4f74-8988-acbcafc7fdc3',
      status: '400',
      detail: 'This value should not be blank.',
      template: 'This value should not be blank.',
      meta: {parameters: {'{{ value }}': 'null'}},
      source: {pointer: '/0/groupId'},
    })
    expect(complaints.map(({source}) => source.pointer).toSorted()).toEqual(
      NEEDED.map(name => `/0/${name}`).toSorted(),
    )
    expect(await find(shop, 'customer', id)).toBeUndefined()
  })

  const UPPER = '0192B7A1C2D37E4F8A9B0C1D2E3F4A5C'
  row.each<[name: string, value: unknown, detail: string]>(
    (
      [
        ...(EDITION.checksLengths
          ? ([
              ['title', 'x'.repeat(101), 'This value is too long. It should have 100 characters or less.'],
            ] as const)
          : []),
        ['company', 'x'.repeat(256), 'This value is too long. It should have 255 characters or less.'],
        ['email', 'nobody', 'This value is not a valid email address.'],
        ['email', 'a@b', 'This value is not a valid email address.'],
        ['active', 'yes', 'This value should be of type bool.'],
        ['firstName', 7, 'This value should be of type string.'],
        ['firstName', '  ', 'This value should not be blank.'],
        ['vatIds', 'DE1', 'This value should be of type array.'],
        ['birthday', 5, 'This value should be of type DateTimeInterface.'],
        ['customFields', 'x', 'This value should be of type array.'],
        ['groupId', 'x', 'The string "x" is not a valid uuid.'],
        ['id', 'x', 'The string "x" is not a valid uuid.'],
        ['id', UPPER, `The string "${UPPER}" is not a valid uuid.`],
      ] as const
    ).map(([name, value, detail]) => [
      `${name} = ${JSON.stringify(value).slice(0, 20)}`,
      name,
      value,
      detail,
    ]),
    async (shop, name, value, detail) => {
      expect(told(await create(shop, {[name]: value}))).toEqual([400, [`/0/${name}`, detail]])
    },
  )

  row.each<[name: string, value: unknown, detail: string]>(
    (
      [
        ['orderCount', 3, LOCKED],
        ['orderTotalAmount', 3, LOCKED],
        ['lastOrderDate', MOMENT, LOCKED],
        ['autoIncrement', 3, 'This field is write-protected.'],
      ] as const
    ).map(([name, ...cells]) => [
      `§7.1 ${name}: nobody’s to write, named twice in the pointer`,
      name,
      ...cells,
    ]),
    async (shop, name, value, detail) => {
      expect(told(await create(shop, {[name]: value}))).toEqual([400, [`/0/${name}${name}`, detail]])
    },
  )

  row.each<[name: string, value: unknown, detail: RegExp]>(
    (
      [
        ['customFields', ['x'], /getCustomField\(\): Argument #1 .* string, int given$/],
        ['customFields', {5: 'x'}, /getCustomField\(\): Argument #1 .* string, int given$/],
        ['email', 5, /EmailIdnConverter::encode\(\): Argument #1 \(\$email\) .* int given/],
        ['birthday', 'no date', /^Failed to parse time string \(no date\) at position 0 \(n\): /],
      ] as const
    ).map(([name, value, detail]) => [`500: ${name} = ${JSON.stringify(value)}`, name, value, detail]),
    async (shop, name, value, detail) => {
      const reply = await create(shop, {[name]: value})
      const [error] = complaintsOf(reply)
      expect([reply.status, error]).toMatchObject([500, {code: '0', detail: expect.stringMatching(detail)}])
    },
  )

  row('of nothing, before anything is missed', async shop => {
    const detail = 'Invalid payload. Should be associative array'
    expectErrors(await shop.post('/api/customer', {}), 400, plainEntry(400, detail))
  })

  row('at once where what hangs on it is no list', async shop => {
    const detail = byVersion('Expected data at /0/addresses to be an array.', {
      '6.5': 'Expected data to be array.',
    })
    const parameters = byVersion<object>({path: '/0/addresses'}, {'6.5': []})
    const entry = shopEntry(400, 'FRAMEWORK__WRITE_MALFORMED_INPUT', detail, parameters)
    expectErrors(await create(shop, {addresses: 'x'}), 400, entry)
  })

  row('by each rule that a value breaks, with how long it is', async shop => {
    const [list, cast] = complaintsOf(await create(shop, {firstName: ['a']}))
    expect([list?.meta.parameters, cast?.meta.parameters]).toEqual([
      {'{{ value }}': 'array', '{{ type }}': 'string'},
      {'{{ type }}': 'string'},
    ])
    const [short] = complaintsOf(await create(shop, {password: 'x'}))
    expect(short?.meta.parameters).toMatchObject({
      '{{ value }}': '"x"',
      '{{ limit }}': '8',
      '{{ value_length }}': '1',
    })
    const [item] = complaintsOf(await create(shop, {vatIds: ['a', 5]}))
    expect(item?.source.pointer).toBe('/0/vatIds/1')
  })

  const COMMANDS = 'Shopware\\Core\\Framework\\DataAbstractionLayer\\Write\\Command'
  const [INSERT, UPDATE] = [`${COMMANDS}\\InsertCommand`, `${COMMANDS}\\UpdateCommand`]
  row('whose id is taken, and nothing changes', async shop => {
    const {id} = await shop.make.customer()
    const reply = await create(shop, {id, firstName: 'Eve'})
    const detail = `Expected command for "customer" to be "${INSERT}". (Got: ${UPDATE})`
    const parameters = {definition: 'customer', expectedClass: INSERT, actualClass: UPDATE}
    expectErrors(reply, 400, shopEntry(400, 'FRAMEWORK__WRITE_TYPE_INTEND_ERROR', detail, parameters))
    expect(await find(shop, 'customer', id)).toMatchObject({firstName: 'Ada'})
  })

  row('which points to nothing: 500, the database’s number', async shop => {
    const id = shop.newId()
    const reply = await create(shop, {id, groupId: shop.newId()})
    expect([reply.status, complaintsOf(reply)[0]?.code]).toEqual([500, '1452'])
    expect(await find(shop, 'customer', id)).toBeUndefined()
  })

  row.each<[method: string, isOne: boolean]>(
    [
      ['several at once: POST', 'POST', false],
      ['several at once: PATCH', 'PATCH', true],
    ],
    async (shop, method, isOne) => {
      const [tag] = (await shop.make.rows('tag', [{name: `one ${shop.run}`}])) as [Made]
      const path = `/api/tag${isOne ? `/${tag.id}` : ''}`
      const reply = await shop.send(method, path, [{name: 'one'}, {name: 'two'}])
      expect([reply.status, complaintsOf(reply)[0]]).toMatchObject([
        400,
        {code: '0', detail: expect.stringMatching(/^Only single write operations are supported\. .*\/sync/)},
      ])
    },
  )
})

describe('§3.4 a change', () => {
  row('touches what was sent alone, is 204, and is found from then on', async shop => {
    const {id} = await shop.make.customer()
    const lastName = `Lovelace ${shop.run}`
    const reply = await shop.send('PATCH', `/api/customer/${id}`, {lastName, company: null})
    expect([reply.status, reply.text, reply.headers.location]).toEqual([
      204,
      '',
      `${shop.url}/api/customer/${id}`,
    ])
    expect(await find(shop, 'customer', id)).toMatchObject({firstName: 'Ada', lastName, company: null})
    const filter = [{type: 'equals', field: 'lastName', value: lastName.toUpperCase()}]
    expect((await shop.post('/api/search-ids/customer', {filter})).json().data).toEqual([id])
  })

  row('takes no required field away', async shop => {
    const {id} = await shop.make.customer()
    const reply = await shop.send('PATCH', `/api/customer/${id}`, {lastName: null, email: ''})
    const [status, ...complaints] = told(reply)
    const blank = 'This value should not be blank.'
    expect([status, complaints.toSorted()]).toEqual([
      400,
      [
        ['/0/email', blank],
        ['/0/lastName', blank],
      ],
    ])
  })

  row('of what is not there: 400, whatever id stands in the body', async shop => {
    const {id} = await shop.make.customer()
    const reply = await shop.send('PATCH', `/api/customer/${shop.newId()}`, {id, title: 'Dr.'})
    const [error] = complaintsOf(reply)
    expect([reply.status, error?.code]).toEqual([400, 'FRAMEWORK__WRITE_TYPE_INTEND_ERROR'])
    expect(error?.detail).toMatch(/InsertCommand\)Hint: Use POST method to create new entities\.$/)
    expect(await find(shop, 'customer', id)).toMatchObject({title: null})
  })

  row('is of the id of the path', async shop => {
    const [one, other] = [await shop.make.customer(), await shop.make.customer()]
    const {status} = await shop.send('PATCH', `/api/customer/${one.id}`, {id: other.id, title: 'Dr.'})
    expect([
      status,
      await find(shop, 'customer', one.id),
      await find(shop, 'customer', other.id),
    ]).toMatchObject([204, {title: 'Dr.'}, {title: null}])
  })
})

describe('§3.4 a removal', () => {
  row('of what is not there: 404', async shop => {
    const id = shop.newId()
    const detail = `The customer resource with the following primary key was not found: id(${id})`
    const reply = await shop.remove(`/api/customer/${id}`)
    const {parameters} = reply.json().errors[0].meta
    expectErrors(reply, 404, shopEntry(404, 'FRAMEWORK__RESOURCE_NOT_FOUND', detail, parameters))
  })

  row('of a customer leaves the orders, which point to nobody from then on', async shop => {
    const customer = await shop.make.customer()
    const orderCustomer = {
      ...{id: shop.newId(), customerId: customer.id},
      ...{email: 'ada@example.test', firstName: 'Ada', lastName: 'Byron'},
    }
    await shop.make.order({orderCustomer})
    expect((await shop.remove(`/api/customer/${customer.id}`)).status).toBe(204)
    const {id} = customer.defaultBillingAddress as Made
    expect(await find(shop, 'customer-address', id)).toBeUndefined()
    expect(await find(shop, 'order-customer', orderCustomer.id)).toMatchObject({customerId: null})
  })

  row('of what others cannot do without: 409', async shop => {
    const [group] = (await shop.make.rows('customer_group', [{name: `group ${shop.run}`}])) as [Made]
    await shop.make.customer({groupId: group.id})
    const reply = await shop.remove(`/api/customer-group/${group.id}`)
    expect([reply.status, complaintsOf(reply)[0]?.code]).toEqual([409, 'FRAMEWORK__DELETE_RESTRICTED'])
    expect(await find(shop, 'customer-group', group.id)).toBeDefined()
  })
})
