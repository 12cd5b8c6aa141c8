import fc from 'fast-check'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {hashOfSecret} from '../../../src/shop/oauth/secrets.js'
import {replaceIntegration} from '../../../src/shop/store/accounts.js'
import {addTo, idOf, person} from '../people.js'
import {runShop, type TestShop} from '../running-shop.js'

let shop: TestShop
let administrator: string

beforeAll(async () => {
  shop = await runShop()
  administrator = await shop.signIn()
  await addTo(
    shop,
    'customer',
    [1, 2, 3, 4].map(number => person(number, {lastName: number % 2 ? 'Ö dd' : 'even'})),
  )
})
afterAll(() => shop.stop())

const search = async (criteria: object, token = administrator, entity = 'customer') => {
  const answer = await shop.post(`/api/search/${entity}`, criteria, {authorization: `Bearer ${token}`})
  return {status: answer.status, body: await answer.text()}
}

const VALUES = fc.oneof(
  fc.constantFrom('person1@example.test', 'PERSON2@example.test', 'öDD', 'ödd', 'even', '0', '', 'a|b', ' '),
  fc.constantFrom(idOf(1), idOf(2).toUpperCase(), idOf(9), 'z'.repeat(32), null, 1, true),
)
const FILTERS = fc.oneof(
  {weight: 3, arbitrary: fc.record({type: fc.constant('equals'), field: fields(), value: VALUES})},
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('equalsAny'),
      field: fields(),
      value: fc.oneof(VALUES, fc.array(VALUES, {maxLength: 3})),
    }),
  },
  fc.record({type: fc.constant('contains'), field: fields(), value: VALUES}),
)
const CRITERIA = fc.record(
  {
    filter: fc.oneof({weight: 5, arbitrary: fc.array(FILTERS, {maxLength: 2})}, FILTERS),
    limit: fc.constantFrom(1, 2, 500, 0, '3'),
    page: fc.constantFrom(1, 2),
    'total-count-mode': fc.constantFrom(0, 1, 'exact'),
    includes: fc.constantFrom({customer: ['id', 'email']}, {customer: 'id'}, {}),
    sort: fc.constantFrom('lastName', '-email,id', 'nothing'),
    associations: fc.constantFrom({group: {}}, {group: {filter: [{field: 'name'}]}}, {nothing: {}}, {}),
  },
  {requiredKeys: ['filter']},
)

function fields() {
  return fc.constantFrom('id', 'email', 'lastName', 'groupId', 'group.id', 'tags.name', 'active', 'password')
}

test('a search like one before finds what it would find alone', async () => {
  await fc.assert(
    fc.asyncProperty(CRITERIA, async criteria => {
      // The shop passes over members that it does not know, and such searches are read anew each time.
      expect(await search(criteria)).toEqual(await search({...criteria, unknown: 1}))
    }),
    {numRuns: 150},
  )
})

test('a text that is no id is refused also after ids were looked for in the same way', async () => {
  const find = (value: unknown) => search({filter: [{type: 'equals', field: 'id', value}]})
  const statuses = [await find(idOf(1)), await find('x'), await find(idOf(2))].map(({status}) => status)
  expect(statuses).toEqual([200, 400, 200])
})

test('who may not read is refused also after others searched in the same way', async () => {
  const clientId = `SWIA${'B'.repeat(22)}`
  const privileges = '["order:read"]'
  const reader = {access_key: clientId, secret_hash: hashOfSecret('secret'), label: 'reader', privileges}
  await shop.db.writes.run(db => replaceIntegration(db, {id: 'b'.repeat(32), admin: 0, ...reader}))
  const credentials = {client_id: clientId, client_secret: 'secret', scope: 'admin'}
  const answer = await shop.askForToken({grant_type: 'client_credentials', ...credentials})
  const {access_token: token} = (await answer.json()) as {access_token: string}
  const criteria = {filter: [{type: 'equals', field: 'email', value: 'person1@example.test'}]}
  expect((await search(criteria)).status).toBe(200)
  expect((await search(criteria, token)).status).toBe(403)
  expect((await search({filter: [], associations: {orderCustomer: {}}}, token, 'order')).status).toBe(403)
  expect((await search({filter: []}, token, 'order')).status).toBe(200)
})
