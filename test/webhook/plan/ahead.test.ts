import fc from 'fast-check'
import {expect, test} from 'vitest'
import {StatesAhead} from '../../../src/webhook/plan/forecast.js'
import type {Judged, Rules} from '../../../src/webhook/plan/judged.js'
import {CapturesAhead} from '../../../src/webhook/plan/known-captures.js'
import {plannedCapture} from '../replay/replayed-payment.js'

test('a state is kept for each of very many transactions, the last word wins, and nothing else is known', () => {
  const ahead = new StatesAhead()
  const states = ['open', 'paid', 'refunded']
  const name = (index: number) => `id:${index.toString(16).padStart(32, '0')}`
  for (let index = 0; index < 20_000; index++) ahead.set(name(index), states[index % 3] as string)
  for (let index = 0; index < 20_000; index += 2) ahead.set(name(index), 'cancelled')
  for (let index = 0; index < 20_000; index++) {
    expect(ahead.get(name(index))).toBe(index % 2 === 0 ? 'cancelled' : states[index % 3])
  }
  for (let index = 20_000; index < 40_000; index++) expect(ahead.get(name(index))).toBeUndefined()
})

test('it is a map, whatever the names', () => {
  const steps = fc.array(fc.tuple(fc.string({maxLength: 3}), fc.constantFrom('open', 'paid', 'failed')))
  fc.assert(
    fc.property(steps, drawn => {
      const [ahead, map] = [new StatesAhead(), new Map<string, string>()]
      for (const [name, state] of drawn) {
        ahead.set(name, state)
        map.set(name, state)
      }
      for (const [name] of drawn) expect(ahead.get(name)).toBe(map.get(name))
    }),
  )
})

test.each([
  ['a part that is sent', 'send', false, false, 1],
  ['a part that is held', 'hold', false, false, 0],
  ['a last capture, which nothing follows', 'send', true, false, 0],
  ['a last capture where others may follow out of order', 'send', true, true, 1],
] as const)(
  '%s counts for what comes after it, or does not',
  (_, action, isLast, includeOutOfOrder, count) => {
    const captures = new CapturesAhead()
    const {event} = plannedCapture().value
    const judged: Judged = {action, reason: null, detail: null}
    captures.add('id:1', {...event, traits: {...event.traits, finalCapture: isLast}}, judged, {
      includeOutOfOrder,
    } as Rules)
    expect([captures.get('id:1').length, captures.get('id:2').length]).toEqual([count, 0])
  },
)
