import {expect, test} from 'vitest'
import type {LedgerEntry} from '../../../src/runs/journal/journal-entry.js'
import type {InboxEvent} from '../../../src/webhook/event/event.js'
import {holdExpired, judgeByState, judgeOffline, type Known} from '../../../src/webhook/plan/action.js'
import {describeAction, formatAction, type Judged, type Rules} from '../../../src/webhook/plan/judged.js'
import {NOW, plannedCapture} from '../replay/replayed-payment.js'

const {event} = plannedCapture().value
const DAY_MS = 86_400_000
const RUN_AT = new Date(NOW.getTime() - DAY_MS)

const RULES: Rules = {
  ...{maxAgeMs: undefined, checkState: true, includeDelivered: false, includeUnknown: false},
  ...{includeOutOfOrder: false, includeUnverified: false},
}

const PAYMENT = {id: 'a'.repeat(32), state: 'open', amountTotal: 100, currency: 'EUR', payUponInvoice: false}

const KNOWN: Known = {
  ...{now: NOW, isNamed: false, isUnsure: false, ledger: undefined, deliveredUpTo: undefined, captures: []},
  transaction: PAYMENT,
}

const entry = (more: Partial<LedgerEntry>) =>
  ({runId: 'R1', at: RUN_AT, resultClass: 'done', result: 'applied', ...more}) as LedgerEntry

type Case = readonly [
  string,
  Partial<InboxEvent>,
  Partial<Rules>,
  Partial<Known>,
  Partial<Judged> | undefined,
]

const skip = (reason: Judged['reason'], detail: string) => ({action: 'skip', reason, detail}) as const
const hold = (reason: Judged['reason'], detail: string) => ({action: 'hold', reason, detail}) as const
const invalid = (detail: string) => ({action: 'invalid', reason: null, detail}) as const

const delivered = {status: 'delivered', changedAt: RUN_AT, answer: 200} as const
const fault = {traits: {...event.traits, fault: 'no type'}} as never
const withRun = {ledger: entry({})}
const byRun = `applied at ${RUN_AT.toISOString()} by run R1`
const sinceRun = {includeDelivered: true, countsSinceMs: RUN_AT.getTime()}
const afterRun = {includeDelivered: true, countsSinceMs: RUN_AT.getTime() + 1}
const unsure = {isUnsure: true}
const noState = {checkState: false}

