import {expect, test} from 'vitest'
import {findProvider} from '../../src/providers/providers.js'
import {haveSameContent, isListedContent, removeListOnly} from '../../src/providers/same-content.js'

const bytes = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
const EARLY = '2026-11-20T10:00:00Z'
const LATE = '2026-11-20T11:00:00Z'

/** A notification. @param changes of its members */
const event = (changes: object = {}) => ({
  ...{id: 'WH-1', event_type: 'PAYMENT.CAPTURE.COMPLETED', resource: {id: 'C1', update_time: EARLY}},
  ...changes,
})
/** The same with a resource. */
const withResource = (more: object) => event({resource: {id: 'C1', update_time: EARLY, ...more}})

test('two bodies say the same whatever their spelling, their links, and what only a list has', () => {
  const one = bytes(event())
  const spelled = ` {"resource": {"update_time": "${EARLY}", "id": "C1"},\n "event_type": "PAYMENT.CAPTURE.COMPLETED", "id": "\\u0057H-1"}`
  for (const other of [
    spelled,
    event({links: [{rel: 'self'}]}),
    event({status: 'SUCCESS', transmissions: [{webhook_url: 'https://shop'}]}),
  ]) {
    expect(haveSameContent(one, bytes(other))).toBe(true)
    expect(haveSameContent(bytes(other), one)).toBe(true)
    expect(isListedContent(bytes(other), one)).toBe(true)
  }
  for (const other of [event({id: 'WH-2'}), event({summary: 'more'}), withResource({id: 'C2'})]) {
    expect(haveSameContent(one, bytes(other))).toBe(false)
    expect(isListedContent(bytes(other), one)).toBe(false)
  }
})

test('what is no JSON object says the same as nothing, not even as itself', () => {
  for (const odd of ['', 'junk', '7', 'null']) {
    expect(haveSameContent(bytes(odd), bytes(odd))).toBe(false)
    expect(isListedContent(bytes(odd), bytes(odd))).toBe(false)
    for (const [one, other] of [
      [odd, event()],
      [event(), odd],
    ]) {
      expect(haveSameContent(bytes(one), bytes(other))).toBe(false)
      expect(isListedContent(bytes(one), bytes(other))).toBe(false)
    }
  }
})

test('a list may have the resource as it was later, and not as it was earlier or with anything else changed', () => {
  const stored = bytes(event())
  expect(isListedContent(bytes(withResource({update_time: LATE})), stored)).toBe(true)
  expect(isListedContent(stored, bytes(withResource({update_time: LATE})))).toBe(false)
  expect(isListedContent(bytes(withResource({update_time: LATE, status: 'REFUNDED'})), stored)).toBe(false)
  expect(isListedContent(bytes({...withResource({update_time: LATE}), summary: 'more'}), stored)).toBe(false)
  // The time alone tells which is later.
  for (const update_time of [undefined, 'soon', EARLY])
    expect(isListedContent(bytes(withResource({update_time, status: 'x'})), stored)).toBe(false)
  expect(isListedContent(bytes(event({resource: null})), stored)).toBe(false)
  expect(isListedContent(bytes(event({resource: undefined})), bytes(event({resource: null})))).toBe(false)
})

test('what only a list has is taken out of a body, unless that is signed', () => {
  const plain = bytes(event())
  const listed = bytes(event({status: 'SUCCESS', transmissions: []}))
  expect(removeListOnly(listed, [])).toEqual(plain)
  expect(removeListOnly(listed, [['PayPal-Transmission-Id', 'x']])).toEqual(plain)
  expect(removeListOnly(listed, [['PAYPAL-TRANSMISSION-SIG', 'x']])).toBe(listed)
  for (const each of [plain, bytes('junk'), bytes({status: 'SUCCESS'})])
    expect(removeListOnly(each, [])).toBe(each)
  expect(findProvider('paypal').signature?.headers.signature).toBe('paypal-transmission-sig')
})
