import {describe, expect} from 'vitest'
import {expectErrors, shopEntry} from './envelopes.js'
import {bearer} from './grants.js'
import {payment, stateOf} from './payments.js'
import {conformance} from './rows.js'
import type {Target} from './target.js'

const row = conformance()

/** One search as a program that holds these privileges; programs are made once. */
async function search(shop: Target, held: string[], criteria: object, path = '/api/search/customer') {
  const token = await (await shop.make.program(held)).token()
  return shop.post(path, criteria, bearer(token))
}
/** The JSON inside of the JSON. */
const lacks = (missingPrivileges: object) =>
  shopEntry(
    403,
    'FRAMEWORK__MISSING_PRIVILEGE_ERROR',
    JSON.stringify({message: 'Missing privilege', missingPrivileges}),
  )

describe('real-shop.md R3: what moves a state', () => {
  row('the routes of transitions ask for no privilege', async shop => {
    const one = await payment(shop)
    const token = await (await shop.make.program(['customer:read'])).token()
    const path = `/api/_action/order_transaction/${one.id}/state/paid`
    expect((await shop.post(path, {sendMail: false}, bearer(token))).status).toBe(200)
    expect(await stateOf(shop, one.id)).toBe('paid')
  })
  row('the generic route asks for the update', async shop => {
    const one = await payment(shop)
    const token = await (await shop.make.program(['customer:read'])).token()
    const path = `/api/_action/state-machine/order_transaction/${one.id}/state/paid`
    expectErrors(
      await shop.post(path, {sendMail: false}, bearer(token)),
      403,
      lacks(['order_transaction:update']),
    )
    expect(await stateOf(shop, one.id)).toBe('open')
  })
})

describe('§3.3 rights', () => {
  const statuses = async (shop: Target, token: string) => {
    const status = async (entity: string) => (await shop.search(entity, {limit: 1}, bearer(token))).status
    return [await status('tag'), await status('salutation'), await status('customer')]
  }
  const roles = (shop: Target) =>
    shop.make.rows('acl_role', [
      {name: `tags ${shop.run}`, privileges: ['tag:read']},
      {name: `salutations ${shop.run}`, privileges: ['salutation:read']},
    ])
  const only = (rows: {id: string}[]) => ({aclRoles: rows.map(({id}) => ({id}))})

  row('a user: the union of the roles', async shop => {
    const person = await shop.make.person([], only(await roles(shop)))
    expect(await statuses(shop, await person.token())).toEqual([200, 200, 403])
  })
  row('a user without roles: nothing', async shop => {
    const person = await shop.make.person([])
    expect(await statuses(shop, await person.token())).toEqual([403, 403, 403])
  })
  row('a user who is an administrator: everything', async shop => {
    const person = await shop.make.person([], {admin: true})
    expect(await statuses(shop, await person.token())).toEqual([200, 200, 200])
  })
  row('an integration: the union of the roles', async shop => {
    const program = await shop.make.program([], only(await roles(shop)))
    expect(await statuses(shop, await program.token())).toEqual([200, 200, 403])
  })
  row('an integration that is an administrator: everything', async shop => {
    const program = await shop.make.program([], {admin: true})
    expect(await statuses(shop, await program.token())).toEqual([200, 200, 200])
  })
  // Integrations of apps have their app's role alone; apps are no part of the four operations.

  row.needs('webhook token')('the webhook: no checks', async shop => {
    const reply = await shop.call({
      path: `/api/_action/${shop.provider}/webhook/execute?${shop.tokenPrefix}-token=${shop.webhookToken}`,
      headers: {'Content-Type': 'application/json'},
      body: {id: `WH-${shop.run}`, event_type: 'CHECKOUT.ORDER.APPROVED'},
    })
    expect([reply.status, reply.text]).toEqual([200, ''])
  })
})

describe('§3.4 the refusal', () => {
  row('to the byte: JSON inside of JSON (trap 27)', async shop => {
    const reply = await search(shop, [], {})
    expect([reply.status, reply.text]).toEqual([
      403,
      String.raw`{"errors":[{"status":"403","code":"FRAMEWORK__MISSING_PRIVILEGE_ERROR","title":"Forbidden","detail":"{\u0022message\u0022:\u0022Missing privilege\u0022,\u0022missingPrivileges\u0022:[\u0022customer:read\u0022]}","meta":{"parameters":[]}}]}`,
    ])
  })

  row('gaps make an object, to the byte', async shop => {
    const filter = [{type: 'equals', field: 'addresses.city', value: 'London'}]
    const reply = await search(shop, [], {associations: {addresses: {}}, filter})
    expect([reply.status, reply.json().errors[0].detail]).toEqual([
      403,
      '{"message":"Missing privilege","missingPrivileges":{"0":"customer:read","2":"customer_address:read"}}',
    ])
  })

  row('what the path names is asked for twice, which leaves a gap', async shop => {
    const filter = [
      {type: 'equals', field: 'addresses.city', value: 'London'},
      {type: 'equals', field: 'addresses.zipcode', value: 'SW1Y'},
    ]
    const [error] = (await search(shop, [], {filter})).json().errors
    const {missingPrivileges} = JSON.parse(error.detail)
    expect(missingPrivileges).toEqual({0: 'customer:read', 2: 'customer_address:read'})
  })
})

