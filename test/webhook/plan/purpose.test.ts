import {expect, test} from 'vitest'
import {parsePurpose} from '../../../src/webhook/plan/replay-input.js'

const at = (text: string) => () => new Date(text)
const of = (flags: object, words: string[] = []) =>
  parsePurpose(words, {'include-delivered': true, restart: false, ...flags} as never)?.of

test('only what is sent again although it was delivered has a purpose', () => {
  expect(parsePurpose([], {'include-delivered': false} as never)).toBeUndefined()
  expect(parsePurpose([], {'include-delivered': true, restart: true} as never)?.isAfresh).toBe(true)
})

test('commands that mean other events have other purposes', () => {
  const purposes = [
    of({}),
    of({}, ['WH-1']),
    of({status: ['failed']}),
    of({type: ['PAYMENT.CAPTURE.COMPLETED']}),
    of({since: at('2026-11-20')}),
    of({until: at('2026-11-20')}),
    of({since: at('2026-11-20'), until: at('2026-11-21')}),
    of({where: 'amount > 1'}),
    of({cause: ['token-mismatch']}),
  ]
  expect(new Set(purposes).size).toBe(purposes.length)
})

test('a time ago is the same purpose whenever it is said', () => {
  const ago = (now: Date) => new Date(now.getTime() - 3_600_000)
  expect(of({since: ago})).toBe(of({since: ago}))
})
