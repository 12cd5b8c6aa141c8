import {describe, expect} from 'vitest'
import type {Values} from '../arrange.js'
import type {Reply} from '../call.js'
import {expectErrors, oauthEntry, plainEntry, plainJson, shopEntry} from '../envelopes.js'
import {conformance} from '../rows.js'
import type {Target} from '../target.js'

const row = conformance().bundledOnly

const PATH = '/api/fulfillment/order'
const SHIP_TO = {
  name: 'Zoë Straße',
  street: 'Am Hang 1/2',
  city: 'Łódź',
  postalCode: '01067',
  country: 'PL',
}
let last = 0

/** An order that is fine, with a reference of its own. */
function order(shop: Target, members: Values = {}): Values {
  const reference = `${shop.run}-${++last}`
  return {reference, lines: [{sku: 'TEA-1', quantity: 2}], shipTo: SHIP_TO, ...members}
}
const line = (members: Values): Values => ({lines: [{sku: 'TEA-1', quantity: 1, ...members}]})
const shipTo = (members: Values): Values => ({shipTo: {...SHIP_TO, ...members}})

const submit = (shop: Target, body: unknown, headers: Record<string, string> = {}) =>
  shop.post(PATH, body, headers)

async function found(shop: Target, reference: unknown): Promise<Values[]> {
  const filter = [{type: 'equals', field: 'reference', value: reference}]
  return (await shop.search('fulfillment-order', {filter})).json().data
}

/** 200 to the byte: the members in their order, and headers. */
function expectTaken(reply: Reply, sent: Values, isReplayed = false): void {
  expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/json'])
  expect(reply.headers['idempotency-replayed']).toBe(isReplayed ? 'true' : undefined)
  const {id, createdAt} = reply.json()
  expect(id).toMatch(/^[0-9a-f]{12}7[0-9a-f]{19}$/)
  expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/)
  const lines = (sent.lines as Values[]).map(({reference, sku, quantity}, index) => ({
    reference: reference ?? String(index + 1),
    sku,
    quantity,
    status: 'received',
  }))
  const status = sent.hold ? 'on_hold' : 'received'
  const {reference, orderNumber = null} = sent
  const answer = {id, reference, orderNumber, status, createdAt, lines, apiAlias: 'fulfillment_order'}
  expect(reply.text).toBe(plainJson(answer))
}

/** 400 with one entry for each pointer, in any order, and nothing created. */
async function expectFaults(shop: Target, reply: Reply, sent: unknown, pointers: string[]): Promise<void> {
  const {errors} = reply.json() as {errors: Values[]}
  const named = errors.map(({source}) => (source as {pointer: string}).pointer)
  expect([reply.status, named.toSorted()]).toEqual([400, pointers.toSorted()])
  const entries = errors.map(({detail, source, meta}) => {
    expect(detail).toMatch(/\S/)
    const {parameters} = meta as {parameters: object}
    const entry = shopEntry(400, 'FULFILLMENT__INVALID_FIELD', detail as string)
    const {meta: _, ...before} = entry
    return {...before, source, meta: {parameters}}
  })
  expectErrors(reply, 400, ...entries)
  const reference = (sent as Values | null)?.reference
  if (typeof reference === 'string' && reference !== '') expect(await found(shop, reference)).toEqual([])
}

const text = (length: number, sign = 'x') => sign.repeat(length)
const inMinutes = (minutes: number) => (shop: Target) =>
  new Date(shop.bundled.clock.now().getTime() + minutes * 60_000).toISOString()

