import {describe, expect, test} from 'vitest'
import type {PlannedRepair} from '../../src/contract/payment-rows.js'
import {StorectlError} from '../../src/errors.js'
import {createRepairOperation} from '../../src/payment/repair/repair-operation.js'
import type {Result} from '../../src/runs/journal/item.js'
import type {LedgerEntry} from '../../src/runs/journal/journal-entry.js'
import type {InboxEvent} from '../../src/webhook/event/event.js'
import type {ObservedEvent, PaymentEvent} from '../../src/webhook/inbox/inbox.js'
import {NOW, otherEvent, plannedCapture} from '../webhook/replay/replayed-payment.js'

const PAYMENT = 'a'.repeat(32)
const MINUTE_MS = 60_000

const CAPTURE_MISSED = {
  ...{kind: 'capture-missed', expected: 'paid', transaction: {id: PAYMENT, state: 'open'}},
}

/** A repair of a payment by a stored event, with what the records know of it. */
function openRepair(
  given: {
    events?: PaymentEvent[]
    entry?: Partial<LedgerEntry>
    answer?: Result
    stored?: Partial<InboxEvent>
    /** The event was pruned since the plan. */
    isPruned?: boolean
    planned?: Partial<PlannedRepair>
    looked?: object | undefined
    /** What the shop answers to a transition, and the state that it moves to. */
    transition?: {status: number; to: string; body?: object; listed?: number}
    /** The provider no longer has the event. */
    isGone?: boolean
    later?: string
    /** What the payment is over. */
    total?: number
    /** An event of the payment that is forwarded while the shop is at work. */
    meanwhile?: PaymentEvent
  } = {},
) {
  const {events = [], entry, answer = {resultClass: 'done', result: 'applied', status: 200}} = given
  const {event: known, content} = plannedCapture().value
  const event = {...known, ...given.stored}
  const sent: string[] = []
  const payment = {state: 'open', isHidden: false}
  const {transition = {status: 200, to: 'paid'}} = given
  const vias: string[] = []
  const call = async ({path, method}: {path: string; method: string}) => {
    const isMove = method === 'POST'
    if (isMove) {
      sent.push(path.split('/').at(-1) ?? '')
      payment.state = transition.to
      events.push(...(given.meanwhile ? [given.meanwhile] : []))
    }
    const transitions = [{actionName: 'paid', toStateName: 'paid'}]
    const body = Buffer.from(JSON.stringify(isMove ? (transition.body ?? {}) : {transitions}))
    return {status: isMove ? transition.status : (transition.listed ?? 200), headers: {}, body}
  }
  const client = {baseUrl: new URL('http://shop'), call}
  const refusal = (answer: {status: number}) => new StorectlError('auth.forbidden', `HTTP ${answer.status}`)
  const shop = {patient: client, signed: client, refusal} as never
  const noted: ObservedEvent[] = []
  const drift = {kind: 'capture-missed', expected: 'paid', transaction: {id: PAYMENT, state: 'open'}}
  const find = async () => {
    if (payment.isHidden) throw new StorectlError('unavailable.no_answer', 'no answer')
    return {
      ...{id: PAYMENT, state: payment.state},
      ...{amountTotal: given.total ?? 100, currency: 'EUR', payUponInvoice: false},
    }
  }
  const deliver = async () => {
    sent.push(event.id)
    if (answer.resultClass === 'done') payment.state = transition.to
    return answer
  }
  const openTransport = (via: string) => ({
    deliver: async () => {
      vias.push(via)
      return deliver()
    },
    mayStillArrive: () => false,
  })
  const operation = createRepairOperation({
    ...{run: 'run', target: 'shop', shop, now: () => NOW, skipFlows: false},
    inbox: {
      find: async (_, ids) => new Map(given.isPruned || !ids.includes(event.id) ? [] : [[event.id, event]]),
      readContents: async (_, ids) => new Map(ids.includes(event.id) ? [[event.id, content]] : []),
      findPaymentEvents: async () => new Map([[`id:${PAYMENT}`, [...events]]]),
      noteObserved: async (_, some) => void noted.push(...some),
    },
    transactions: {find, findSoon: find, askNow: () => undefined},
    ...{toShop: openTransport('shop'), viaProvider: openTransport('provider')},
    fetchEvent: async () => (given.isGone ? undefined : {...event, ...content}),
    lookUp: async () => {
      const looked = {found: {drift, facts: {}}, isAsked: true, isKnown: true}
      if (given.later !== undefined) payment.state = given.later
      return ('looked' in given ? given.looked : looked) as never
    },
    findLedgerEntries: async () => new Map(entry ? [[PAYMENT, entry as LedgerEntry]] : []),
    presumeLostAfterMs: 10 * MINUTE_MS,
  })
  const value = {
    ...{transaction: PAYMENT, kind: 'capture-missed', expected: 'paid', state: 'open'},
    providerOrders: [],
    ...{orderNumber: '10001', amount: {value: '100.00', currency: 'EUR'}, detail: ''},
    repair: {way: 'replay', event: known.id, sha256: known.sha256},
    ...given.planned,
  }
  const item = {key: PAYMENT, orderingKey: PAYMENT, contentHash: '', value: value as never}
  return {operation, item, payment, noted, sent, vias, event, events}
}

