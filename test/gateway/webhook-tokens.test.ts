import {expect, test} from 'vitest'
import {WebhookTokens} from '../../src/gateway/webhook-tokens.js'
import {KnownTokens} from '../../src/webhook/event/known-tokens.js'
import {digestToken} from '../../src/webhook/event/webhook-token.js'
import {StoppedClock} from '../support/clock.js'
import {TOKEN} from './support.js'

const NOW = new StoppedClock().now()
const OLD = 'Zy98'.repeat(8)
const PARAMETER = {in: 'query', name: 'sw-token'} as const
const HEADER = {in: 'header', name: 'X-Token'} as const

test('the token of the profile, and the one that it replaced, go on as the token of the profile', () => {
  const tokens = new WebhookTokens(TOKEN, PARAMETER, {old: OLD})
  for (const shown of [TOKEN, OLD])
    expect(tokens.read({query: `a=1&&sw-token=${shown}&b=2&`, headers: []}, NOW)).toMatchObject({
      ...{query: `a=1&b=2&sw-token=${TOKEN}`, isProven: true, isOwn: true, arrivedWith: 'token'},
      secrets: [TOKEN, shown],
    })
})

test('any other token goes on as it came', () => {
  const tokens = new WebhookTokens(TOKEN, PARAMETER)
  for (const shown of [OLD, 'short', `${TOKEN}x`]) {
    const query = `a=1&&sw-token=${shown}`
    expect(tokens.read({query, headers: []}, NOW)).toMatchObject({
      ...{query, isProven: false, isOwn: false, arrivedWith: 'wrong-token'},
      secrets: shown.length < 8 ? [TOKEN] : [TOKEN, shown],
    })
  }
  expect(tokens.read({query: 'a=1', headers: []}, NOW)).toMatchObject({
    ...{query: 'a=1', isProven: false, isOwn: false, arrivedWith: 'unverified', digest: undefined},
    secrets: [TOKEN],
  })
})

test('a token that the shop has taken proves, and so does one that is known, and both go on as they came', () => {
  const known = new KnownTokens([
    {digest: digestToken(OLD).toString('hex'), kind: 'own', from: NOW, to: undefined, leakedSince: undefined},
  ])
  const tokens = new WebhookTokens(TOKEN, PARAMETER, {known})
  const read = (token: string) => tokens.read({query: `sw-token=${token}`, headers: []}, NOW)
  expect(read(OLD)).toMatchObject({isProven: true, isOwn: false, query: `sw-token=${OLD}`})
  const other = 'OfAnotherSalesChannel'
  expect(read(other).isProven).toBe(false)
  expect(tokens.prove(digestToken(other))).toBe(true)
  expect(tokens.prove(digestToken(other))).toBe(false)
  expect(read(other)).toMatchObject({isProven: true, isOwn: false, query: `sw-token=${other}`})
})

test('1000 tokens are learnt from the shop, and no more', () => {
  const tokens = new WebhookTokens(TOKEN, PARAMETER)
  const learnt = Array.from({length: 1001}, (_, at) => tokens.prove(digestToken(`other${at}`)))
  expect(learnt.indexOf(false)).toBe(1000)
})

test('a token in a header is replaced there, and is not written down', () => {
  const tokens = new WebhookTokens(TOKEN, HEADER, {old: OLD})
  const headers = [
    ['x-token', OLD],
    ['X-Other', '1'],
  ] as const
  const shown = tokens.read({query: 'a=1&&b=2', headers}, NOW)
  expect(shown).toMatchObject({isOwn: true, query: 'a=1&&b=2'})
  expect(shown.headers).toEqual([
    ['X-Other', '1'],
    ['x-token', TOKEN],
  ])
  expect(tokens.removeToken(headers)).toEqual([['X-Other', '1']])
  expect(new WebhookTokens(TOKEN, PARAMETER).removeToken(headers)).toEqual(headers)
})

test('where the shop expects no token, whoever calls needs none, and nothing is a secret', () => {
  const tokens = new WebhookTokens('', undefined)
  const call = {query: `sw-token=${OLD}`, headers: []}
  expect(tokens.read(call, NOW)).toEqual({
    ...{...call, arrivedWith: 'not-needed', digest: undefined, isProven: true, isOwn: false, secrets: []},
  })
})
