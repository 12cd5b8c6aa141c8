import {expect} from 'vitest'
import type {Made, Values} from '../arrange.js'
import {conformance} from '../rows.js'
import type {Target} from '../target.js'
import {byVersion} from '../versions.js'

const row = conformance()

/** A word of this run that nothing else holds. */
const word = (shop: Target, start: string) => `q${start}${shop.run}`

/** Titles of those found with their points, in the order of the answer. Titles are not searched. */
async function scored(shop: Target, criteria: Values): Promise<(readonly [unknown, number])[]> {
  const reply = await shop.search('customer', criteria)
  expect(reply.status).toBe(200)
  return reply.json().data.map((one: Values) => {
    const {_score} = (one.extensions as {search: Values}).search
    expect(typeof _score).toBe('string')
    return [one.title, Number(_score)]
  })
}

async function expectScores(
  shop: Target,
  term: string,
  expected: Readonly<Record<string, number>>,
): Promise<void> {
  const found = await scored(shop, {term})
  expect(found.map(([title]) => title).toSorted()).toEqual(Object.keys(expected).toSorted())
  for (const [title, points] of found) expect(points).toBeCloseTo(expected[title as string] as number, 2)
}

const OWN = {customerNumber: 500, lastName: 500, company: 500, firstName: 250} as const

row.each<[keyof typeof OWN]>(
  Object.keys(OWN).map(name => [`§6.7 ${name}: equals its ranking, contains half`, name as keyof typeof OWN]),
  async (shop, name) => {
    const text = word(shop, name.slice(0, 3))
    await shop.make.customer({title: 'equal', [name]: text})
    await shop.make.customer({title: 'around', [name]: `x${text}x`})
    // What equals the term contains it too.
    await expectScores(shop, text, {equal: OWN[name] * 1.5, around: OWN[name] / 2})
  },
)

row('§6.7 email: equals 250, contains half', async shop => {
  const text = word(shop, 'mail')
  await shop.make.customer({title: 'equal', email: `${text}@example.test`})
  await shop.make.customer({title: 'around', email: `x${text}@example.test`})
  await expectScores(shop, `${text}@example.test`, {equal: 375, around: 125})
})

const NEAR = {
  street: 500,
  firstName: 250,
  lastName: 250,
  city: 250,
  company: 250,
  additionalAddressLine1: 250,
  additionalAddressLine2: 250,
} as const

row.each<[keyof typeof NEAR]>(
  Object.keys(NEAR).map(name => [
    `§6.7 default addresses, ${name}: a quarter, of each of the two`,
    name as keyof typeof NEAR,
  ]),
  async (shop, name) => {
    const text = word(shop, `a${name.slice(0, 2)}${name.slice(-1)}`)
    const person = async (title: string, billing: Values, shipping: Values) => {
      const first = await shop.make.address(billing)
      const second = await shop.make.address(shipping)
      const addresses = {
        defaultBillingAddress: first,
        addresses: [second],
        defaultShippingAddressId: second.id,
      }
      await shop.make.customer({title, ...addresses})
    }
    await person('billing', {[name]: text}, {})
    await person('shipping', {}, {[name]: text})
    await person('both', {[name]: text}, {[name]: text})
    await person('around', {[name]: `x${text}`}, {})
    const points = NEAR[name] * 0.25
    const found = {billing: points * 1.5, shipping: points * 1.5, both: points * 3, around: points / 2}
    await expectScores(shop, text, found)
  },
)

row('§6.7 tags.name: 500, a quarter', async shop => {
  const text = word(shop, 'tag')
  const [equal, around] = (await shop.make.rows('tag', [{name: text}, {name: `x${text}`}])) as [Made, Made]
  await shop.make.customer({title: 'equal', tags: [{id: equal.id}]})
  await shop.make.customer({title: 'around', tags: [{id: around.id}]})
  await expectScores(shop, text, {equal: 187.5, around: 62.5})
})

