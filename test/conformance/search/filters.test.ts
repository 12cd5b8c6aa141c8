import {expect} from 'vitest'
import type {Values} from '../arrange.js'
import {conformance} from '../rows.js'
import type {Target} from '../target.js'
import {byVersion} from '../versions.js'
import {castOf, keptBy, NAMES, type Name, namesOf, noon} from './cast.js'

const row = conformance()

const filter = (type: string, field: string, value: unknown) => ({type, field, value})
const group = (type: string, queries: Values[], operator?: string) => ({
  type,
  queries,
  ...(operator === undefined ? {} : {operator}),
})
const allBut = (...names: Name[]) => NAMES.filter(name => !names.includes(name))

type Line = readonly [title: string, filter: Values, expected: readonly Name[]]

const keeps = async (shop: Target, written: Values, expected: readonly Name[]) =>
  expect(await keptBy(shop, written)).toEqual(expected)

row.each<[Values, readonly Name[]]>(
  [
    ['§6.3 equals: a text', filter('equals', 'firstName', 'Bruno'), ['Bruno']],
    [
      '§6.3 equals: null is IS NULL',
      filter('equals', 'company', null),
      ['Ada', 'Dora', 'Gus', 'Hana', 'Ivo'],
    ],
    ['§6.3 equals: false is fine', filter('equals', 'active', false), ['Bruno']],
    ['§6.3 equals: 0 is fine', filter('equals', 'active', 0), ['Bruno']],
    ['§6.3 equals: true', filter('equals', 'guest', true), ['Fay']],
    ['§6.3 equals: a list field holds the value', filter('equals', 'vatIds', 'GB2'), ['Ada']],
    ['§6.3 equals: a list field, held by two', filter('equals', 'vatIds', 'DE1'), ['Ada', 'Bruno']],
    [
      '§6.3 field: a dotted path crosses to one',
      filter('equals', 'defaultBillingAddress.city', 'Paris'),
      ['Bruno'],
    ],
    [
      '§6.3 field: a dotted path crosses to many',
      filter('equals', 'addresses.city', 'Paris'),
      ['Ada', 'Bruno', 'Cleo'],
    ],
    [
      'shop-6.7.md 6, the code of a locale',
      group('not', [filter('equals', 'language.locale.code', null)]),
      NAMES,
    ],
    [
      '§6.3 field: two conditions on many things hold for one and the same',
      group('and', [
        filter('equals', 'addresses.city', 'Paris'),
        filter('equals', 'addresses.zipcode', '75001'),
      ]),
      ['Ada'],
    ],
    [
      '§6.3 field: two conditions on many things, of two of them, find nobody',
      group('and', [
        filter('equals', 'addresses.city', 'Köln'),
        filter('equals', 'addresses.zipcode', '75001'),
      ]),
      [],
    ],
    ['§6.3 field: a part behind a value finds nobody', filter('equals', 'firstName.foo', 'Ada'), []],
    ['§6.3 equals: true as text', filter('equals', 'guest', '1'), ['Fay']],
    ['§6.3 field: customFields.x', filter('equals', 'customFields.color', 'red'), ['Bruno']],
    ['§6.3 field: the prefix customer. is optional', filter('equals', 'customer.firstName', 'Fay'), ['Fay']],
    [
      '§6.3 field: the prefix stands before a path as well',
      filter('equals', 'customer.addresses.zipcode', '75001'),
      ['Ada'],
    ],
    ['§6.3 equalsAny: a list', filter('equalsAny', 'firstName', ['Gus', 'Ada', 'Nobody']), ['Ada', 'Gus']],
    ['§6.3 equalsAny: a|b', filter('equalsAny', 'firstName', 'Gus|Ada'), ['Ada', 'Gus']],
    ['§6.3 equalsAny: one scalar', filter('equalsAny', 'active', true), allBut('Bruno')],
    [
      byVersion('§6.3 equalsAny: never matches null', {'6.7': '§6.3 equalsAny: matches null'}),
      filter('equalsAny', 'company', ['Acme', null as never, 'axb']),
      byVersion(['Bruno', 'Cleo', 'Fay'], {'6.7': allBut('Emil')}),
    ],
    ['§6.3 equalsAll: a list field that holds all', filter('equalsAll', 'vatIds', ['DE1', 'GB2']), ['Ada']],
    ['§6.3 equalsAll: a|b', filter('equalsAll', 'vatIds', 'DE1|GB2'), ['Ada']],
    ['§6.3 equalsAll: one scalar', filter('equalsAll', 'firstName', 'Emil'), ['Emil']],
    ['§6.3 equalsAll: a field cannot equal two values', filter('equalsAll', 'firstName', 'Emil|Fay'), []],
    [
      '§6.3 equalsAll: to-many, each value by one of them',
      filter('equalsAll', 'addresses.city', 'Köln|London'),
      ['Ada'],
    ],
    ['§6.3 contains', filter('contains', 'lastName', 'woo'), ['Dora', 'Emil']],
    ['§6.3 contains: % means itself', filter('contains', 'lastName', '0%'), ['Dora']],
    ['§6.3 contains: _ means itself', filter('contains', 'company', 'a_b'), ['Emil']],
    ['§6.3 contains: \\ means itself', filter('contains', 'lastName', 'a\\b'), ['Fay']],
    ["§6.3 contains: ' means itself", filter('contains', 'lastName', "O'N"), ['Ivo']],
    ['§6.3 prefix', filter('prefix', 'lastName', 'by'), ['Ada']],
    ['§6.3 prefix: % means itself', filter('prefix', 'lastName', '100%'), ['Dora']],
    ['§6.3 prefix: _ means itself', filter('prefix', 'company', 'a_'), ['Emil']],
    ['§6.3 suffix', filter('suffix', 'lastName', 'WOOL'), ['Dora', 'Emil']],
    ['§6.3 suffix: _ means itself', filter('suffix', 'company', '_b'), ['Emil']],
    ['§6.3 suffix: \\ means itself', filter('suffix', 'lastName', '\\b'), ['Fay']],
  ] satisfies Line[],
  keeps,
)