test.each<Case>([
  ['nothing against it', {}, {}, {}, undefined],
  ['in flight', {isInFlight: true}, {}, {}, hold('in-flight', 'a capture is forwarding it')],
  [
    ...(['a conflict', {hasConflict: true}, {}, {isNamed: true}] as const),
    invalid('several bodies have this id; the true one is unknown'),
  ],
  ['a fault', fault, {}, {isNamed: true}, invalid('the shop cannot read it: no type')],
  ['delivered', delivered, {}, {isNamed: true}, skip('delivered', 'answered 200')],
  ['delivered, who knows how', {...delivered, answer: null}, {}, {}, skip('delivered', 'answered 2xx')],
  ['delivered by a run', {}, {}, withRun, skip('delivered', byRun)],
  ['failed in a run', {}, {}, {ledger: entry({resultClass: 'failed'})}, undefined],
  ['delivered, which no longer counts', delivered, {includeDelivered: true}, withRun, undefined],
  ['delivered just when it counts', delivered, sinceRun, {}, skip('delivered', 'answered 200')],
  ['delivered before it counts', delivered, afterRun, withRun, undefined],
  [
    ...(['delivered by a run just when it counts', {}, sinceRun, withRun] as const),
    skip('delivered', `${byRun}, for the same purpose; --restart sends it again`),
  ],
  [
    ...(['delivered by a run that counts', {}, {...afterRun, countsRuns: ['R1']}, withRun] as const),
    skip('delivered', `${byRun}, for the same purpose; --restart sends it again`),
  ],
  ['delivered by another run', {}, {...afterRun, countsRuns: ['R2']}, withRun, undefined],
  ['resolved', {status: 'resolved'}, {}, {isNamed: true}, skip('resolved', 'resolved by hand')],
  ['resolved, released', {status: 'resolved'}, {includeResolved: true}, {}, undefined],
  [
    ...(['of another provider', {}, {provider: 'mollie'}, {isNamed: true}] as const),
    hold('other-provider', "PayPal sent it, and the profile's provider is Mollie"),
  ],
  ['forged', {sender: 'forged'}, {}, {isNamed: true}, hold('forged', 'the provider did not send it')],
  [
    ...(['forged, and why', {sender: 'forged', verificationReason: 'changed-bytes'}, {}, {}] as const),
    hold('forged', 'the provider did not send it: stored bytes may differ from the bytes sent'),
  ],
  [
    ...(['unsure without states', {}, noState, {...unsure, isNamed: true}] as const),
    hold('unknown-result', 'an earlier attempt may have been applied, and the state check is off'),
  ],
  ['unsure', {}, {}, unsure, undefined],
  ['sure without states', {}, noState, {}, undefined],
  ['unsure without states, released', {}, {...noState, includeUnknown: true}, unsure, undefined],
  [
    ...(['unverified', {sender: 'unverified'}, {includeWrongToken: true}, {isNamed: true}] as const),
    hold('unverified', 'nothing establishes its sender'),
  ],
  ['unverified, released', {sender: 'unverified'}, {includeUnverified: true}, {}, undefined],
  [
    ...(['a wrong token', {sender: 'wrong-token'}, {includeUnverified: true}, {isNamed: true}] as const),
    hold('wrong-token', 'it came with a webhook token that is not of this shop'),
  ],
  ['a wrong token, released', {sender: 'wrong-token'}, {includeWrongToken: true}, {}, undefined],
  [
    ...(['unreadable before', {}, {}, {ledger: entry({resultClass: 'failed', result: 'invalid'})}] as const),
    invalid('the shop could not read it: no reason given'),
  ],
  [
    'unreadable before, named',
    ...([{}, {}, {isNamed: true, ledger: entry({resultClass: 'failed', result: 'invalid'})}] as const),
    undefined,
  ],
  [
    'unreadable before, and why',
    ...([{}, {}, {ledger: entry({resultClass: 'failed', result: 'invalid', detail: 'no data'})}] as const),
    invalid('the shop could not read it: no data'),
  ],
  [
    ...(['no handler', {type: 'CHECKOUT.ORDER.APPROVED'}, {}, {}] as const),
    skip('no-handler', 'the shop has no handler for CHECKOUT.ORDER.APPROVED'),
  ],
  ['no handler, named', {type: 'CHECKOUT.ORDER.APPROVED'}, {}, {isNamed: true}, undefined],
])('without a look at the shop: %s', (_, stored, rules, known, expected) => {
  expect(judgeOffline({...event, ...stored}, {...RULES, ...rules}, {...KNOWN, ...known})).toEqual(expected)
})

const keyed = (key: object) => ({traits: {...event.traits, key}}) as never
const inState = (state: string) => ({transaction: {...PAYMENT, state}})
const send = (detail: string | null, leadsTo?: string): Judged => ({
  ...({action: 'send', reason: null, detail} as const),
  ...(leadsTo !== undefined && {leadsTo}),
})
const newer = (ms: number, id = 'WH-NEWER') => ({
  deliveredUpTo: {id, createdAt: new Date(event.createdAt.getTime() + ms)},
})
const OLDER = 'WH-NEWER, a newer event, was delivered already'
const otherAmount = {transaction: {...PAYMENT, amountTotal: 119}}
const DIFFERENCE = '100.00 EUR captured; the payment is over 119.00 EUR'
const denied = {type: 'PAYMENT.CAPTURE.DENIED'}
const released = {includeOutOfOrder: true}

