import {createHash} from 'node:crypto'
import {expect, test} from 'vitest'
import type {PlannedRepair, RepairPlanHead} from '../../src/contract/payment-rows.js'
import {DRIFT_KINDS} from '../../src/payment/drift/drift.js'
import {describeRepair, listPaymentFacts} from '../../src/payment/repair/repair.js'
import {
  createRepairPlanWriter,
  createRepairResumeError,
  readRepairPlan,
} from '../../src/payment/repair/repair-plan.js'

const HEAD: RepairPlanHead = {
  storectlRepairPlan: 1,
  ...{target: 'shop', profile: 'live', madeAt: '2026-11-20T12:00:00Z', skipFlows: false},
}
const REPAIR: PlannedRepair = {
  ...{
    kind: 'capture-missed',
    transaction: 'a'.repeat(32),
    orderNumber: '10001',
    amount: {value: '12.50', currency: 'EUR'},
  },
  ...{state: 'open', expected: 'paid', providerOrders: ['P'], detail: 'both sides'},
  repair: {way: 'transition', action: 'paid'},
}
const repair = (more: object) => ({...REPAIR, ...more}) as PlannedRepair
const eur = (value: string) => ({value, currency: 'EUR'})

const read = (text: string) =>
  readRepairPlan({
    name: 'repair.plan',
    read: async function* () {
      yield Buffer.from(text)
    },
  })

/** A plan as it is written. */
async function write(lines: readonly PlannedRepair[]): Promise<string> {
  let text = ''
  const writer = createRepairPlanWriter(async piece => {
    text += piece
  })
  await writer.begin(HEAD)
  await writer.add(lines)
  await writer.end()
  return text
}

test('a plan counts what it repairs forward and back, and what that is worth', async () => {
  const byHand = {way: 'by-hand', why: 'x'}
  const lines = [
    REPAIR,
    repair({amount: eur('0.50'), repair: {way: 'replay', event: 'WH-1', sha256: 'f'}}),
    repair({amount: {value: '7', currency: 'JPY'}, repair: {way: 'resend', event: 'WH-1'}}),
    repair({amount: null}),
    repair({kind: 'unknown-at-provider', amount: eur('3.00')}),
    repair({amount: eur('100.00'), repair: byHand}),
    repair({kind: 'unknown-at-provider', amount: eur('100.00'), repair: byHand}),
  ]
  const text = await write(lines)
  const plan = await read(text)
  expect(plan).toMatchObject({head: HEAD, count: 7, forward: {count: 4}, back: {count: 1}})
  expect([plan.forward.amounts.format(), plan.back.amounts.format()]).toEqual([
    '13.00 EUR, 7 JPY',
    '3.00 EUR',
  ])
  const found: PlannedRepair[] = []
  for await (const line of plan.readLines()) found.push(line)
  expect(found).toEqual(lines)
  expect(JSON.parse(text.trim().split('\n').at(-1) ?? '')).toEqual({payments: 7, hash: plan.hash})
})

test.each<readonly [string, object]>([
  ['whatever kind', {kind: 'made-up'}],
  ['no kind', {kind: undefined}],
  ['a transaction that is no id', {transaction: 'A'.repeat(32)}],
  ['a transaction in a list', {transaction: ['a'.repeat(32)]}],
  ['no transaction', {transaction: undefined}],
  ...['orderNumber', 'amount', 'state', 'expected'].map(
    name => [`a number as ${name}`, {[name]: 7}] as const,
  ),
  ['one order of the provider', {providerOrders: 'P'}],
  ['no text as an order of the provider', {providerOrders: ['P', 7]}],
  ['no detail', {detail: null}],
  ['no repair', {repair: undefined}],
  ['an unknown way', {repair: {way: 'toString'}}],
  ['a list of ways', {repair: {way: ['transition'], action: 'paid'}}],
  ['a replay without an event', {repair: {way: 'replay', sha256: 'f'}}],
  ['a replay without a hash', {repair: {way: 'replay', event: 'WH-1'}}],
  ['a resend without an event', {repair: {way: 'resend', sha256: 'f'}}],
  ['a transition without an action', {repair: {way: 'transition', why: 'x'}}],
  ['no reason for a person', {repair: {way: 'by-hand', action: 'x'}}],
])('a plan with %s is refused, although its hash was made anew', async (_, more) => {
  const lines = [HEAD, repair(more)].map(line => `${JSON.stringify(line)}\n`).join('')
  const hash = createHash('sha256').update(lines).digest('hex')
  await expect(read(`${lines}${JSON.stringify({payments: 1, hash})}\n`)).rejects.toMatchObject({
    code: 'usage.plan_edited',
    message: 'repair.plan was edited, or is of another version. Nothing was changed.',
    nextSteps: ['storectl payment reconcile --plan FILE   (a new plan)'],
  })
})

test('each kind, and a payment of which nothing is known, may stand in a plan', async () => {
  const nothing = {
    transaction: null,
    orderNumber: null,
    amount: null,
    state: null,
    expected: null,
  }
  const lines = DRIFT_KINDS.map(kind => repair({kind, ...nothing, providerOrders: []}))
  expect((await read(await write(lines))).count).toBe(DRIFT_KINDS.length)
})

test('a file that is no plan, or that was cut off, says so', async () => {
  await expect(read('{"other":1}\n')).rejects.toMatchObject({
    ...{code: 'usage.not_a_plan', message: 'repair.plan is not a plan of repairs. Nothing was changed.'},
  })
  const [head, line] = (await write([REPAIR])).split('\n')
  await expect(read(`${head}\n${line}\n`)).rejects.toMatchObject({
    ...{code: 'usage.plan_edited', message: 'repair.plan was edited or cut off. Nothing was changed.'},
  })
})

test('a repair is told by its way, and by what it moves back', () => {
  const describe = (repair: PlannedRepair['repair'], kind: PlannedRepair['kind'] = 'capture-missed') =>
    describeRepair({kind, repair})
  expect(describe({way: 'replay', event: 'WH-1', sha256: 'f'})).toBe('replay WH-1')
  expect(describe({way: 'resend', event: 'WH-1'})).toBe('resend WH-1')
  expect(describe({way: 'transition', action: 'paid'})).toBe('transition paid')
  expect(describe({way: 'transition', action: 'reopen'}, 'unknown-at-provider')).toBe(
    'transition reopen (moves money back)',
  )
  expect(describe({way: 'by-hand', why: 'ask'})).toBe('by hand: ask')
})

test('a run stores the order and the amount of a payment, as far as they are known', () => {
  expect(listPaymentFacts(REPAIR)).toEqual({order: '10001', amount: {value: '12.50', currency: 'EUR'}})
  expect(listPaymentFacts(repair({orderNumber: null, amount: null}))).toEqual({})
})

test('a run of repairs is not resumed: its plan is applied again', () => {
  expect(createRepairResumeError('run1')).toMatchObject({
    ...{
      code: 'usage.repair_resume',
      message: 'Run run1 is a repair: apply its plan again. Nothing was changed.',
    },
    nextSteps: ['storectl payment reconcile --apply FILE   (what no longer differs is skipped)'],
  })
})