const range = (field: string, parameters: Values) => ({type: 'range', field, parameters})

row.each<[Values, readonly Name[]]>(
  [
    [
      'real-shop.md R13, a custom field without a definition is compared as text: 5 stands behind 12',
      range('customFields.size', {gte: 12}),
      ['Ada', 'Bruno'],
    ],
    ['real-shop.md R13, and 12 behind 100', range('customFields.size', {gt: 10, lte: 100}), []],
    ['§6.3 range: gte and lt', range('birthday', {gte: '1990-05-06', lt: '1990-05-07'}), ['Bruno']],
    ['§6.3 range: gt and lte', range('birthday', {gt: '1990-05-06', lte: '1990-05-07'}), ['Dora']],
    [
      '§6.3 range: gt wins over gte',
      range('birthday', {gte: '1800-01-01', gt: '1815-12-10'}),
      ['Bruno', 'Dora'],
    ],
    [
      '§6.3 range: gt wins over gte, even the weaker',
      range('birthday', {gt: '1815-12-09', gte: '1990-01-01'}),
      ['Ada', 'Bruno', 'Dora'],
    ],
    ['§6.3 range: lt wins over lte', range('birthday', {lte: '2000-01-01', lt: '1990-05-06'}), ['Ada']],
    [
      '§6.3 range: lt wins over lte, even the weaker',
      range('birthday', {lt: '2000-01-01', lte: '1900-01-01'}),
      ['Ada', 'Bruno', 'Dora'],
    ],
    ['§6.3 range: null compares with nothing', range('birthday', {gt: null}), []],
    ['§6.3 range: a text', range('firstName', {gte: 'gus', lt: 'Ivo'}), ['Gus', 'Hana']],
    ['§1.6 filter form: a date', range('birthday', {lte: '1990-05-06'}), ['Ada', 'Bruno']],
    [
      '§1.6 filter form: Y-m-d H:i:s.v',
      range('birthday', {lte: '1990-05-06 00:00:00.000'}),
      ['Ada', 'Bruno'],
    ],
    [
      '§1.6 filter form: ISO 8601',
      range('birthday', {lte: '1990-05-06T00:00:00.000+00:00'}),
      ['Ada', 'Bruno'],
    ],
  ] satisfies Line[],
  keeps,
)