row.on('6.5', '6.6')('§6.7 defaultPaymentMethod.name: 500, a quarter', async shop => {
  const {data} = (await shop.search('payment-method', {limit: 100})).json()
  const method = data.find(({name}: Values) => /^\p{L}+$/u.test(name as string))
  const {id} = await shop.make.customer({title: 'paying', defaultPaymentMethodId: method.id})
  const filter = [{type: 'equals', field: 'id', value: id}]
  expect(await scored(shop, {term: method.name, filter})).toEqual([['paying', 187.5]])
})

row('§6.7 not searched: title, affiliateCode, phone, zipcode, addresses but the two defaults', async shop => {
  const text = word(shop, 'not')
  await shop.make.customer({title: text})
  await shop.make.customer({affiliateCode: text})
  const address = await shop.make.address({phoneNumber: text, zipcode: text})
  await shop.make.customer({defaultBillingAddress: address, defaultShippingAddressId: address.id})
  await shop.make.customer({addresses: [await shop.make.address({street: text, city: text, lastName: text})]})
  await expectScores(shop, text, {})
})

row('§6.7 one token: only the original term is used', async shop => {
  const text = word(shop, 'one')
  await shop.make.customer({title: 'bare', lastName: text})
  await shop.make.customer({title: 'whole', lastName: `!${text}!`})
  await expectScores(shop, `!${text}!`, {whole: 750})
})

/** Two words, of ten and nine letters and together of twenty: they count a half and nine twentieths. */
async function pair(shop: Target, start: string): Promise<readonly [string, string]> {
  const [one, other] = [
    `${start}${shop.run}y`,
    `${start.toUpperCase().toLowerCase()}${[...shop.run].toReversed().join('')}`,
  ]
  expect([one.length, other.length]).toEqual([10, 9])
  await shop.make.customer({title: 'one', lastName: one})
  await shop.make.customer({title: 'other', lastName: other})
  await shop.make.customer({title: 'whole', lastName: `${one} ${other}`})
  return [one, other]
}

row(
  '§6.7 several tokens: the original with weight 1, every token with its share of the length',
  async shop => {
    const [one, other] = await pair(shop, 'g')
    // The whole: itself equal and contained, and each of its words contained.
    await expectScores(shop, `${one} ${other}`, {one: 375, other: 337.5, whole: 750 + 125 + 112.5})
  },
)

row('§6.7 several tokens: an e-mail address only for the original term', async shop => {
  const [one, other] = [word(shop, 'ema'), word(shop, 'emb')]
  await shop.make.customer({title: 'mail', email: `${one}@example.test`})
  await shop.make.customer({title: 'name', firstName: one})
  const found = await scored(shop, {term: `${one} ${other}`})
  expect(found.map(([title]) => title)).toEqual(['name'])
})

row.each<[string, (one: string, other: string) => string]>(
  [
    ['lower-case', 'h', (one: string, other: string) => `${one.toUpperCase()} ${other.toUpperCase()}`],
    ['/ becomes a space', 'i', (one: string, other: string) => `${one}/${other}`],
    ['\\ becomes a space', 'j', (one: string, other: string) => `${one}\\${other}`],
    ['tags are stripped', 'k', (one: string, other: string) => `<b class="x">${one}</b> ${other}`],
    ['entities are decoded', 'l', (one: string, other: string) => `${one}&amp;${other}`],
    ['entities are decoded, numeric ones', 'm', (one: string, other: string) => `${one}&#33;${other}&#x21;`],
    [
      'entities are decoded, before tags are stripped',
      'n',
      (one: string, other: string) => `&lt;b&gt;${one}&lt;/b&gt; ${other}`,
    ],
    ['other characters become spaces', 'o', (one: string, other: string) => `${one}!§$%&()=?${other}*#:;,`],
    ['words come once', 'p', (one: string, other: string) => `${one} ${other} ${one} ${other}`],
    [
      'short words are dropped',
      'r',
      (one: string, other: string) => `${byVersion('ab', {'6.7': 'a'})} ${one} c ${other}`,
    ],
  ].map(([title, start, write]) => [`§6.7 tokenise: ${title}`, start as string, write as never]),
  async (shop, start, write) => {
    const [one, other] = await pair(shop, start)
    const term = write(one, other)
    const found = Object.fromEntries(await scored(shop, {term}))
    expect(found.one).toBeCloseTo((750 * one.length) / term.length, 2)
    expect(found.other).toBeCloseTo((750 * other.length) / term.length, 2)
  },
)