test.each<Case>([
  ['open', {}, {}, {}, send('open → paid', 'paid')],
  ['paid already', {}, {}, inState('paid'), skip('already-applied', 'its transaction is paid already')],
  ['paid already, unsure', {}, {}, {...inState('paid'), ...unsure}, send('is paid already')],
  [
    ...(['refunded', {}, {}, inState('refunded')] as const),
    hold('out-of-order', 'the transaction is refunded, from where "paid" is not possible'),
  ],
  ['refunded, released', {}, released, inState('refunded'), send(null)],
  [
    ...(['a denial of a paid one', denied, {}, inState('paid')] as const),
    hold('out-of-order', 'it would set a paid transaction back to cancelled'),
  ],
  [
    ...(['a denial of a partly paid one', denied, {}, inState('paid_partially')] as const),
    hold('out-of-order', 'it would set a paid_partially transaction back to cancelled'),
  ],
  [
    'a denial of an authorized one',
    denied,
    {},
    inState('authorized'),
    send('authorized → cancelled', 'cancelled'),
  ],
  ['a newer one delivered', {}, {}, newer(1), hold('out-of-order', OLDER)],
  ['one of the same time delivered', {}, {}, newer(0), send('open → paid', 'paid')],
  ['itself delivered', {}, {}, newer(1, event.id), send('open → paid', 'paid')],
  ['a newer one delivered, released', {}, released, newer(1), send('open → paid', 'paid')],
  [
    ...(['paid already, and a newer one', {}, {}, {...inState('paid'), ...newer(1)}] as const),
    skip('already-applied', 'its transaction is paid already'),
  ],
  ['a newer one, without states', {}, noState, newer(1), hold('out-of-order', OLDER)],
  ['a newer one, without states, released', {}, {...noState, ...released}, newer(1), send(null)],
  ['without states', {}, noState, {transaction: undefined}, send(null)],
  [
    ...(['unknown to the shop', {}, {}, {transaction: undefined}] as const),
    hold('unknown-transaction', 'the shop does not know its transaction'),
  ],
  [
    ...(['an order of the provider', keyed({by: 'provider-order', id: 'O1'}), {}] as const),
    ...([{transaction: undefined}, send(null)] as const),
  ],
  ['nothing to look at', keyed({by: 'nothing'}), {}, {transaction: undefined}, send(null)],
  ['no handler', {type: 'CHECKOUT.ORDER.APPROVED'}, {}, {transaction: undefined}, send(null)],
  [
    ...(['no transaction named', keyed({by: 'fault', fault: 'no-custom-id'}), {}, {}] as const),
    hold('no-transaction', 'it names no transaction: no custom_id'),
  ],
  [
    ...(['another resource', keyed({by: 'fault', fault: 'wrong-resource'}), {}, {}] as const),
    invalid('its resource_version and resource_type do not fit its type'),
  ],
  [
    ...(['upon invoice', {}, {}, {transaction: {...PAYMENT, payUponInvoice: true}}] as const),
    send(
      'open → paid or refused or refused and authorized or refused and failed, as the provider answers',
      'paid',
    ),
  ],
  [
    ...(['a further refund', {type: 'PAYMENT.CAPTURE.REFUNDED'}, {}, inState('refunded')] as const),
    send('is refunded already'),
  ],
  [
    ...(['refunded and another amount, released', {}, {...released, includeAmountDiffers: true}] as const),
    ...([{transaction: {...PAYMENT, state: 'refunded', amountTotal: 119}}, send(DIFFERENCE)] as const),
  ],
  ['another amount', {}, {}, otherAmount, hold('amount-differs', DIFFERENCE)],
  [
    ...(['another amount, released', {}, {includeAmountDiffers: true}, otherAmount] as const),
    send(`open → paid; ${DIFFERENCE}`, 'paid'),
  ],
  [
    ...(['another amount, paid already', {}, {}] as const),
    {transaction: {...PAYMENT, state: 'paid', amountTotal: 119}},
    skip('already-applied', 'its transaction is paid already'),
  ],
])('by the state of the shop: %s', (_, stored, rules, known, expected) => {
  expect(judgeByState({...event, ...stored}, {...RULES, ...rules}, {...KNOWN, ...known})).toEqual(expected)
})

const SEND: Judged = {action: 'send', reason: null, detail: null}

test.each([
  [DAY_MS, DAY_MS, SEND],
  [DAY_MS + 1, DAY_MS, hold('expired', 'it is 1 day old')],
  [2 * DAY_MS, DAY_MS, hold('expired', 'it is 2 days old')],
  [DAY_MS - 1, 0, hold('expired', 'it is older than --max-age')],
  [DAY_MS, undefined, SEND],
])('an event of %i ms, where the oldest may be of %s', (ageMs, maxAgeMs, expected) => {
  const createdAt = new Date(NOW.getTime() - ageMs)
  expect(holdExpired({...event, createdAt}, SEND, {...RULES, maxAgeMs}, NOW)).toEqual(expected)
  const held = hold('blocked', 'behind another')
  expect(holdExpired({...event, createdAt}, held, {...RULES, maxAgeMs}, NOW)).toBe(held)
})

test('what is to happen is told by its reason, where it has one', () => {
  const held = hold('out-of-order', 'it would go back')
  expect([SEND, held].map(formatAction)).toEqual(['send', 'hold (out-of-order)'])
  expect([SEND, held, invalid('no type')].map(describeAction)).toEqual([
    ...['send', 'out-of-order: it would go back', 'invalid: no type'],
  ])
})