row('§6.3 range: a number, and a numeric string', async shop => {
  const numbers = await autoIncrements(shop)
  const [first, second] = [numbers.Ada, numbers.Bruno]
  expect(await keptBy(shop, range('autoIncrement', {gte: first, lte: second}))).toEqual(['Ada', 'Bruno'])
  expect(await keptBy(shop, range('autoIncrement', {gte: String(first), lt: String(second)}))).toEqual([
    'Ada',
  ])
})

async function autoIncrements(shop: Target): Promise<Record<string, number>> {
  const {within} = await castOf(shop)
  const {data} = (await shop.search('customer', {filter: [within]})).json()
  return Object.fromEntries(data.map((one: Values) => [one.firstName, one.autoIncrement]))
}

const bruno = filter('equals', 'firstName', 'Bruno')
const inactive = filter('equals', 'active', false)
const mullers = filter('equals', 'lastName', 'müller')
const doctors = filter('equals', 'title', 'Dr.')

row.each<[Values, readonly Name[]]>(
  [
    ['§6.3 not: AND is the default operator', group('not', [mullers, inactive]), allBut('Bruno')],
    ['§6.3 not: AND', group('not', [mullers, inactive], 'AND'), allBut('Bruno')],
    ['§6.3 not: OR', group('not', [mullers, inactive], 'OR'), allBut('Bruno', 'Cleo')],
    ['§6.3 not: or, in any case', group('not', [mullers, inactive], 'oR'), allBut('Bruno', 'Cleo')],
    ['§6.3 not: XOR', group('not', [mullers, inactive], 'XOR'), allBut('Cleo')],
    ['§6.3 not: xor, in any case', group('not', [mullers, inactive], 'xor'), allBut('Cleo')],
    ['§6.3 nand', group('nand', [mullers, inactive]), allBut('Bruno')],
    ['§6.3 nor', group('nor', [mullers, inactive]), allBut('Bruno', 'Cleo')],
    ['§6.3 and', group('and', [mullers, inactive]), ['Bruno']],
    ['§6.3 or', group('or', [doctors, inactive]), ['Bruno', 'Gus', 'Hana']],
    ['§6.3 multi: or', group('multi', [doctors, bruno], 'or'), ['Bruno', 'Gus', 'Hana']],
    ['§6.3 multi: OR, in any case', group('multi', [doctors, bruno], 'OR'), ['Bruno', 'Gus', 'Hana']],
    ['§6.3 multi: else AND', group('multi', [mullers, bruno]), ['Bruno']],
    ['§6.3 multi: xor cannot be expressed', group('multi', [mullers, bruno], 'xor'), ['Bruno']],
    [
      '§6.3 groups stand in groups',
      group('and', [group('or', [mullers, doctors]), group('not', [bruno])]),
      ['Cleo', 'Gus', 'Hana'],
    ],
    ['§6.3 empty group: not', group('not', []), NAMES],
    ['§6.3 empty group: not without queries', {type: 'not'}, NAMES],
    ['§6.3 empty group: and', group('and', []), NAMES],
    ['§6.3 empty group: or', group('or', []), NAMES],
    ['§6.3 empty group: beside a filter in an or', group('or', [group('and', []), bruno]), ['Bruno']],
    [
      '§6.3 nulls under negation: not equals brings them',
      group('not', [filter('equals', 'company', 'Acme')]),
      allBut('Bruno', 'Cleo'),
    ],
    [
      '§6.3 nulls under negation: nand equals',
      group('nand', [filter('equals', 'title', 'Dr.')]),
      allBut('Gus', 'Hana'),
    ],
    [
      '§6.3 nulls under negation: nor equals',
      group('nor', [filter('equals', 'title', 'Dr.')]),
      allBut('Gus', 'Hana'),
    ],
    [
      '§6.3 nulls under negation: deeper inside',
      group('not', [group('and', [filter('equals', 'title', 'Dr.')])]),
      allBut('Gus', 'Hana'),
    ],
    [
      '§6.3 nulls under negation: not equalsAny drops them',
      group('not', [filter('equalsAny', 'title', ['Dr.'])]),
      ['Ivo'],
    ],
    [
      '§6.3 nulls under negation: not contains drops them',
      group('not', [filter('contains', 'title', 'Dr')]),
      ['Ivo'],
    ],
    [
      '§6.3 nulls under negation: not range drops them',
      group('not', [range('birthday', {lt: '1900-01-01'})]),
      ['Bruno', 'Dora'],
    ],
    [
      '§6.3 nulls under negation: not equals null',
      group('not', [filter('equals', 'title', null)]),
      ['Gus', 'Hana', 'Ivo'],
    ],
  ] satisfies Line[],
  keeps,
)