row('§6.7 tokenise: letters of every script stay, as entities too', async shop => {
  const [one, other] = [`é${word(shop, 'ent')}`, word(shop, 'enu')]
  await shop.make.customer({title: 'one', lastName: one})
  for (const letter of ['é', '&eacute;', '&Eacute;', '&#233;', '&#xE9;']) {
    const term = `${letter}${word(shop, 'ent')} ${other}`
    const found = Object.fromEntries(await scored(shop, {term}))
    expect(found.one).toBeCloseTo((750 * one.length) / term.length, 2)
  }
})

row('§6.7 tokenise: - _ + . @ stay inside words', async shop => {
  const text = word(shop, 'sig')
  await shop.make.customer({title: 'bare', lastName: text})
  await shop.make.customer({title: 'whole', lastName: `${text}-_+.@x`})
  await expectScores(shop, `${text}-_+.@x`, {whole: 750})
})

row('§6.7 tokenise: short words are kept when that leaves none', async shop => {
  const {id} = await shop.make.customer({title: 'short', lastName: 'qz', firstName: 'Grace'})
  const filter = [{type: 'equals', field: 'id', value: id}]
  // Two of five characters each, and nobody is called "qz jx".
  expect(await scored(shop, {term: 'qz jx', filter})).toEqual([['short', 300]])
  // Two letters are a word on 6.7.
  const found = await scored(shop, {term: 'qz jxxx', filter})
  expect(found.map(([title]) => title)).toEqual(byVersion<unknown[]>([], {'6.7': ['short']}))
})

row('§6.7 match: OR of all conditions, the points of all that hold', async shop => {
  const text = word(shop, 'sum')
  await shop.make.customer({title: 'both', firstName: text, lastName: text, email: `${text}@example.test`})
  await shop.make.customer({title: 'first', firstName: text})
  await expectScores(shop, text, {both: 375 + 750 + 125, first: 375})
})

// Joined rows that meet no condition are not counted; where the customer meets one, all of them do.
row('§6.7 match: points by joined rows', async shop => {
  const text = word(shop, 'row')
  const tags = await shop.make.rows('tag', [
    {name: text},
    {name: `no ${shop.run}`},
    {name: `nor ${shop.run}`},
  ])
  await shop.make.customer({title: 'of three', tags: tags.map(({id}) => ({id}))})
  await shop.make.customer({title: 'of two', tags: tags.slice(0, 2).map(({id}) => ({id}))})
  await shop.make.customer({title: 'named', firstName: text, tags: tags.map(({id}) => ({id}))})
  await expectScores(shop, text, {'of three': 187.5, 'of two': 187.5, named: 375 + 62.5})
})

row('§6.7 match: kept with one tag of several that contains the term', async shop => {
  const text = word(shop, 'min')
  const names = [`x${text}`, ...[1, 2].map(number => `other ${number} ${shop.run}`)]
  const tags = await shop.make.rows(
    'tag',
    names.map(name => ({name})),
  )
  // A tag that contains the term gives 62.5, however many others there are.
  await shop.make.customer({title: 'of two', tags: tags.slice(0, 2).map(({id}) => ({id}))})
  await shop.make.customer({title: 'of three', tags: tags.map(({id}) => ({id}))})
  await expectScores(shop, text, {'of two': 62.5, 'of three': 62.5})
})

/** Three customers, found by one word with 750, 375 and 125 points. */
async function ranked(shop: Target, start: string): Promise<string> {
  const text = word(shop, start)
  await shop.make.customer({title: 'second', firstName: text, guest: true})
  await shop.make.customer({title: 'third', email: `${text}@example.test`})
  await shop.make.customer({title: 'first', lastName: text})
  return text
}

row('§6.7 order: by points, the most first', async shop => {
  const term = await ranked(shop, 'ord')
  expect(await scored(shop, {term})).toEqual([
    ['first', 750],
    ['second', 375],
    ['third', 125],
  ])
})

