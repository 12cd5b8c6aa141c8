import {expect, test} from 'vitest'
import {type ErrorCode, StorectlError} from '../../src/errors.js'
import type {Call, HttpResponse} from '../../src/http/http.js'
import {applyTransition, listTransitions} from '../../src/payment/repair/transitions.js'

const PAYMENT = 'a'.repeat(32)

/** The shop's own words of a refusal. */
const SAID = {errors: [{code: '0', status: '500', title: 'x', detail: 'no'}]}

interface GivenAnswer {
  readonly status?: number
  readonly body?: object
  readonly tookMs?: number
  /** What a refusal is. */
  readonly refused?: ErrorCode
  /** Thrown in place of an answer. */
  readonly thrown?: Error
}

/** A shop that answers every call alike. */
function createShop({
  status = 200,
  body = {},
  tookMs = 0,
  refused = 'rejected.by_shop',
  thrown,
}: GivenAnswer) {
  const asked: Call[] = []
  let nowMs = 0
  const call = async (sent: Call): Promise<HttpResponse> => {
    asked.push(sent)
    nowMs += tookMs
    if (thrown) throw thrown
    return {status, headers: {}, body: Buffer.from(JSON.stringify(body))}
  }
  const client = {baseUrl: new URL('http://shop'), call}
  const refusal = (answer: HttpResponse, doing: string) =>
    new StorectlError(refused, `${doing}: HTTP ${answer.status}`)
  return {asked, shop: {patient: client, signed: client, refusal, now: () => new Date(nowMs)}}
}

async function apply(answer: GivenAnswer, skipFlows = false) {
  const {asked, shop} = createShop(answer)
  return {asked, result: await applyTransition(PAYMENT, 'paid/now', {...shop, skipFlows})}
}

test('a transition is asked for once, in JSON, and flows are left out where that is asked for alone', async () => {
  const {asked, result} = await apply({status: 204})
  expect(result).toEqual({resultClass: 'done', result: 'accepted', status: 204})
  const path = `/api/_action/order_transaction/${PAYMENT}/state/paid%2Fnow`
  const headers = {'content-type': 'application/json', accept: 'application/json'}
  expect(asked).toEqual([{method: 'POST', path, headers, body: '{}', answer: 'short'}])
  const [quiet] = (await apply({}, true)).asked
  expect(quiet?.headers).toEqual({...headers, 'sw-skip-trigger-flow': '1'})
})

test.each<[GivenAnswer, object]>([
  [{status: 200}, {resultClass: 'done', result: 'accepted'}],
  [{status: 299}, {resultClass: 'done', result: 'accepted'}],
  [{status: 199}, {resultClass: 'failed', result: 'rejected', exit: 'rejected'}],
  [{status: 300}, {resultClass: 'failed', result: 'rejected', exit: 'rejected'}],
  [
    {status: 400, body: SAID},
    {resultClass: 'failed', result: 'rejected', exit: 'rejected'},
  ],
  [
    {status: 500, body: SAID, tookMs: 60_000},
    {resultClass: 'failed', result: 'rejected'},
  ],
  [
    {status: 429, refused: 'unavailable.throttled'},
    {resultClass: 'later', result: 'failed'},
  ],
  [{status: 500}, {resultClass: 'unknown', result: 'unknown', exit: 'unavailable', doubt: 'at-work'}],
  [{status: 503}, {resultClass: 'unknown', result: 'unknown', exit: 'unavailable', doubt: 'refused'}],
  [
    {status: 503, tookMs: 2000},
    {resultClass: 'unknown', exit: 'unavailable', doubt: 'at-work'},
  ],
  [
    {status: 404, refused: 'unavailable.other_answer'},
    {resultClass: 'unknown', doubt: 'refused'},
  ],
])('the answer %j to a transition says %j', async (answer, said) => {
  const {status = 0} = answer
  const {result} = await apply(answer)
  expect(result).toMatchObject({...said, status})
  expect(result.detail).toBe(
    result.resultClass === 'done' ? undefined : `the transition "paid/now": HTTP ${status}`,
  )
  expect(result.halt).toBeUndefined()
})

test('credentials that the shop refuses halt the run', async () => {
  const {result} = await apply({status: 403, refused: 'auth.forbidden'})
  expect(result).toMatchObject({resultClass: 'failed', result: 'rejected', exit: 'auth', status: 403})
  expect(result.halt).toMatchObject({code: 'auth.forbidden'})
})

test.each([
  ['unavailable.not_connected', {resultClass: 'later', result: 'failed', exit: 'unavailable'}],
  ['unavailable.no_answer', {resultClass: 'unknown', result: 'unknown', exit: 'unavailable'}],
  ['auth.login_failed', {resultClass: 'failed', result: 'failed', exit: 'auth', halt: expect.anything()}],
] as const)('a transition that ends in %s without an answer says %j', async (code, said) => {
  const {result} = await apply({thrown: new StorectlError(code, 'no answer')})
  expect(result).toEqual({...said, detail: 'no answer'})
})

test('a fault of our own is not taken for what the shop said', async () => {
  await expect(apply({thrown: new TypeError('a bug')})).rejects.toThrow('a bug')
})

test('the transitions that are allowed are those with a name, and lead where the shop says', async () => {
  const transitions = [
    {actionName: 'do_pay', toStateName: 'paid', technicalName: 'ignored'},
    {actionName: 'refund', technicalName: 'refunded'},
    {actionName: 'odd'},
    {toStateName: 'open'},
    {actionName: '', toStateName: 'open'},
  ]
  const {asked, shop} = createShop({body: {transitions}})
  expect(await listTransitions(PAYMENT, shop)).toEqual([
    ...[
      {action: 'do_pay', to: 'paid'},
      {action: 'refund', to: 'refunded'},
    ],
    {action: 'odd', to: ''},
  ])
  expect(asked).toMatchObject([
    {method: 'GET', path: `/api/_action/state-machine/order_transaction/${PAYMENT}/state`},
  ])
  expect(await listTransitions(PAYMENT, createShop({}).shop)).toEqual([])
  const refused = createShop({status: 404, body: {transitions}}).shop
  await expect(listTransitions(PAYMENT, refused)).rejects.toThrow('the transitions of a payment: HTTP 404')
})
