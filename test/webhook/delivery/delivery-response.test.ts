import {expect, test} from 'vitest'
import {StorectlError} from '../../../src/errors.js'
import {findProvider} from '../../../src/providers/providers.js'
import {readAnswer, readNoAnswer} from '../../../src/webhook/delivery/delivery-response.js'

const receiver = {
  ...{profile: 'shop', url: 'https://shop.example/api', retryAfterMs: () => 7000},
  answers: findProvider().answers,
}
const GENERIC = 'An error occurred during execution of webhook'

function read(status: number, detail = '', tookMs = 0) {
  const errors = [{code: '0', status: String(status), title: 'Title', detail}]
  const body = Buffer.from(detail === '' ? '' : JSON.stringify({errors}))
  return readAnswer({status, headers: {}, body}, {...receiver, tookMs})
}

test.each([200, 201, 204])('%i is accepted, which says little by itself', status => {
  expect(read(status)).toEqual({kind: 'accepted'})
})

test('400 with the one text for everything is refused, and the transaction has to be looked at', () => {
  expect(read(400, GENERIC)).toEqual({kind: 'refused', said: GENERIC})
})

test.each([
  [400, 'Shopware token is invalid', 'failed', 'failed', 'auth.webhook_token_refused'],
  [400, 'No webhook data sent', 'failed', 'invalid', undefined],
  [400, 'The JSON payload is malformed.', 'failed', 'invalid', undefined],
  [500, 'Typed property must not be accessed', 'failed', 'rejected', undefined],
  [413, '', 'failed', 'rejected', undefined],
  [401, '', 'failed', 'failed', 'auth.gate'],
  [403, '', 'failed', 'failed', 'auth.gate'],
  [412, '', 'failed', 'failed', 'auth.gate'],
  [408, '', 'unknown', 'unknown', undefined],
  [502, '', 'unknown', 'unknown', undefined],
  [500, '', 'unknown', 'unknown', undefined],
  [504, '', 'unknown', 'unknown', undefined],
  [520, '', 'unknown', 'unknown', undefined],
  [524, '', 'unknown', 'unknown', undefined],
  [404, '', 'failed', 'failed', 'usage.no_webhook_route'],
  [405, '', 'failed', 'failed', 'usage.no_webhook_route'],
  [301, '', 'failed', 'failed', 'usage.no_webhook_route'],
  [307, '', 'failed', 'failed', 'usage.no_webhook_route'],
  [429, '', 'later', 'failed', undefined],
  [503, '', 'unknown', 'unknown', undefined],
])('%i %s: %s, %s, and stops the run with %s', (status, detail, resultClass, name, halt) => {
  const reading = read(status, detail)
  expect(reading.kind).toBe('final')
  const {result} = reading as Extract<typeof reading, {kind: 'final'}>
  expect(result).toMatchObject({resultClass, result: name, status})
  expect(result.halt?.code).toBe(halt)
})

test('429 and 503 wait as long as they ask', () => {
  for (const status of [429, 503]) expect(read(status)).toMatchObject({result: {retryAfterMs: 7000}})
})

test('a text that is not the shop\u2019s is shortened and without markup', () => {
  const body = Buffer.from(`<html><b>Bad</b>\n  gateway ${'x'.repeat(1000)}</html>`)
  const reading = readAnswer({status: 502, headers: {}, body}, {...receiver, tookMs: 0})
  const {result} = reading as Extract<typeof reading, {kind: 'final'}>
  expect(result.detail).toMatch(/^Bad gateway x{1,290}$/)
})

test('without an answer: later when nothing was sent, unknown when it may have been', () => {
  expect(readNoAnswer(new StorectlError('unavailable.not_connected', 'refused')).resultClass).toBe('later')
  expect(readNoAnswer(new StorectlError('unavailable.no_answer', 'reset')).resultClass).toBe('unknown')
})