row('§6.7 order: appended after explicit sorts', async shop => {
  const term = await ranked(shop, 'exp')
  const titles = async (sort: unknown) => (await scored(shop, {term, sort})).map(([title]) => title)
  expect(await titles([{field: 'guest', order: 'desc'}])).toEqual(['second', 'first', 'third'])
  expect(await titles('title')).toEqual(['first', 'second', 'third'])
  expect(await titles('-title')).toEqual(['third', 'second', 'first'])
})

row('§6.7 order: sort _score without term and query is ignored', async shop => {
  const {id} = await shop.make.customer({title: 'alone'})
  const filter = [{type: 'equals', field: 'id', value: id}]
  for (const sort of ['_score', '-_score', [{field: '_score', order: 'desc'}]]) {
    const reply = await shop.search('customer', {filter, sort})
    expect([reply.status, reply.json().total]).toEqual([200, 1])
    expect(reply.json().data[0].extensions.search).not.toHaveProperty('_score')
  }
})

row('§6.7 order: pages and counts go by it', async shop => {
  const term = await ranked(shop, 'pag')
  const reply = await shop.search('customer', {term, limit: 2, page: 2, 'total-count-mode': 1})
  expect([reply.json().total, reply.json().data[0].title]).toEqual([3, 'third'])
})

row('§6.7 order: limit 1 makes one row of all, and page 2 is empty', async shop => {
  const term = await ranked(shop, 'one')
  const found = async (page: number) =>
    (await shop.search('customer', {term, limit: 1, page, 'total-count-mode': 1})).json()
  expect((await found(1)).total).toBe(1)
  expect((await found(2)).data).toEqual([])
})

row.bundledOnly('§6.7 order: limit 1 gives the one row the points of all', async shop => {
  const [text] = [word(shop, 'all')]
  for (const title of ['one', 'other']) await shop.make.customer({title, lastName: text})
  const points = async (limit: number) => (await scored(shop, {term: text, limit}))[0]?.[1]
  expect(await points(1)).toBe(2 * ((await points(2)) as number))
})

row('§6.7 visible: extensions.search._score, a string, behind the rest', async shop => {
  const term = await ranked(shop, 'vis')
  const [first] = (await shop.search('customer', {term, limit: 1})).json().data
  expect(Object.keys(first.extensions.search)).toEqual([
    'extensions',
    ...byVersion(['_uniqueIdentifier'], {'6.7': []}),
    'translated',
    'autoIncrement',
    'customerNumber',
    '_score',
  ])
  expect(typeof first.extensions.search._score).toBe('string')
})

row('§6.7 case and accents count for nothing', async shop => {
  const text = word(shop, 'acc')
  await shop.make.customer({title: 'accented', lastName: `É${text}`})
  await expectScores(shop, `e${text.toUpperCase()}`, {accented: 750})
})

row('§6.7 % and _ mean themselves', async shop => {
  const text = word(shop, 'wil')
  await shop.make.customer({title: 'plain', lastName: `${text}abc`})
  await shop.make.customer({title: 'wild', lastName: `${text}_%c`})
  await expectScores(shop, `${text}_%c`, {wild: 750})
})

row('§6.7 search-ids looks by term as well', async shop => {
  const text = word(shop, 'ids')
  const {id} = await shop.make.customer({lastName: text})
  const reply = await shop.post('/api/search-ids/customer', {term: text})
  expect(reply.json()).toEqual({total: 1, data: [id]})
})

row('§6.7 the implicit search of associations needs no privilege', async shop => {
  const text = word(shop, 'acl')
  const address = await shop.make.address({street: text})
  const {id} = await shop.make.customer({
    defaultBillingAddress: address,
    defaultShippingAddressId: address.id,
  })
  const program = await shop.make.program(['customer:read'])
  const headers = {Authorization: `Bearer ${await program.token()}`}
  const reply = await shop.search('customer', {term: text}, headers)
  expect([reply.status, reply.json().data?.map((one: Made) => one.id)]).toEqual([200, [id]])
})

row('§6.7 filters narrow what a term finds', async shop => {
  const term = await ranked(shop, 'fil')
  const filter = [{type: 'equals', field: 'guest', value: true}]
  expect(await scored(shop, {term, filter})).toEqual([['second', 375]])
})