const agoMs = (minutes: number) => NOW.getTime() - minutes * MINUTE_MS

test.each([
  [
    'an event of which was given up 9 minutes ago',
    {events: [otherEvent('unknown', {changedAtMs: agoMs(9)})]},
  ],
  ['whose repair was given up 9 minutes ago', {entry: {resultClass: 'unknown', at: new Date(agoMs(9))}}],
] as const)('a payment %s is held', async (_, known) => {
  const {operation, item} = openRepair({...known, events: 'events' in known ? [...known.events] : []})
  expect(await operation.prepare(item)).toMatchObject({
    result: 'held',
    detail: expect.stringContaining('may still be at work'),
  })
})

test('a payment whose lost calls are ten minutes old is repaired', async () => {
  const {operation, item} = openRepair({
    events: [otherEvent('unknown', {changedAtMs: agoMs(10)})],
    entry: {resultClass: 'unknown', at: new Date(agoMs(10))},
  })
  expect(await operation.prepare(item)).toBe('send')
})

test('the inbox knows of an event that a repair sent and something gave up, and of its effect', async () => {
  const {operation, item, payment, noted} = openRepair({
    answer: {resultClass: 'unknown', result: 'unknown', status: 504, detail: 'gateway time-out'},
  })
  await operation.prepare(item)
  await operation.execute(item, 1, () => undefined)
  expect(noted).toMatchObject([{status: 'unknown', answer: 504, message: 'gateway time-out', at: NOW}])
  expect(await operation.probe(item)).toBe('not-applied')
  payment.state = 'paid'
  expect(await operation.probe(item)).toMatchObject({result: 'applied'})
  expect(noted[1]).toMatchObject({status: 'delivered', answer: 200})
})

test('what is stored with an attempt lets a later process see what came of it', async () => {
  const {operation, item, payment} = openRepair()
  await operation.prepare(item)
  const attemptFacts = operation.describeIntent?.(item)
  expect(attemptFacts).toMatchObject({before: 'open', others: 0, order: '10001'})
  const later = {...item, attemptFacts} as typeof item
  expect(await operation.probe(later)).toBe('not-applied')
  payment.state = 'paid'
  expect(await operation.probe(later)).toMatchObject({
    ...{resultClass: 'done', result: 'applied', detail: 'looked up: open → paid'},
    facts: {before: 'open', after: 'paid', others: 0},
  })
  payment.state = 'authorized'
  expect(await operation.probe(later)).toBe('cannot-tell')
  payment.state = 'paid'
  for (const facts of [undefined, {before: 'open'}, {others: 0}])
    expect(await operation.probe({...later, attemptFacts: facts} as typeof item)).toBe('cannot-tell')
})

