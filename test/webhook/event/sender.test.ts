import {expect, test} from 'vitest'
import {judgeBody} from '../../../src/records/inbox/competing-bodies.js'
import {buildEventRow} from '../../../src/records/inbox/event-rows.js'
import type {ArrivedEvent, WebhookEvent} from '../../../src/webhook/event/event.js'
import {KnownTokens, type StoredToken} from '../../../src/webhook/event/known-tokens.js'
import {readEvent} from '../../../src/webhook/event/read-event.js'
import {
  classifyArrival,
  compareSenders,
  findSender,
  isTrusted,
  SENDERS,
} from '../../../src/webhook/event/sender.js'
import {digestToken, findShownToken, isMasked, readQuery} from '../../../src/webhook/event/webhook-token.js'

test.each([
  ['token', 'forged', 'forged'],
  ['token', 'verified', 'verified'],
  ['token', 'not-checked', 'token'],
  ['wrong-token', 'verified', 'verified'],
  ['wrong-token', 'not-checked', 'wrong-token'],
  ['not-needed', 'not-checked', 'not-needed'],
  ['unverified', 'verified', 'verified'],
  ['unverified', 'forged', 'forged'],
  ['unverified', 'not-checked', 'unverified'],
] as const)('what came with %s and is %s has the sender %s', (arrivedWith, verification, sender) => {
  expect(findSender({arrivedWith, verification})).toBe(sender)
})

test.each([
  [{isNeeded: false, isOwn: undefined, isRefused: false}, 'not-needed'],
  [{isNeeded: true, isOwn: true, isRefused: false}, 'token'],
  [{isNeeded: true, isOwn: true, isRefused: true}, 'token'],
  [{isNeeded: true, isOwn: false, isRefused: false}, 'wrong-token'],
  [{isNeeded: true, isOwn: undefined, isRefused: true}, 'wrong-token'],
  [{isNeeded: true, isOwn: undefined, isRefused: false}, 'unverified'],
] as const)('a call with %j came with %s', (shown, arrived) => {
  expect(classifyArrival(shown)).toBe(arrived)
})

test('of two senders one is the stronger, or neither', () => {
  const order = [...SENDERS].sort((one, other) => compareSenders(other, one))
  expect(order[0]).toBe('verified')
  expect(order.at(-1)).toBe('forged')
  expect(compareSenders('token', 'not-needed')).toBe(0)
  expect(compareSenders('unverified', 'wrong-token')).toBe(0)
  expect(SENDERS.filter(isTrusted)).toEqual(['verified', 'token', 'not-needed'])
})

const AT = new Date('2026-11-20T12:00:00Z')
const later = (hours: number) => new Date(AT.getTime() + hours * 3_600_000)
const stored = (token: string, more: Partial<StoredToken> = {}): StoredToken => ({
  ...{digest: digestToken(token).toString('hex'), kind: 'own', from: AT},
  ...{to: undefined, leakedSince: undefined, ...more},
})

test('an earlier token counts for what was received until three days after the new one was seen', () => {
  const tokens = new KnownTokens([stored('old', {to: AT}), stored('new')])
  const isOwn = (token: string, at: Date) => tokens.isOwn(digestToken(token), at)
  expect([isOwn('old', later(-1000)), isOwn('old', later(71)), isOwn('old', later(72))]).toEqual([
    ...[true, true, false],
  ])
  expect([isOwn('NEW!', later(1000)), isOwn('other', AT)]).toEqual([true, false])
})

test('a token that leaked counts for nothing that was received since', () => {
  const tokens = new KnownTokens([stored('old', {to: AT, leakedSince: later(-2)})])
  const isOwn = (at: Date) => tokens.isOwn(digestToken('old'), at)
  expect([isOwn(later(-3)), isOwn(later(-2)), isOwn(AT)]).toEqual([true, false, false])
})

const LOCATION = {in: 'query', name: 'sw-token'} as const

test.each([
  ['https://shop.example/x?sw-token=a&sw-token=b#sw-token=c', 'b'],
  ['/x?sw-token=a&sw-token[]=b', undefined],
  ['/x?sw-token=%61%2B', 'a+'],
  ['/x?other=1', undefined],
  ['/x?sw-token=***', undefined],
  ['/x', undefined],
])('the last token in the query of %s counts', (address, token) => {
  expect(findShownToken({query: readQuery(address), headers: []}, LOCATION)).toBe(token)
})

