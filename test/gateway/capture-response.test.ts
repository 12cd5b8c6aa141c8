import {expect, test} from 'vitest'
import {buildRefusal, buildRetryLater, type Reply, replyTo} from '../../src/gateway/capture-response.js'
import {computeHeldLimit} from '../../src/gateway/held-bytes.js'

const read = ({status, headers, body}: Reply) => ({
  ...{status, headers: Object.fromEntries(headers)},
  body: Buffer.from(body).toString(),
})
const answer = (status: number, headers = {}) => ({status, headers, body: Buffer.from('of the shop')})
const json = {'Content-Type': 'application/json'}

test("a refusal has the shop's own envelope", () => {
  expect(read(buildRefusal(405, 'Not so.', [['Allow', 'POST']]))).toEqual({
    ...{status: 405, headers: {...json, Allow: 'POST'}},
    body: '{"errors":[{"code":"0","status":"405","title":"Method Not Allowed","detail":"Not so."}]}',
  })
  expect(read(buildRefusal(499, 'Not so.')).body).toContain('"title":""')
})

test('who is asked to come again is told when: in a minute, or what the shop says', () => {
  expect(read(buildRetryLater('Later.'))).toMatchObject({
    status: 503,
    headers: {...json, 'Retry-After': '60'},
  })
  expect(read(buildRetryLater('Later.', '7')).headers).toEqual({...json, 'Retry-After': '7'})
})

test('what the shop answered is answered, unless it is away', () => {
  const shown = {'content-type': 'text/html', connection: 'close'}
  for (const accepts of [true, false])
    expect(read(replyTo({isAway: false}, answer(400, shown), accepts))).toEqual({
      ...{status: 400, headers: {'content-type': 'text/html'}, body: 'of the shop'},
    })
  for (const given of [undefined, answer(504)])
    expect(read(replyTo({isAway: true}, given, true))).toEqual({
      ...{status: 200, headers: {'Content-Type': 'text/html; charset=UTF-8'}, body: ''},
    })
  const away = (given: ReturnType<typeof answer> | undefined) => read(replyTo({isAway: true}, given, false))
  expect(away(undefined)).toEqual({
    ...{status: 503, headers: {...json, 'Retry-After': '60'}},
    body: '{"errors":[{"code":"0","status":"503","title":"Service Unavailable","detail":"The shop did not answer."}]}',
  })
  const wait = {'retry-after': '7'}
  expect(away(answer(503, wait)).headers['Retry-After']).toBe('7')
  expect(away(answer(503)).headers['Retry-After']).toBe('60')
  expect(away(answer(504, wait)).headers['Retry-After']).toBe('60')
})

test('the bodies in memory have 64 MiB, and room for four of the largest at least', () => {
  const MIB = 1024 * 1024
  expect([MIB, 16 * MIB, 17 * MIB].map(computeHeldLimit)).toEqual([64 * MIB, 64 * MIB, 68 * MIB])
})