describe('fulfillment-order.md, request: what is taken', () => {
  const bodies: [title: string, members: Values][] = [
    ['the required fields alone', {}],
    ['reference of 1', {reference: 'R'}],
    ['reference of 64 of all its signs', {reference: `Az09._:-${text(56)}`}],
    ['orderNumber of 1', {orderNumber: '1'}],
    ['orderNumber of 64', {orderNumber: text(64)}],
    ['orderNumber of 64 characters, more bytes', {orderNumber: text(64, 'ß')}],
    ['orderDate in UTC', {orderDate: '2024-10-24T21:30:46Z'}],
    ['orderDate with an offset and a fraction', {orderDate: '2024-10-24T23:30:46.123456+02:00'}],
    ['orderDate in small letters', {orderDate: '2024-10-24t21:30:46z'}],
    ['orderDate on a leap day', {orderDate: '2024-02-29T00:00:00-11:30'}],
    ['1000 lines', {lines: Array.from({length: 1000}, (_, index) => ({sku: `S${index}`, quantity: 1}))}],
    ['sku of 1', line({sku: 'S'})],
    ['sku of 64', line({sku: text(64)})],
    ['quantity 1', line({quantity: 1})],
    ['quantity 1 000 000', line({quantity: 1_000_000})],
    ['line reference of 1', line({reference: 'L'})],
    ['line reference of 64', line({reference: text(64)})],
    [
      'the same sku on two lines',
      {
        lines: [
          {sku: 'A', quantity: 1},
          {sku: 'A', quantity: 2},
        ],
      },
    ],
    ['unitPrice', line({unitPrice: {amount: '12.90', currency: 'EUR'}})],
    ['unitPrice without a fraction', line({unitPrice: {amount: '0', currency: 'JPY'}})],
    ['name of 1 and 100', shipTo({name: text(100), street: text(100), city: 'X'})],
    [
      'every optional field of shipTo',
      shipTo({
        company: 'Loom & Sons',
        additionalLine: '2nd floor',
        state: 'Łódzkie',
        email: 'zoe@example.test',
        phone: '+48 42 1',
      }),
    ],
    ['postalCode of 16', shipTo({postalCode: text(16, '0')})],
    ['no postalCode where the country uses none', shipTo({country: 'AE', postalCode: undefined})],
    ['hold true', {hold: true}],
    ['hold false', {hold: false}],
    ...['standard', 'express', 'priority', 'pickup'].map((shippingMethod): [string, Values] => [
      `shippingMethod ${shippingMethod}`,
      {shippingMethod},
    ]),
    ...['all-or-nothing', 'what-is-available'].map((fillPolicy): [string, Values] => [
      `fillPolicy ${fillPolicy}`,
      {fillPolicy},
    ]),
    ['shipNotBefore', {shipNotBefore: '2031-12-31'}],
    ['note empty', {note: ''}],
    ['note of 500 characters', {note: text(500, '💜')}],
    ['customFields', {customFields: {gift: true, nested: {deep: [1, null, 'Ω']}}}],
    ['customFields empty', {customFields: {}}],
    ['customFields of 16 KiB', {customFields: {a: text(16 * 1024 - '{"a":""}'.length)}}],
  ]
  row.each(bodies, async (shop, members) => {
    const sent = order(shop, members)
    expectTaken(await submit(shop, sent), sent)
    expect(await found(shop, sent.reference)).toHaveLength(1)
  })
  row('orderDate 4 minutes in the future', async shop => {
    const sent = order(shop, {orderDate: inMinutes(4)(shop)})
    expectTaken(await submit(shop, sent), sent)
  })
})