const byPath = (field: string) => ({type: 'equals', field, value: 'x'})
const CITY = 'defaultBillingAddress.city'
const ADDRESS = ['customer_address:read']

type Needs = [criteria: object, missing: string[]]

describe('§3.4 what a search needs, of one who may read customers', () => {
  row.each<Needs>(
    [
      ['an association', {associations: {addresses: {}}}, ADDRESS],
      [
        'associations, recursively',
        {associations: {addresses: {associations: {country: {}}}}},
        ['customer_address:read', 'country:read'],
      ],
      ['two associations', {associations: {tags: {}, group: {}}}, ['tag:read', 'customer_group:read']],
      [
        'a path inside of an association',
        {associations: {addresses: {filter: [byPath('country.iso')]}}},
        ['customer_address:read', 'country:read'],
      ],
      ['a path in filter', {filter: [byPath(CITY)]}, ADDRESS],
      [
        'a path in a nested filter',
        {filter: [{type: 'not', operator: 'and', queries: [byPath(CITY)]}]},
        ADDRESS,
      ],
      ['a path in post-filter', {'post-filter': [byPath(CITY)]}, ADDRESS],
      ['a path in sort', {sort: [{field: CITY}]}, ADDRESS],
      ['a path in sort as text', {sort: CITY}, ADDRESS],
      ['a path in query', {query: [{score: 1, query: byPath(CITY)}]}, ADDRESS],
      ['a path in aggregations', {aggregations: [{name: 'a', type: 'terms', field: CITY}]}, ADDRESS],
      [
        'a path in an aggregation’s filter',
        {
          aggregations: [
            {
              name: 'a',
              type: 'filter',
              filter: [byPath(CITY)],
              aggregation: {name: 'b', type: 'count', field: 'id'},
            },
          ],
        },
        ADDRESS,
      ],
      ['a path in grouping', {grouping: [CITY]}, ADDRESS],
      [
        'a path across two associations',
        {filter: [byPath('defaultBillingAddress.country.iso')]},
        ['customer_address:read', 'country:read'],
      ],
      ['a path with the entity’s own name before it', {filter: [byPath(`customer.${CITY}`)]}, ADDRESS],
      [
        'what is asked for twice, once',
        {associations: {addresses: {}, defaultBillingAddress: {}, tags: {}}},
        ['customer_address:read', 'tag:read'],
      ],
      [
        'aggregations before groups',
        {aggregations: [{name: 'a', type: 'terms', field: CITY}], grouping: ['group.name']},
        ['customer_address:read', 'customer_group:read'],
      ],
    ],
    async (shop, criteria, missing) =>
      expectErrors(await search(shop, ['customer:read'], criteria), 403, lacks(missing)),
  )
})

// The entity is asked for twice, by path and by criteria; the second leaves a gap, which makes an object of the list.
describe('§3.4 the order', () => {
  row('the entity, then associations, then paths', async shop => {
    const criteria = {filter: [byPath(CITY)], associations: {tags: {}, group: {}}}
    const missing = {0: 'customer:read', 2: 'tag:read', 3: 'customer_group:read', 4: 'customer_address:read'}
    expectErrors(await search(shop, [], criteria), 403, lacks(missing))
  })
  row('what is held is left out', async shop => {
    const criteria = {filter: [byPath(CITY)], associations: {tags: {}, group: {}}}
    const reply = await search(shop, ['tag:read', 'customer:read'], criteria)
    expectErrors(reply, 403, lacks(['customer_group:read', 'customer_address:read']))
  })
  row('with all of it, the search is answered', async shop => {
    const held = ['customer:read', 'tag:read', 'customer_group:read', 'customer_address:read']
    const criteria = {limit: 1, filter: [byPath(CITY)], associations: {tags: {}, group: {}}}
    expect((await search(shop, held, criteria)).status).toBe(200)
  })
  row('fields over an association need nothing more', async shop => {
    const reply = await search(shop, ['customer:read'], {limit: 1, fields: ['defaultBillingAddress.city']})
    expect(reply.status).toBe(200)
  })
  row('an entity aggregation needs the privilege of its path alone', async shop => {
    const {customerGroupId} = await shop.make.ids()
    const {id} = await shop.make.customer()
    const aggregations = [{name: 'a', type: 'entity', field: 'groupId', definition: 'customer_group'}]
    const reply = await search(shop, ['customer:read'], {ids: [id], aggregations})
    const {entities} = reply.json().aggregations.a
    expect([reply.status, entities.map((one: {id: string}) => one.id)]).toEqual([200, [customerGroupId]])
  })
  row('a listing of an association needs what it leads to', async shop => {
    const path = `/api/search/customer/${shop.newId()}/addresses`
    const reply = await search(shop, ['customer:read'], {}, path)
    expectErrors(reply, 403, lacks(['customer_address:read']))
  })
  row('who may not is refused also after others searched in the same way', async shop => {
    const criteria = {filter: [{type: 'equals', field: 'email', value: `nobody@${shop.run}.test`}]}
    expect((await shop.search('customer', criteria)).status).toBe(200)
    expect((await search(shop, ['order:read'], criteria)).status).toBe(403)
  })
  row('a search of ids needs the same', async shop => {
    const reply = await search(shop, [], {filter: [byPath(CITY)]}, '/api/search-ids/customer')
    expectErrors(reply, 403, lacks({0: 'customer:read', 2: 'customer_address:read'}))
  })
})