test.each(['xxxxxxxx', 'XXXX', '[REDACTED]', 'masked', '00000000'])('%s is no token but a mask', token => {
  expect(isMasked(token)).toBe(true)
})

test('a token in other letters, or with other signs, is the same', () => {
  const token = 'Ab12'.repeat(8)
  expect(digestToken(`-${token.toLowerCase()}_`)).toEqual(digestToken(token))
  expect(digestToken(`${token}x`)).not.toEqual(digestToken(token))
})

test('a token that only looks like a mask is one', () => {
  expect(isMasked('Ab12'.repeat(8))).toBe(false)
})

const bodyOf = (value: object) => Buffer.from(JSON.stringify({id: 'WH-1', event_type: 'X', ...value}))
const eventOf = (value: object, more: Partial<ArrivedEvent> = {}): ArrivedEvent => ({
  ...(readEvent(bodyOf(value), 'file', AT) as WebhookEvent),
  ...more,
})
const LISTED = {verification: 'verified', verification_reason: 'listed'} as const
const SIGNED = {verification: 'verified', verification_reason: null} as const
const FORGED = {verification: 'forged', verification_reason: 'not-signed'} as const

test.each([
  ['token', {}, 'wrong-token', {}, 'beside'],
  ['wrong-token', {}, 'token', {}, 'replace'],
  ['wrong-token', {}, 'unverified', {}, 'conflict'],
  ['token', {}, 'token', {}, 'conflict'],
  ['token', LISTED, 'token', {}, 'beside'],
  ['unverified', FORGED, 'unverified', {}, 'replace'],
  ['token', {}, 'unverified', {isListed: true}, 'replace'],
  ['unverified', SIGNED, 'unverified', {isListed: true}, 'ignore'],
  ['unverified', LISTED, 'unverified', {isListed: true}, 'replace'],
] as const)(
  'beside one that came with %s %j, another body that came with %s %j is %s',
  (there, check, came, more, verdict) => {
    const first = eventOf({amount: 1}, {arrivedWith: there})
    const head = {...buildEventRow('shop', first), ...check}
    expect(judgeBody(eventOf({amount: 2}, {arrivedWith: came, ...more}), head, first.body)).toBe(verdict)
    expect(judgeBody({...first, arrivedWith: came}, head, first.body)).toBe('same')
  },
)

test('members that only the list has, links, order and a newer update make no other body', () => {
  const delivered = eventOf({
    resource: {id: 'A', update_time: '2026-11-20T08:00:00Z'},
    links: [{rel: 'self'}],
  })
  const head = buildEventRow('shop', {...delivered, arrivedWith: 'token'})
  const listed = (value: object) =>
    eventOf({...value, status: 'SUCCESS', transmissions: [{webhook_url: 'secret'}]}, {isListed: true})
  const judge = (event: ArrivedEvent) => judgeBody(event, head, delivered.body)
  expect(judge(listed({resource: {update_time: '2026-11-20T08:00:00Z', id: 'A'}, links: []}))).toBe('same')
  expect(judge(listed({resource: {id: 'A', update_time: '2026-11-20T08:05:00Z'}}))).toBe('same')
  expect(judge(listed({resource: {id: 'A', update_time: '2026-11-20T07:00:00Z'}}))).toBe('replace')
  expect(judge(listed({resource: {id: 'B', update_time: '2026-11-20T08:05:00Z'}}))).toBe('replace')
  expect(Buffer.from(listed({}).body).toString()).not.toContain('secret')
})

test('what is signed stays byte for byte', () => {
  const body = bodyOf({status: 'SUCCESS'})
  const event = readEvent(body, 'file', AT, [['Paypal-Transmission-Sig', 's']]) as WebhookEvent
  expect(Buffer.from(event.body)).toEqual(body)
})

test.each([
  ['sw-token=one', 'one'],
  ['sw-token=one&sw-token=two', 'two'],
  ['sw-token', undefined],
  ['sw-token=one&sw-token', undefined],
  ['sw-token[]=one', undefined],
  ['sw-token=a%2Bb+c', 'a+b c'],
])('the query %s shows the token %s', (query, token) => {
  expect(findShownToken({query, headers: []}, {in: 'query', name: 'sw-token'})).toBe(token)
})