describe('fulfillment-order.md, request: what is refused', () => {
  const required: [title: string, members: Values, pointer: string][] = [
    ['reference', {reference: undefined}, '/reference'],
    ['lines', {lines: undefined}, '/lines'],
    ['lines[].sku', line({sku: undefined}), '/lines/0/sku'],
    ['lines[].quantity', line({quantity: undefined}), '/lines/0/quantity'],
    ['unitPrice.amount', line({unitPrice: {currency: 'EUR'}}), '/lines/0/unitPrice/amount'],
    ['unitPrice.currency', line({unitPrice: {amount: '1.00'}}), '/lines/0/unitPrice/currency'],
    ['shipTo', {shipTo: undefined}, '/shipTo'],
    ['shipTo.name', shipTo({name: undefined}), '/shipTo/name'],
    ['shipTo.street', shipTo({street: undefined}), '/shipTo/street'],
    ['shipTo.city', shipTo({city: undefined}), '/shipTo/city'],
    ['shipTo.country', shipTo({country: undefined, postalCode: '1'}), '/shipTo/country'],
    [
      'shipTo.postalCode where the country uses one',
      shipTo({country: 'DE', postalCode: undefined}),
      '/shipTo/postalCode',
    ],
  ]
  const values: [title: string, members: Values, pointer: string][] = [
    ['reference empty', {reference: ''}, '/reference'],
    ['reference of 65', {reference: text(65)}, '/reference'],
    ...['a b', 'a/b', 'ä', 'a\n', 'a"'].map((reference): [string, Values, string] => [
      `reference ${JSON.stringify(reference)}`,
      {reference},
      '/reference',
    ]),
    ['reference a number', {reference: 5}, '/reference'],
    ['orderNumber empty', {orderNumber: ''}, '/orderNumber'],
    ['orderNumber of 65', {orderNumber: text(65)}, '/orderNumber'],
    ['orderNumber a number', {orderNumber: 10007}, '/orderNumber'],
    ...[
      '2024-10-24',
      '2024-10-24T21:30:46',
      '2024-10-24 21:30:46Z',
      '2024-13-01T00:00:00Z',
      '2023-02-29T00:00:00Z',
      '2024-10-24T24:00:00Z',
      '2024-10-24T21:30:46+0200',
      'yesterday',
      1729805446,
    ].map((orderDate): [string, Values, string] => [`orderDate ${orderDate}`, {orderDate}, '/orderDate']),
    ['lines empty', {lines: []}, '/lines'],
    ['lines an object', {lines: {a: {sku: 'A', quantity: 1}}}, '/lines'],
    ['1001 lines', {lines: Array.from({length: 1001}, () => ({sku: 'A', quantity: 1}))}, '/lines'],
    ['a line that is none', {lines: ['A']}, '/lines/0'],
    ['sku empty', line({sku: ''}), '/lines/0/sku'],
    ['sku of 65', line({sku: text(65)}), '/lines/0/sku'],
    ['sku a number', line({sku: 1}), '/lines/0/sku'],
    ...[0, -1, 1.5, 1_000_001, '1', true, null].map((quantity): [string, Values, string] => [
      `quantity ${JSON.stringify(quantity)}`,
      line({quantity}),
      '/lines/0/quantity',
    ]),
    ['line reference empty', line({reference: ''}), '/lines/0/reference'],
    ['line reference of 65', line({reference: text(65)}), '/lines/0/reference'],
    [
      'line reference twice',
      {
        lines: [
          {sku: 'A', quantity: 1, reference: 'x'},
          {sku: 'B', quantity: 1, reference: 'x'},
        ],
      },
      '/lines/1/reference',
    ],
    [
      'line reference that is the position of another',
      {
        lines: [
          {sku: 'A', quantity: 1, reference: '2'},
          {sku: 'B', quantity: 1},
        ],
      },
      '/lines/1/reference',
    ],
    ...[12.9, '12,90', '1e3', '-1.00', '+1', '.5', '1.', ''].map((amount): [string, Values, string] => [
      `unitPrice.amount ${JSON.stringify(amount)}`,
      line({unitPrice: {amount, currency: 'EUR'}}),
      '/lines/0/unitPrice/amount',
    ]),
    ...['eur', 'EURO', 'ZZZ', 978].map((currency): [string, Values, string] => [
      `unitPrice.currency ${JSON.stringify(currency)}`,
      line({unitPrice: {amount: '1.00', currency}}),
      '/lines/0/unitPrice/currency',
    ]),
    ['unitPrice a text', line({unitPrice: '12.90'}), '/lines/0/unitPrice'],
    ['shipTo a list', {shipTo: []}, '/shipTo'],
    ...['name', 'street', 'city'].flatMap((name): [string, Values, string][] => [
      [`shipTo.${name} empty`, shipTo({[name]: ''}), `/shipTo/${name}`],
      [`shipTo.${name} of 101`, shipTo({[name]: text(101)}), `/shipTo/${name}`],
      [`shipTo.${name} null`, shipTo({[name]: null}), `/shipTo/${name}`],
    ]),
    ['shipTo.postalCode empty', shipTo({postalCode: ''}), '/shipTo/postalCode'],
    ['shipTo.postalCode of 17', shipTo({postalCode: text(17)}), '/shipTo/postalCode'],
    ['shipTo.postalCode a number', shipTo({postalCode: 1067}), '/shipTo/postalCode'],
    ...['pl', 'POL', 'XX', 'Poland', 48].map((country): [string, Values, string] => [
      `shipTo.country ${JSON.stringify(country)}`,
      shipTo({country}),
      '/shipTo/country',
    ]),
    ...['company', 'additionalLine', 'state', 'email', 'phone'].map((name): [string, Values, string] => [
      `shipTo.${name} a number`,
      shipTo({[name]: 1}),
      `/shipTo/${name}`,
    ]),
    ['shippingMethod overnight', {shippingMethod: 'overnight'}, '/shippingMethod'],
    ['shippingMethod Standard', {shippingMethod: 'Standard'}, '/shippingMethod'],
    ['shippingMethod null', {shippingMethod: null}, '/shippingMethod'],
    ['fillPolicy partial', {fillPolicy: 'partial'}, '/fillPolicy'],
    ...['2024-02-30', '2024-1-1', '20240101', '2024-10-24T00:00:00Z', 5].map(
      (shipNotBefore): [string, Values, string] => [
        `shipNotBefore ${shipNotBefore}`,
        {shipNotBefore},
        '/shipNotBefore',
      ],
    ),
    ['hold a text', {hold: 'true'}, '/hold'],
    ['hold 0', {hold: 0}, '/hold'],
    ['note of 501', {note: text(501)}, '/note'],
    ['note a number', {note: 1}, '/note'],
    ['customFields a list', {customFields: [1]}, '/customFields'],
    ['customFields a text', {customFields: 'x'}, '/customFields'],
    [
      'customFields over 16 KiB',
      {customFields: {a: text(16 * 1024 - '{"a":""}'.length + 1)}},
      '/customFields',
    ],
    ['customFields over 16 KiB of bytes', {customFields: {a: text(8 * 1024, 'ß')}}, '/customFields'],
    ['an unknown field', {shipto: SHIP_TO}, '/shipto'],
    ['an unknown field of a line', line({qty: 1}), '/lines/0/qty'],
    [
      'an unknown field of unitPrice',
      line({unitPrice: {amount: '1', currency: 'EUR', a: 1}}),
      '/lines/0/unitPrice/a',
    ],
    ['an unknown field of shipTo', shipTo({zip: '1'}), '/shipTo/zip'],
    ['an unknown field with the signs of a pointer', {'a/b~c': 1}, '/a~1b~0c'],
  ]
  row.each(
    [...required.map(([title, ...cells]) => [`required: ${title}`, ...cells] as const), ...values],
    async (shop, members, pointer) => {
      const sent = order(shop, members)
      await expectFaults(shop, await submit(shop, sent), sent, [pointer])
    },
  )
  row('orderDate 6 minutes in the future', async shop => {
    const sent = order(shop, {orderDate: inMinutes(6)(shop)})
    await expectFaults(shop, await submit(shop, sent), sent, ['/orderDate'])
  })
  row('all at once, one entry each', async shop => {
    const sent = {
      reference: 'a b',
      lines: [
        {sku: '', quantity: 0},
        {sku: 'B', quantity: '2', qty: 2},
      ],
      shipTo: {name: 'n', street: 's', country: 'DE'},
      hold: 'no',
      colour: 'red',
    }
    await expectFaults(shop, await submit(shop, sent), sent, [
      '/reference',
      '/lines/0/sku',
      '/lines/0/quantity',
      '/lines/1/quantity',
      '/lines/1/qty',
      '/shipTo/city',
      '/shipTo/postalCode',
      '/hold',
      '/colour',
    ])
  })
  row.each(
    ['{}', '', 'null', '5'].map(body => [`an order of nothing: ${body}`, body] as const),
    async (shop, body) =>
      expectFaults(shop, await submit(shop, body), undefined, ['/reference', '/lines', '/shipTo']),
  )
  row.each(
    ['[]', '[1]'].map(body => [`an order that is a list: ${body}`, body] as const),
    async (shop, body) => expectFaults(shop, await submit(shop, body), undefined, ['']),
  )
  row('each says what is wrong, and with what', async shop => {
    const sent = {...order(shop, {lines: [{sku: 'A', quantity: 0}], shipto: {}}), reference: 'a b'}
    const errors = (await submit(shop, sent)).json().errors as Values[]
    expect(errors.map(({detail, meta}) => [detail, meta])).toEqual([
      [
        'reference may hold letters, digits and . _ : - only.',
        {parameters: {field: 'reference', value: 'a b'}},
      ],
      [
        'lines[0].quantity must be a whole number from 1 to 1000000.',
        {parameters: {field: 'lines[].quantity', value: 0}},
      ],
      ['shipto is not a field; did you mean shipTo?', {parameters: {field: 'shipto'}}],
    ])
  })
  row('a content type that is not read: nothing was sent', async shop => {
    const reply = await submit(shop, order(shop), {'Content-Type': 'application/vnd.api+json'})
    await expectFaults(shop, reply, undefined, ['/reference', '/lines', '/shipTo'])
  })
})

