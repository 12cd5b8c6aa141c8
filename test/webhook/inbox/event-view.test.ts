import {expect, test} from 'vitest'
import {toEventRecord} from '../../../src/webhook/inbox/event-view.js'
import {plannedCapture} from '../replay/replayed-payment.js'

const {event} = plannedCapture().value
const NO_STATE = {state: null, stateWhy: null}
const show = (headers: [string, string][], body = '{}', withHeaders = true) =>
  toEventRecord(event, {headers, body: Buffer.from(body)}, withHeaders, NO_STATE)

test('a header that came more than once is a list of all its values, in their order', () => {
  expect(
    show([
      ['A', '1'],
      ['B', 'x'],
      ['A', '2'],
      ['A', '3'],
    ]),
  ).toMatchObject({
    headers: {A: ['1', '2', '3'], B: 'x'},
  })
  expect(show([['A', '1']], '{}', false)).not.toHaveProperty('headers')
})

test.each([
  ['{"a": 1}', {a: 1}],
  ['no JSON', 'no JSON'],
])('the body %s is shown as what it says', (body, expected) => {
  expect(show([], body).body).toEqual(expected)
})