test('what is stored with an attempt names the event that the provider is asked for, which captures let pass', async () => {
  for (const [way, facts] of [
    ['resend', {via: 'provider', event: openRepair().event.id}],
    ['replay', {}],
    ['transition', {}],
  ] as const) {
    const {event} = openRepair()
    const planned = {repair: {way, event: event.id, sha256: event.sha256}} as never
    const {operation, item} = openRepair({planned})
    expect(await operation.prepare(item)).toBe('send')
    const stored = operation.describeIntent?.(item)
    expect({via: stored?.via, event: stored?.event}).toEqual({via: undefined, event: undefined, ...facts})
  }
})

test.each([
  ['replay', 'done', [{status: 'delivered', answer: 200, message: null, sender: 'token'}]],
  ['replay', 'unknown', [{status: 'unknown', answer: null, message: null}]],
  ['replay', 'failed', []],
  ['replay', 'later', []],
  ['resend', 'done', []],
  ['resend', 'unknown', [{status: 'unknown'}]],
] as const)('of a repair by %s that ends as %s the inbox knows so much', async (way, resultClass, known) => {
  const {event} = plannedCapture().value
  const {noted, vias, result} = await repair({
    answer: {
      resultClass,
      result: resultClass,
      facts: {via: way},
      ...(resultClass === 'done' && {status: 200}),
    },
    planned: {repair: {way, event: event.id, sha256: event.sha256} as never},
  })
  expect(vias).toEqual([way === 'replay' ? 'shop' : 'provider'])
  expect(result.facts).toMatchObject({before: 'open', via: way})
  expect(noted).toMatchObject(known)
  expect(noted).toHaveLength(known.length)
})

test('what no longer differs after an attempt of this run was repaired by it, where its state shows that', async () => {
  const looked = {
    found: {drift: CAPTURE_MISSED, facts: {}} as object | undefined,
    isAsked: true,
    isKnown: true,
  }
  const {operation, item, payment} = openRepair({
    looked,
    answer: {resultClass: 'later', result: 'failed', status: 503},
  })
  await operation.prepare(item)
  await operation.execute(item, 1, () => undefined)
  looked.found = undefined
  expect(await operation.prepare(item)).toMatchObject({result: 'skipped'})
  payment.state = 'paid'
  expect(await operation.prepare(item)).toMatchObject({
    ...{resultClass: 'done', result: 'applied', detail: 'looked up: open → paid'},
    facts: {order: '10001', before: 'open', after: 'paid'},
  })
})

test('what differs in another way after an attempt is held, and not called applied', async () => {
  const drift = {kind: 'refund-missed', expected: 'refunded', transaction: {id: PAYMENT, state: 'paid'}}
  const looked = {found: undefined as object | undefined, isAsked: true, isKnown: true}
  looked.found = {drift: CAPTURE_MISSED, facts: {}}
  const {operation, item, payment} = openRepair({
    looked,
    answer: {resultClass: 'later', result: 'failed', status: 503},
  })
  await operation.prepare(item)
  await operation.execute(item, 1, () => undefined)
  payment.state = 'paid'
  looked.found = {drift, facts: {}}
  expect(await operation.prepare(item)).toMatchObject({
    ...{result: 'held', detail: expect.stringContaining('differs in another way')},
  })
})

/** One repair from its check to its result. */
async function repair(given: Parameters<typeof openRepair>[0]) {
  const opened = openRepair(given)
  const ready = await opened.operation.prepare(opened.item)
  const result = ready === 'send' ? await opened.operation.execute(opened.item, 1, () => undefined) : ready
  return {...opened, result}
}