describe('fulfillment-order.md, response', () => {
  row('the same reference, the same content: the first answer again, nothing created', async shop => {
    const sent = order(shop, {orderNumber: '10007', note: '"Łódź"/<&>'})
    const first = await submit(shop, sent)
    expectTaken(first, sent)
    shop.bundled.clock.pass(60)
    const again = await submit(shop, sent)
    expectTaken(again, sent, true)
    expect(again.text).toBe(first.text)
    expect(await found(shop, sent.reference)).toHaveLength(1)
  })

  type Spell = (sent: Values) => unknown
  const same: [title: string, Spell][] = [
    [
      'defaults filled in',
      sent => ({
        ...sent,
        shippingMethod: 'standard',
        hold: false,
        fillPolicy: 'all-or-nothing',
        lines: [{sku: 'TEA-1', quantity: 2, reference: '1'}],
      }),
    ],
    ['members in another order', sent => Object.fromEntries(Object.entries(sent).toReversed())],
    ['spaces', sent => JSON.stringify(sent, null, 4)],
    ['numbers written otherwise', sent => JSON.stringify(sent).replace('"quantity":2', '"quantity":2.0e0')],
    ['letters escaped', sent => JSON.stringify(sent).replace('Zoë', 'Zo\\u00eb')],
  ]
  row.each(
    same.map(([title, spell]) => [`the same content: ${title}`, spell] as const),
    async (shop, spell) => {
      const sent = order(shop)
      const first = await submit(shop, sent)
      const again = await submit(shop, spell(sent))
      expect([again.status, again.headers['idempotency-replayed'], again.text]).toEqual([
        200,
        'true',
        first.text,
      ])
    },
  )

  const other: [title: string, members: Values][] = [
    ['a field more', {note: 'ring'}],
    ['another quantity', {lines: [{sku: 'TEA-1', quantity: 3}]}],
    [
      'a line more',
      {
        lines: [
          {sku: 'TEA-1', quantity: 2},
          {sku: 'A', quantity: 1},
        ],
      },
    ],
    ['another street', shipTo({street: 'Am Hang 1/3'})],
    ['another default', {hold: true}],
  ]
  row.each(
    other.map(([title, members]) => [`the same reference, other content: ${title}: 409`, members] as const),
    async (shop, members) => {
      const sent = order(shop)
      const first = await submit(shop, sent)
      const reply = await submit(shop, {...sent, ...members})
      const {detail, meta} = reply.json().errors[0]
      expectErrors(reply, 409, shopEntry(409, 'FULFILLMENT__REFERENCE_CONFLICT', detail, meta.parameters))
      expect((await submit(shop, sent)).text).toBe(first.text)
      expect(await found(shop, sent.reference)).toHaveLength(1)
    },
  )

  row('the same Idempotency-Key, other content: 422, nothing created', async shop => {
    const key = {'Idempotency-Key': `key-${shop.run}`}
    const [first, second] = [order(shop), order(shop)]
    expectTaken(await submit(shop, first, key), first)
    const reply = await submit(shop, second, key)
    const {detail, meta} = reply.json().errors[0]
    expectErrors(reply, 422, shopEntry(422, 'FULFILLMENT__IDEMPOTENCY_KEY_REUSED', detail, meta.parameters))
    expect(await found(shop, second.reference)).toEqual([])
    expectTaken(await submit(shop, first, key), first, true)
  })
  row('the key of an order that was refused is free', async shop => {
    const key = {'Idempotency-Key': `free-${shop.run}`}
    expect((await submit(shop, order(shop, {hold: 1}), key)).status).toBe(400)
    const sent = order(shop)
    expectTaken(await submit(shop, sent, key), sent)
  })
  row('the key of a repeated request is stored too: 422 with another order', async shop => {
    const key = {'Idempotency-Key': `again-${shop.run}`}
    const sent = order(shop)
    await submit(shop, sent)
    expectTaken(await submit(shop, sent, key), sent, true)
    expect((await submit(shop, order(shop), key)).status).toBe(422)
  })
  row('a reference in another case is another one', async shop => {
    const sent = order(shop, {reference: `Case-${shop.run}`})
    expectTaken(await submit(shop, sent), sent)
    const other = {...sent, reference: `case-${shop.run}`, note: 'other'}
    expectTaken(await submit(shop, other), other)
  })
  row('submitted many times at once, an order is created once', async shop => {
    const sent = order(shop)
    const replies = await Promise.all(Array.from({length: 20}, () => submit(shop, sent)))
    expect(replies.map(({status}) => status)).toEqual(Array(20).fill(200))
    expect(replies.filter(({headers}) => headers['idempotency-replayed'] === undefined)).toHaveLength(1)
    expect(new Set(replies.map(reply => reply.json().id)).size).toBe(1)
    expect(await found(shop, sent.reference)).toHaveLength(1)
  })
  row('when both apply, the reference is looked at first: 409', async shop => {
    const key = {'Idempotency-Key': `both-${shop.run}`}
    const sent = order(shop)
    await submit(shop, sent, key)
    expect((await submit(shop, {...sent, note: 'ring'}, key)).status).toBe(409)
  })
  row('another key does not make another order', async shop => {
    const sent = order(shop)
    await submit(shop, sent, {'Idempotency-Key': `one-${shop.run}`})
    expectTaken(await submit(shop, sent, {'Idempotency-Key': `two-${shop.run}`}), sent, true)
  })

  row('a body of 1 MiB is read, one byte more is 413', async shop => {
    const sized = (sizeBytes: number) => {
      const json = JSON.stringify({note: ''})
      return json.replace('""', `"${text(sizeBytes - json.length)}"`)
    }
    const reply = await submit(shop, sized(1024 * 1024))
    await expectFaults(shop, reply, undefined, ['/reference', '/lines', '/shipTo', '/note'])
    const refused = await submit(shop, sized(1024 * 1024 + 1))
    const {detail, meta} = refused.json().errors[0]
    expectErrors(refused, 413, shopEntry(413, 'FULFILLMENT__TOO_LARGE', detail, meta.parameters))
  })
  row('no or bad token: 401', async shop => {
    const title = 'The resource owner or authorization server denied the request.'
    const call = {path: PATH, body: order(shop)}
    const headers = {'Content-Type': 'application/json'}
    const none = oauthEntry(401, '9', title, 'Missing "Authorization" header')
    expectErrors(await shop.call({...call, headers}), 401, none)
    const bad = oauthEntry(401, '9', title, 'The JWT string must have two dots')
    expectErrors(await shop.call({...call, headers: {...headers, Authorization: 'Bearer x'}}), 401, bad)
  })
  row('missing privilege: 403, before the fields', async shop => {
    const program = await shop.make.program(['fulfillment_order:read', 'order:create'])
    const missing = {message: 'Missing privilege', missingPrivileges: ['fulfillment_order:create']}
    const reply = await submit(shop, {}, {Authorization: `Bearer ${await program.token()}`})
    const detail = JSON.stringify(missing)
    expectErrors(reply, 403, shopEntry(403, 'FRAMEWORK__MISSING_PRIVILEGE_ERROR', detail))
  })
  row('fulfillment_order:create is enough', async shop => {
    const program = await shop.make.program(['fulfillment_order:create'])
    const sent = order(shop)
    expectTaken(await submit(shop, sent, {Authorization: `Bearer ${await program.token()}`}), sent)
  })
  row('malformed JSON: 400, before the token', async shop => {
    const headers = {'Content-Type': 'application/json'}
    const reply = await shop.call({path: PATH, headers, body: '{"reference":'})
    expectErrors(reply, 400, plainEntry(400, 'The JSON payload is malformed.'))
  })
  row('another method: 405', async shop => {
    const detail = `No route found for "GET ${shop.url}${PATH}": Method Not Allowed (Allow: POST)`
    expectErrors(await shop.send('GET', PATH), 405, plainEntry(405, detail))
  })
})