row.each<[Values, readonly Name[]]>(
  [
    ['§6.3 case: equals', filter('equals', 'lastName', 'bYRON'), ['Ada']],
    ['§6.3 accents: equals', filter('equals', 'lastName', 'Muller'), ['Bruno', 'Cleo']],
    ['§6.3 accents: equals, the other way round', filter('equals', 'lastName', 'mullér'), ['Bruno', 'Cleo']],
    ['§6.3 accents: equalsAny', filter('equalsAny', 'lastName', ['MÜLLER']), ['Bruno', 'Cleo']],
    ['§6.3 accents: contains', filter('contains', 'lastName', 'ULL'), ['Bruno', 'Cleo']],
    ['§6.3 accents: prefix', filter('prefix', 'lastName', 'mü'), ['Bruno', 'Cleo']],
    ['§6.3 accents: suffix', filter('suffix', 'lastName', 'LLÉR'), ['Bruno', 'Cleo']],
    [
      '§6.3 accents: through an association',
      filter('equals', 'defaultBillingAddress.city', 'KOLN'),
      ['Cleo'],
    ],
    ['§6.3 accents: in a custom field', filter('equals', 'customFields.color', 'GRUN'), ['Ada']],
    ['§6.3 case: letters beyond Latin', filter('equals', 'lastName', '佐藤'), ['Hana']],
    ['§6.3 trailing spaces: of what is stored', filter('equals', 'company', 'ACME'), ['Bruno', 'Cleo']],
    ['§6.3 trailing spaces: of what is asked', filter('equals', 'company', 'Acme  '), ['Bruno', 'Cleo']],
    ['§6.3 trailing spaces: equalsAny', filter('equalsAny', 'company', ['acme   ']), ['Bruno', 'Cleo']],
  ] satisfies Line[],
  keeps,
)

row('§6.3 equals: tags, by name and by id', async shop => {
  const {tags} = await castOf(shop)
  expect(await keptBy(shop, filter('equals', 'tags.name', `rot ${shop.run}`))).toEqual(['Ada', 'Bruno'])
  expect(await keptBy(shop, filter('equals', 'tags.id', tags.blue.id))).toEqual(['Ada'])
  expect(await keptBy(shop, filter('equals', 'tagIds', tags.blue.id))).toEqual(['Ada'])
})

row('§6.3 equalsAll: tags, each value by one of them', async shop => {
  const {tags} = await castOf(shop)
  expect(await keptBy(shop, filter('equalsAll', 'tags.id', [tags.red.id, tags.blue.id]))).toEqual(['Ada'])
  expect(await keptBy(shop, filter('equalsAll', 'tags.id', `${tags.red.id}|${tags.blue.id}`))).toEqual([
    'Ada',
  ])
})

row('§6.3 nulls under negation: not equals over a to-many', async shop => {
  const {tags} = await castOf(shop)
  const without = group('not', [filter('equals', 'tags.id', tags.blue.id)])
  expect(await keptBy(shop, without)).toEqual(allBut('Ada'))
})

row('§1.6 id: filter values accept upper-case hex', async shop => {
  const {people} = await castOf(shop)
  expect(await keptBy(shop, filter('equals', 'id', people.Emil.id.toUpperCase()))).toEqual(['Emil'])
  const some = [people.Emil.id, people.Ada.id.toUpperCase()]
  expect(await keptBy(shop, filter('equalsAny', 'id', some))).toEqual(['Ada', 'Emil'])
})

/** `since` and `until` look at `lastLogin`: Ada yesterday, Bruno ten days ago, Cleo a hundred, Dora and Emil in three. */
const relative = (type: string, operator: string, value: string) => ({
  type,
  field: 'lastLogin',
  value,
  parameters: {operator},
})