test.each([
  ['became a conflict', {hasConflict: true}, 'several bodies'],
  ['was resolved by hand', {status: 'resolved'}, 'resolved by hand'],
  ['turned out to be forged', {sender: 'forged'}, 'is forged'],
  ['has no known sender any more', {sender: 'unverified'}, 'is unverified'],
  ['has another body', {sha256: 'f'.repeat(64)}, 'another body than when it was planned'],
  ['is being forwarded', {isInFlight: true}, 'a capture is forwarding'],
  ['leads elsewhere', {type: 'PAYMENT.CAPTURE.DENIED'}, 'does not lead to paid'],
] as const)('an event that %s since the plan is not sent', async (_, stored, detail) => {
  const {result, sent} = await repair({stored})
  expect([result, sent]).toMatchObject([{result: 'held', detail: expect.stringContaining(detail)}, []])
})

test('an event that was pruned since the plan is not sent', async () => {
  const {result, sent} = await repair({isPruned: true})
  expect([result, sent]).toMatchObject([{detail: expect.stringMatching(/gone|no longer/)}, []])
})

test('an event that changes between the check and its sending is not sent', async () => {
  const stored: {-readonly [Key in keyof InboxEvent]?: InboxEvent[Key]} = {}
  const opened = openRepair({stored})
  expect(await opened.operation.prepare(opened.item)).toBe('send')
  // The inbox of the test answers with what it has at that moment.
  Object.assign(opened.event, {sha256: 'e'.repeat(64)})
  expect(await opened.operation.execute(opened.item, 1, () => undefined)).toMatchObject({
    ...{result: 'held', detail: expect.stringContaining('another body')},
  })
  expect(opened.sent).toEqual([])
})

test('a payment that changes between the two looks of its repair is held', async () => {
  const {result, sent} = await repair({later: 'authorized'})
  expect([result, sent]).toMatchObject([
    {result: 'held', detail: 'it changed while it was looked up: open → authorized'},
    [],
  ])
})

const transition = {planned: {repair: {way: 'transition', action: 'paid'}}} as const

test.each([
  [200, 'paid', {resultClass: 'done', result: 'applied', status: 200, detail: 'open → paid'}],
  [403, 'paid', {resultClass: 'done', result: 'applied', detail: 'open → paid; answered 403: HTTP 403'}],
  [403, 'open', {resultClass: 'failed', result: 'rejected'}],
  [
    ...([403, 'authorized'] as const),
    {resultClass: 'failed', detail: 'open → authorized; answered 403: HTTP 403; expected paid'},
  ],
  [
    ...([200, 'open'] as const),
    {
      ...{resultClass: 'failed', result: 'failed'},
      detail: 'answered 200, and the payment is still open; expected paid',
    },
  ],
  [
    ...([200, 'authorized'] as const),
    {
      ...{resultClass: 'failed', exit: 'rejected', status: 200},
      detail: 'open → authorized; answered 200; expected paid',
    },
  ],
])(
  'a transition that is answered %i and leads to %s is what its state shows',
  async (status, to, expected) => {
    const body = {errors: [{code: 'FRAMEWORK__MISSING_PRIVILEGE_ERROR', detail: 'no'}]}
    const {result} = await repair({...transition, transition: {status, to, body}})
    expect(result).toMatchObject(expected)
    expect(result.facts).toMatchObject({
      ...{before: 'open', after: to, order: '10001', amount: {value: '100.00', currency: 'EUR'}},
    })
  },
)

test.each([
  ['unknown', 504],
  ['later', 503],
  ['failed', 401],
] as const)(
  'an answer that is %s (%i) is not judged by the state of the moment',
  async (resultClass, status) => {
    const answer: Result = {resultClass, result: resultClass, status, detail: `HTTP ${status}`}
    const {operation, item, payment} = openRepair({answer})
    await operation.prepare(item)
    payment.state = 'paid'
    expect(await operation.execute(item, 1, () => undefined)).toMatchObject(answer)
  },
)

test('what a repair came to is unknown where its state cannot be looked up', async () => {
  const {operation, item, payment} = openRepair(transition)
  await operation.prepare(item)
  payment.isHidden = true
  const result = await operation.execute(item, 1, () => undefined)
  expect(result).toMatchObject({
    ...{resultClass: 'unknown', result: 'unknown', status: 200, exit: 'unavailable'},
    detail: 'answered 200; the state could not be looked up',
  })
})

