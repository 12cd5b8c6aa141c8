import {expect, test} from 'vitest'
import {decodeBody, readBodyMember, readEventHead} from '../../src/providers/event-head.js'
import type {BodyDefinition} from '../../src/providers/provider.js'
import {findProvider} from '../../src/providers/providers.js'

const {body: PAYPAL} = findProvider('paypal')
const {body: MOLLIE} = findProvider('mollie')
const AT = new Date('2026-11-20T12:00:00Z')
const DEEP: BodyDefinition = {
  ...{format: 'json', id: 'notice.number', type: 'notice.kind', createdAt: 'notice.at'},
  transaction: {in: 'route'},
}
const notice = (more: object = {}) => ({
  notice: {number: 'n-1', kind: 'money.in', at: AT.toISOString(), ...more},
})
const event = {id: 'WH-1', event_type: 'X', create_time: '2026-11-20T12:00:00Z'}
const none = {resourceType: null, resourceVersion: null}

test('a body is JSON or a form, in UTF-8', () => {
  const decode = (text: string | Uint8Array, body: BodyDefinition) => decodeBody(Buffer.from(text), body)
  expect(decode('{"id":"tr_1"}', PAYPAL)).toEqual({members: {id: 'tr_1'}})
  expect(decode('id=tr_1&a=b%20c', MOLLIE)).toEqual({members: {id: 'tr_1', a: 'b c'}})
  expect(decode('id=tr_1', PAYPAL)).toEqual({unusable: expect.stringMatching(/^not JSON: ./)})
  for (const text of ['[]', 'null', '7', '"x"'])
    expect(decode(text, PAYPAL)).toEqual({unusable: 'not a JSON object'})
  for (const body of [PAYPAL, MOLLIE])
    expect(decode(new Uint8Array([0x69, 0xff]), body)).toEqual({unusable: 'not UTF-8 text'})
})

test('id, type, time and resource are read from where the provider has them', () => {
  expect(
    readEventHead({...event, resource_type: 'capture', resource_version: '2.0'}, PAYPAL, undefined),
  ).toEqual({
    ...{id: 'WH-1', type: 'X', createdAt: AT, resourceType: 'capture', resourceVersion: '2.0'},
  })
  expect(readEventHead(notice(), DEEP, AT)).toEqual({id: 'n-1', type: 'money.in', createdAt: AT, ...none})
  for (const create_time of [undefined, null])
    expect(readEventHead({...event, create_time}, PAYPAL, AT)).toEqual({
      ...{id: 'WH-1', type: 'X', createdAt: undefined, ...none},
    })
})

test('a type may follow from what the id begins with, and an id that comes again has its time added', () => {
  const read = (id: string, at?: Date) => readEventHead({id}, MOLLIE, at)
  const payment = {type: 'payment.changed', createdAt: undefined, ...none}
  expect(read('tr_1', AT)).toEqual({id: 'tr_1@2026-11-20T12:00:00.000Z', ...payment})
  expect(read('tr_1')).toEqual({id: 'tr_1', ...payment})
  expect(read('ord_tr_')).toMatchObject({id: 'ord_tr_', type: 'order.changed'})
})

test.each([
  [{}, PAYPAL, 'no "id": not an event of the provider'],
  [{...event, id: ''}, PAYPAL, 'no "id": not an event of the provider'],
  [{...event, id: 7}, PAYPAL, 'no "id": not an event of the provider'],
  [{...event, id: 'a b'}, PAYPAL, '"id" is not an event id: not an event of the provider'],
  [{id: 'cst_1'}, MOLLIE, '"id" is not an event id: not an event of the provider'],
  [{...event, event_type: ''}, PAYPAL, 'WH-1 has no "event_type"'],
  [{id: 'sub_1'}, {...MOLLIE, idPattern: /./}, 'sub_1 has no known type'],
  [{...event, create_time: 'soon'}, PAYPAL, 'WH-1 has an invalid time in "create_time"'],
  [{...event, create_time: 7}, PAYPAL, 'WH-1 has an invalid time in "create_time"'],
  [{...event, create_time: ''}, PAYPAL, 'WH-1 has an invalid time in "create_time"'],
  [notice({number: null}), DEEP, 'no "notice.number": not an event of the provider'],
  [{notice: null}, DEEP, 'no "notice.number": not an event of the provider'],
  [{notice: 'n-1'}, DEEP, 'no "notice.number": not an event of the provider'],
])('%j is no event, and says why', (members, definition, unusable) => {
  expect(readEventHead(members, definition as BodyDefinition, AT)).toEqual({unusable})
})

test('a member of a body is a text or a number, at the top or below', () => {
  const members = {text: 'a', number: 0, empty: '', list: ['a'], deep: {text: 'b', 'x.y': 'c'}, null: null}
  expect(
    ['text', 'number', 'empty', 'list', 'deep', 'deep.text', 'deep.none', 'null.text', 'text.length'].map(
      path => readBodyMember(members, path),
    ),
  ).toEqual(['a', '0', undefined, undefined, undefined, 'b', undefined, undefined, undefined])
})