row.each<[Values, readonly Name[]]>(
  [
    ['§6.3 since: lt, less time has passed', relative('since', 'lt', 'P7D'), ['Ada']],
    ['§6.3 since: lte', relative('since', 'lte', 'P9D'), ['Ada']],
    ['§6.3 since: gt, more time has passed', relative('since', 'gt', 'P7D'), ['Bruno', 'Cleo']],
    ['§6.3 since: gte', relative('since', 'gte', 'P9D'), ['Bruno', 'Cleo']],
    ['§6.3 since: eq is the whole day', relative('since', 'eq', 'P10D'), ['Bruno']],
    ['§6.3 since: neq', relative('since', 'neq', 'P10D'), ['Ada', 'Cleo']],
    ['§6.3 since: nothing that is to come', relative('since', 'lt', 'P1000Y'), ['Ada', 'Bruno', 'Cleo']],
    ['§6.3 since: weeks', relative('since', 'gt', 'P2W'), ['Cleo']],
    ['§6.3 until: lt, less time is left', relative('until', 'lt', 'P7D'), ['Dora', 'Emil']],
    ['§6.3 until: lte', relative('until', 'lte', 'P2D'), []],
    ['§6.3 until: gt, more time is left', relative('until', 'gt', 'P2D'), ['Dora', 'Emil']],
    ['§6.3 until: gte', relative('until', 'gte', 'P3D'), ['Dora', 'Emil']],
    ['§6.3 until: eq is the whole day', relative('until', 'eq', 'P3D'), ['Dora', 'Emil']],
    ['§6.3 until: neq', relative('until', 'neq', 'P3D'), []],
    ['§6.3 until: nothing that has been', relative('until', 'lt', 'P7D'), ['Dora', 'Emil']],
    ['§6.3 until: a duration of hours', relative('until', 'gt', 'PT1H'), ['Dora', 'Emil']],
  ] satisfies Line[],
  keeps,
)

row('§6.3 since and until: compared with the date part alone', async shop => {
  // Noon ten days ago: at the threshold's own date it lies behind midnight, whatever the time of day.
  expect(noon(shop, -10)).toMatch(/T12:00:00\.000\+00:00$/)
  expect(await keptBy(shop, relative('since', 'lt', 'P10D'))).toEqual(['Ada', 'Bruno'])
  expect(await keptBy(shop, relative('since', 'gte', 'P10D'))).toEqual(['Cleo'])
})

row('§6.2 filter: a map is an AND of equals', async shop => {
  const found = async (filter: object) => {
    const {data} = (await shop.search('customer', {filter, sort: 'firstName'})).json()
    return data.map((one: {firstName: string}) => one.firstName)
  }
  const {within} = await castOf(shop)
  const campaignCode = within.value
  expect(await found({campaignCode, lastName: 'muller'})).toEqual(['Bruno', 'Cleo'])
  expect(await found({campaignCode, lastName: 'muller', active: false})).toEqual(['Bruno'])
  expect(await found({'customer.campaignCode': campaignCode, 'addresses.city': 'koln'})).toEqual([
    'Ada',
    'Cleo',
  ])
})

row('§6.2 filter: keys 0 to n-1 are a list, whatever holds them', async shop => {
  const {within} = await castOf(shop)
  const reply = await shop.search('customer', {filter: {0: within, 1: bruno}})
  expect([reply.status, reply.json().data?.length]).toEqual([200, 1])
})

row('§6.2 filter: [] is no filter', async shop => {
  const {people} = await castOf(shop)
  const {total} = (await shop.search('customer', {ids: [people.Ada.id], filter: []})).json()
  expect(total).toBe(1)
})

row('§6.2 filter: all that stand in the list must hold', async shop => {
  expect(await keptBy(shop, mullers, inactive)).toEqual(['Bruno'])
})

row('§6.2 post-filter: narrows the rows as a filter does', async shop => {
  expect(await namesOf(shop, {'post-filter': [mullers]})).toEqual(['Bruno', 'Cleo'])
  expect(await namesOf(shop, {'post-filter': {lastName: 'muller', active: false}})).toEqual(['Bruno'])
  expect(await namesOf(shop, {'post-filter': []})).toEqual(NAMES)
  expect(await namesOf(shop, {'post-filter': [mullers], filter: [inactive]})).toEqual(['Bruno'])
})