test('a shop that does not list its transitions is asked for none', async () => {
  const {result, sent} = await repair({...transition, transition: {status: 200, to: 'paid', listed: 403}})
  expect([result, sent]).toMatchObject([
    {resultClass: 'failed', result: 'failed', detail: 'HTTP 403', exit: 'auth'},
    [],
  ])
  expect(result.facts).not.toHaveProperty('after')
})

test('an event that the provider no longer has is not sent from the inbox', async () => {
  const {event} = plannedCapture().value
  const planned = {repair: {way: 'resend', event: event.id, sha256: event.sha256} as never}
  const {result, sent} = await repair({planned, isGone: true})
  expect([result, sent]).toMatchObject([
    {resultClass: 'failed', result: 'failed', detail: `the event ${event.id} is gone`},
    [],
  ])
})

test('what a plan leaves to a person, and what was not checked, is held', async () => {
  const planned = {repair: {way: 'by-hand', detail: 'ask the customer'} as never}
  const byHand = await repair({planned})
  expect([byHand.result, byHand.sent]).toMatchObject([{result: 'held', detail: 'by hand'}, []])
  const {operation, item, sent} = openRepair()
  expect(await operation.execute(item, 1, () => undefined)).toMatchObject({result: 'held', detail: 'by hand'})
  expect(sent).toEqual([])
})

test('a refused transition is not called applied where another event of the payment was delivered meanwhile', async () => {
  const meanwhile = otherEvent('delivered')
  const accepted = await repair({...transition, transition: {status: 200, to: 'paid'}, meanwhile})
  expect(accepted.result).toMatchObject({result: 'applied'})
  const {result} = await repair({...transition, transition: {status: 403, to: 'paid'}, meanwhile})
  expect(result).toMatchObject({
    ...{resultClass: 'unknown', result: 'unknown', status: 403, exit: 'unavailable'},
    detail: expect.stringContaining('another event of the payment'),
    facts: {before: 'open', after: 'paid'},
  })
})

test('an event that is answered 200 and changes nothing has repaired nothing', async () => {
  const {result} = await repair({transition: {status: 200, to: 'open'}})
  expect(result).toMatchObject({result: 'failed', detail: expect.stringContaining('is still open')})
})

test('the inbox knows that an event was delivered that was answered 200, though it changed nothing', async () => {
  const {operation, item, payment, noted} = openRepair({transition: {status: 200, to: 'open'}})
  await operation.prepare(item)
  expect(await operation.execute(item, 1, () => undefined)).toMatchObject({result: 'failed'})
  expect([payment.state, noted]).toMatchObject(['open', [{status: 'delivered', answer: 200}]])
})

test('which transition a payment gets follows from the shop, and not from the plan', async () => {
  const planned = {repair: {way: 'transition', action: 'refund'}} as const
  expect((await repair({planned})).sent).toEqual(['paid'])
})

test.each([
  ['nothing could be asked', {isAsked: false, isKnown: false}, 'held'],
  ['the provider knows no order of it', {isAsked: true, isKnown: false}, 'held'],
  ['it no longer differs', {isAsked: true, isKnown: true}, 'skipped'],
  ['the shop does not know it', undefined, 'held'],
] as const)('a payment where %s is not called healed unless it is', async (_, looked, result) => {
  expect((await repair({looked: looked && {...looked, found: undefined}})).result).toMatchObject({result})
})

test('a kind that a person decides stays by hand, whatever the plan says', async () => {
  const drift = {kind: 'amount-differs', expected: undefined, transaction: {id: PAYMENT, state: 'open'}}
  const looked = {found: {drift, facts: {}}, isAsked: true, isKnown: true}
  const planned = {...transition.planned, kind: 'amount-differs', expected: null} as const
  expect((await repair({planned, looked})).result).toMatchObject({result: 'held', detail: 'by hand'})
})

