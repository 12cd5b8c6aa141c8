import {describe, expect} from 'vitest'
import type {Values} from '../arrange.js'
import {bearer} from '../grants.js'
import {conformance} from '../rows.js'
import type {Target} from '../target.js'
import {byVersion} from '../versions.js'
import {complaintsOf, find, told} from './told.js'

const row = conformance()

const sync = (shop: Target, operations: unknown, headers?: Record<string, string>) =>
  shop.post('/api/_action/sync', operations, headers)

describe('§3.4 a sync', () => {
  row('does several writes in their order, and says what it did', async shop => {
    const [one, two] = [await shop.make.customerToSend(), await shop.make.customerToSend()]
    const nobody = shop.newId()
    const reply = await sync(shop, {
      people: {entity: 'customer', action: 'upsert', payload: [one, two]},
      again: {entity: 'customer', action: 'upsert', payload: [{id: one.id, lastName: 'King'}]},
      gone: {entity: 'customer', action: 'delete', payload: [{id: two.id}, {id: nobody}]},
    })
    shop.make.remember('customer', one.id)
    const {data, ...others} = reply.json()
    expect([reply.status, others]).toEqual([
      200,
      {extensions: [], notFound: {customer: [nobody]}, deleted: {customer: [two.id]}},
    ])
    expect(data.customer).toEqual([one.id, two.id, one.id])
    expect(await find(shop, 'customer', one.id)).toMatchObject({lastName: 'King'})
    expect(await find(shop, 'customer', two.id)).toBeUndefined()
  })

  row.each<[operations: object]>(
    [
      ['that does nothing has lists where there is nothing', []],
      ['that is an object of nothing too', {}],
    ],
    async (shop, operations) => {
      const {status, text} = await sync(shop, operations)
      expect([status, text]).toEqual([200, '{"extensions":[],"data":[],"notFound":[],"deleted":[]}'])
    },
  )

  row('is done as a whole or not at all, and points by its keys', async shop => {
    const customer = await shop.make.customerToSend()
    const reply = await sync(shop, {
      a: {entity: 'customer', action: 'upsert', payload: [customer]},
      b: {entity: 'tag', action: 'upsert', payload: [{id: shop.newId()}]},
    })
    expect(told(reply)).toEqual([400, ['/b/0/name', 'This value should not be blank.']])
    expect(await find(shop, 'customer', customer.id)).toBeUndefined()
  })

  row('deletes nothing that is not there, and then asks for no privilege', async shop => {
    const headers = bearer(await (await shop.make.program([])).token())
    const id = shop.newId()
    const reply = await sync(shop, [{entity: 'tag', action: 'delete', payload: [{id}]}], headers)
    expect([reply.status, reply.json()]).toMatchObject([200, {notFound: {tag: [id]}, deleted: []}])
  })
})

const INVALID = 'FRAMEWORK__INVALID_SYNC_OPERATION'
const payload = [{name: 'x'}]

describe('§3.4 operations of a sync that are none', () => {
  row.each<[operation: unknown, status: number, code: string]>(
    [
      ['an unknown action', {entity: 'tag', action: 'replace', payload}, 400, INVALID],
      ['no payload', {entity: 'tag', action: 'upsert'}, 400, INVALID],
      ['an empty payload', {entity: 'tag', action: 'upsert', payload: []}, 400, INVALID],
      ['a payload that is an object', {entity: 'tag', action: 'upsert', payload: {a: {name: 'x'}}}, 400, '0'],
      ['no entity', {action: 'upsert', payload}, ...byVersion([400, INVALID], {'6.5': [500, '0']})],
      ['no action', {entity: 'tag', payload}, ...byVersion([400, INVALID], {'6.5': [500, '0']})],
      ['a text', 'x', byVersion(400, {'6.5': 500}), '0'],
      [
        'an unknown entity',
        {entity: 'foo', action: 'upsert', payload},
        500,
        'FRAMEWORK__DEFINITION_NOT_FOUND',
      ],
      [
        'an unknown entity without anything',
        {entity: 'foo', action: 'upsert', payload: []},
        ...byVersion([400, INVALID], {'6.5': [500, 'FRAMEWORK__DEFINITION_NOT_FOUND']}),
      ],
      ['a delete of texts', {entity: 'tag', action: 'delete', payload: ['x']}, 400, '0'],
      ['a delete without ids', {entity: 'tag', action: 'delete', payload: [{}]}, 400, '0'],
      [
        'a delete of what is no id',
        {entity: 'tag', action: 'delete', payload: [{id: 'x'}]},
        400,
        'FRAMEWORK__WRITE_CONSTRAINT_VIOLATION',
      ],
    ].map(([title, operation, status, code]) => [
      title as string,
      operation,
      status as number,
      code as string,
    ]),
    async (shop, operation, status, code) => {
      const reply = await sync(shop, [operation])
      expect([reply.status, complaintsOf(reply)[0]?.code]).toEqual([status, code])
    },
  )

  row('a delete by criteria, of which 6.7 alone thinks something else', async shop => {
    const criteria = [{type: 'equals', field: 'name', value: `no such tag ${shop.run}`}]
    const reply = await sync(shop, [{entity: 'tag', action: 'delete', criteria}])
    const told: Values = {status: reply.status, code: complaintsOf(reply)[0]?.code}
    expect(told).toEqual(
      byVersion<Values>(
        {status: 400, code: 'API_INVALID_SYNC_CRITERIA_EXCEPTION'},
        {'6.7': {status: 200, code: undefined}},
      ),
    )
  })
})