describe('fulfillment-order.md, in bulk', () => {
  row('POST /api/search/fulfillment-order finds what was submitted, as it was sent', async shop => {
    const sent = order(shop, {
      orderNumber: '10007',
      orderDate: '2024-10-24T23:30:46+02:00',
      lines: [
        {sku: 'TEA-1', quantity: 2, unitPrice: {amount: '12.90', currency: 'EUR'}},
        {sku: 'CUP-1', quantity: 1, reference: 'cup'},
      ],
      shipNotBefore: '2024-11-01',
      hold: true,
      note: 'ring',
      customFields: {gift: true, 'a b': [0.1, null]},
    })
    const {id} = (await submit(shop, sent, {'Idempotency-Key': `found-${shop.run}`})).json()
    const [one] = await found(shop, sent.reference)
    expect(one).toMatchObject({
      id,
      reference: sent.reference,
      orderNumber: '10007',
      orderDate: '2024-10-24T21:30:46.000+00:00',
      status: 'on_hold',
      lines: [
        {sku: 'TEA-1', quantity: 2, reference: '1', unitPrice: {amount: '12.90', currency: 'EUR'}},
        {sku: 'CUP-1', quantity: 1, reference: 'cup'},
      ],
      shipTo: SHIP_TO,
      shippingMethod: 'standard',
      shipNotBefore: '2024-11-01T00:00:00.000+00:00',
      hold: true,
      fillPolicy: 'all-or-nothing',
      note: 'ring',
      customFields: sent.customFields,
      apiAlias: 'fulfillment_order',
    })
    expect(one?.customFields).toEqual(sent.customFields)
    expect(JSON.stringify(one)).not.toContain(`found-${shop.run}`)
  })
})