describe.each(['replay', 'resend'])('a repair by %s', way => {
  test.each([
    ['over the amount of the payment is sent', 100, [], undefined],
    ['with what was captured before is sent', 150, ['50.00'], undefined],
    ['over another amount is held', 300, [], '100.00 EUR captured; the payment is over 300.00 EUR'],
    [
      'over more than is left is held',
      100,
      ['1.00'],
      '100.00 EUR captured, and 1.00 EUR before; the payment is over 100.00 EUR',
    ],
  ] as const)('of an event %s', async (_, total, captured, said) => {
    const {event: known} = plannedCapture().value
    const events = captured.map((value, at) =>
      otherEvent('delivered', {capture: {id: `WH-B${at}`, amount: {value, currency: 'EUR'}}}),
    )
    const {operation, item, sent} = openRepair({
      total,
      events,
      planned: {repair: {way, event: known.id, sha256: known.sha256} as never},
    })
    await operation.prepare(item)
    const {result, detail} = await operation.execute(item, 1, () => undefined)
    expect(sent).toHaveLength(said === undefined ? 1 : 0)
    expect(result).toBe(said === undefined ? 'applied' : 'held')
    if (said !== undefined) expect(detail).toBe(`amount-differs: ${said}`)
  })
})

const GIVEN_UP: Result = {resultClass: 'unknown', result: 'unknown', status: 504}

test('a state that another event has changed, or may be changing, does not show that a repair was applied', async () => {
  const {operation, item, payment, events} = openRepair({answer: GIVEN_UP, events: [otherEvent('failed')]})
  await operation.prepare(item)
  await operation.execute(item, 1, () => undefined)
  payment.state = 'paid'
  events[0] = otherEvent('unknown', {isInFlight: true})
  expect(await operation.probe(item)).toBe('not-now')
  events[0] = otherEvent('failed', {attempts: 2})
  expect(await operation.probe(item)).toBe('cannot-tell')
})

test('what was prepared before a pause and not sent did not repair the payment', async () => {
  const looked = {found: undefined as object | undefined, isAsked: true, isKnown: true}
  const drift = {kind: 'capture-missed', expected: 'paid', transaction: {id: PAYMENT, state: 'open'}}
  looked.found = {drift, facts: {}}
  const {operation, item, payment, events} = openRepair({looked, events: [otherEvent('failed')]})
  expect(await operation.prepare(item)).toBe('send')
  events[0] = otherEvent('unknown')
  expect(await operation.prepare(item)).toMatchObject({
    ...{result: 'held', detail: expect.stringContaining('may still be at work')},
  })
  events[0] = otherEvent('failed')
  looked.found = undefined
  payment.state = 'paid'
  expect(await operation.prepare(item)).toMatchObject({result: 'skipped'})
})

test.each([
  ['was forwarded', otherEvent('failed', {attempts: 2})],
  ['is being forwarded', otherEvent('failed', {isInFlight: true})],
] as const)('a payment is not repaired where an event of it %s since the check', async (_, event) => {
  const failed = otherEvent('failed')
  for (const planned of [{}, transition.planned]) {
    const {operation, item, sent, events} = openRepair({planned, events: [failed, failed]})
    expect(await operation.prepare(item)).toBe('send')
    events[1] = event
    expect(await operation.execute(item, 1, () => undefined)).toMatchObject({
      ...{result: 'held', detail: expect.stringContaining('in-flight')},
    })
    expect(sent).toEqual([])
  }
})

test('the inbox knows that an event was delivered whose repair was answered 500 and shown by the state', async () => {
  const answer: Result = {resultClass: 'failed', result: 'failed', status: 500, detail: 'HTTP 500'}
  const {operation, item, payment, noted, sent} = openRepair({answer})
  await operation.prepare(item)
  payment.state = 'paid'
  expect(await operation.execute(item, 1, () => undefined)).toMatchObject({result: 'applied'})
  expect(sent).toHaveLength(1)
  expect(noted).toMatchObject([{status: 'delivered'}])
})

const DRIFT = {kind: 'capture-missed', expected: 'paid', transaction: {id: PAYMENT, state: 'open'}}

test.each([
  ['is of another kind', {kind: 'cancelled-late'}],
  ['calls for another state', {expected: 'paid_partially'}],
  ['is in another state', {transaction: {id: PAYMENT, state: 'failed'}}],
  ['has its money in another attempt', {transaction: {id: 'b'.repeat(32), state: 'open'}}],
] as const)('a payment that %s now is held', async (_, other) => {
  const looked = {found: {drift: {...DRIFT, ...other}, facts: {}}, isAsked: true, isKnown: true}
  const {result, sent} = await repair({...transition, looked})
  expect([result.result, sent]).toEqual(['held', []])
  expect(result.detail).toContain('it differs in another way now')
})

test('a payment whose order was cancelled too is left to a person, also where the plan says otherwise', async () => {
  const drift = {...DRIFT, kind: 'cancelled-late'}
  const looked = {found: {drift, facts: {shop: {orderState: 'cancelled'}}}, isAsked: true, isKnown: true}
  const {result, sent} = await repair({
    planned: {...transition.planned, kind: 'cancelled-late'},
    looked,
  })
  expect([result, sent]).toMatchObject([{detail: expect.stringContaining('by hand: the order')}, []])
})

test.each([
  [true, 'skipped'],
  [false, 'held'],
] as const)(
  'a payment that goes back has healed where the provider was asked: %s',
  async (isAsked, result) => {
    const planned = {...transition.planned, kind: 'unknown-at-provider'} as const
    const looked = {found: undefined, isAsked, isKnown: false}
    expect((await repair({planned, looked})).result).toMatchObject({result})
  },
)

test('a refused sign-in has changed nothing, whatever the state is', async () => {
  const {result} = await repair({...transition, transition: {status: 401, to: 'paid'}})
  expect(result).toMatchObject({resultClass: 'failed', result: 'rejected'})
})

test.each([
  ['was forwarded', otherEvent('delivered')],
  ['is being forwarded', otherEvent('failed', {isInFlight: true})],
] as const)('a refused repair is not shown by a state while another event %s', async (_, meanwhile) => {
  const {result} = await repair({...transition, transition: {status: 403, to: 'paid'}, meanwhile})
  expect(result).toMatchObject({resultClass: 'unknown', detail: expect.stringContaining('another event')})
})

test('an event of the provider that leads elsewhere is not asked for', async () => {
  const planned = {repair: {way: 'resend', event: 'WH-1'}} as const
  const {result, sent} = await repair({planned, stored: {type: 'PAYMENT.CAPTURE.DENIED'}})
  expect([result, sent]).toMatchObject([
    {result: 'held', detail: expect.stringContaining('does not lead')},
    [],
  ])
})

test('only the state that is expected shows a repair, and one that cannot be read shows nothing', async () => {
  const {operation, item, payment} = openRepair({answer: GIVEN_UP})
  await operation.prepare(item)
  await operation.execute(item, 1, () => undefined)
  payment.state = 'authorized'
  expect(await operation.probe(item)).toBe('cannot-tell')
  payment.isHidden = true
  expect(await operation.probe(item)).toBe('not-now')
})

test('the next attempt waits for calls of others, and not for what this run sent itself', async () => {
  const {operation, item, events} = openRepair({answer: GIVEN_UP, events: [otherEvent('failed')]})
  await operation.prepare(item)
  await operation.execute(item, 1, () => undefined)
  events.push(otherEvent('unknown', {id: plannedCapture().key}))
  expect(await operation.prepare(item)).toBe('send')
  events[0] = otherEvent('unknown')
  expect(await operation.prepare(item)).toMatchObject({detail: expect.stringContaining('blocked')})
})
