import {createHash} from 'node:crypto'
import {expect, test} from 'vitest'
import type {PlannedRepair} from '../../src/contract/payment-rows.js'
import {readRepairPlan} from '../../src/payment/repair/repair-plan.js'
import {
  createRepairTask,
  type RepairInput,
  type RepairTaskDeps,
} from '../../src/payment/repair/repair-task.js'

const HEAD = {
  ...{storectlRepairPlan: 1, target: 'shop', profile: 'live'},
  ...{madeAt: '2026-11-20T12:00:00Z', skipFlows: false},
}
const PAYMENT = 'a'.repeat(32)
const repair = (more: object = {}): PlannedRepair => ({
  ...{
    kind: 'capture-missed',
    transaction: PAYMENT,
    orderNumber: '10001',
    amount: {value: '12.50', currency: 'EUR'},
  },
  ...{state: 'open', expected: 'paid', providerOrders: ['P'], detail: 'both sides'},
  ...{repair: {way: 'transition', action: 'paid'}, ...more},
})
const back = repair({
  kind: 'unknown-at-provider',
  transaction: 'b'.repeat(32),
  state: 'paid',
  expected: 'open',
})
const byHand = repair({
  ...{kind: 'unknown-in-shop', transaction: null, repair: {way: 'by-hand', why: 'ask'}, orderNumber: null},
})

async function plan(lines: readonly PlannedRepair[], head: object = {}) {
  const all = [{...HEAD, ...head}, ...lines].map(line => `${JSON.stringify(line)}\n`).join('')
  const hash = createHash('sha256').update(all).digest('hex')
  const text = `${all}${JSON.stringify({payments: lines.length, hash})}\n`
  return readRepairPlan({
    name: 'repair.plan',
    read: async function* () {
      yield Buffer.from(text)
    },
  })
}

/** What a run of a plan would do, and what the person is asked. */
async function open(lines: readonly PlannedRepair[], input: Partial<RepairInput> = {}, head: object = {}) {
  const asked: [string, boolean][] = []
  const deps = {
    ...{target: 'shop', profile: 'live', shopName: 'shop (live)'},
    confirm: async (...question: [string, boolean]) => void asked.push(question),
    createOperation: async (run: string) => ({run}),
  } as unknown as RepairTaskDeps
  const whole = {
    plan: await plan(lines, head),
    allowsBackwards: false,
    max: undefined,
    reason: null,
    ...input,
  }
  const bulk = await createRepairTask(whole as RepairInput, deps).plan()
  const unsent = async (run: string | null) => {
    const found = []
    for await (const some of bulk.listUnsent(run)) found.push(...some)
    return found
  }
  return {bulk, asked, unsent}
}

test('a run repairs what a run can, and moves money back only where that is allowed', async () => {
  const lines = [repair(), back, byHand]
  const {bulk, unsent} = await open(lines)
  expect([bulk.total, bulk.sends]).toEqual([3, 1])
  const [, last] = await unsent('run1')
  expect((await unsent('run1')).map(({result}) => result)).toEqual([
    {
      ...{resultClass: 'held', result: 'held', isKnownHold: true},
      detail: 'it would move money back: --allow-backwards',
      facts: {order: '10001', amount: {value: '12.50', currency: 'EUR'}},
    },
    {
      ...{resultClass: 'held', result: 'held', isKnownHold: true, detail: 'by hand: ask (both sides)'},
      facts: {amount: {value: '12.50', currency: 'EUR'}},
    },
  ])
  expect(last?.row).toMatchObject({
    ...{
      transaction: null,
      kind: 'unknown-in-shop',
      amount: {value: '12.50', currency: 'EUR'},
      repair: 'by hand: ask',
    },
    ...{result: 'held', detail: 'by hand: ask (both sides)', run: 'run1'},
  })
  const allowed = await open(lines, {allowsBackwards: true})
  expect(allowed.bulk.sends).toBe(2)
  expect((await allowed.unsent(null)).map(({row}) => [row.kind, row.run])).toEqual([
    ['unknown-in-shop', null],
  ])
})

test('payments that the shop does not know are told apart by what the plan says of them', async () => {
  const other = {...byHand, detail: 'others'}
  const named = {...byHand, orderNumber: '10009'}
  const {unsent} = await open([byHand, other, named])
  const keys = (await unsent(null)).map(({item: {key}}) => key)
  expect(keys).toEqual([
    expect.stringMatching(/^payment-[0-9a-f]{12}$/),
    expect.stringMatching(/^payment-[0-9a-f]{12}$/),
    expect.stringMatching(/^10009-[0-9a-f]{12}$/),
  ])
  expect(new Set(keys).size).toBe(3)
})

test.each<[string, PlannedRepair[], Partial<RepairInput>, object, [string, boolean]]>([
  [
    'one',
    [repair()],
    {},
    {},
    ['repair 1 payment of shop (live) (12.50 EUR); flows run: up to 1 customer may get e-mails', false],
  ],
  [
    'two',
    [repair(), repair({amount: {value: '7', currency: 'JPY'}}), back],
    {},
    {},
    [
      'repair 2 payments of shop (live) (12.50 EUR, 7 JPY); flows run: up to 2 customers may get e-mails',
      false,
    ],
  ],
  [
    'one without an amount',
    [repair({amount: null})],
    {},
    {skipFlows: true},
    [
      'repair 1 payment of shop (live); flows are skipped: no e-mails to customers; webhooks and plugins of the shop still run',
      false,
    ],
  ],
  [
    'one forward and one back',
    [repair(), back],
    {allowsBackwards: true},
    {},
    [
      'repair 2 payments of shop (live) (12.50 EUR), 1 of which move money back (12.50 EUR); flows run: up to 2 customers may get e-mails',
      true,
    ],
  ],
  [
    'none back',
    [repair()],
    {allowsBackwards: true},
    {},
    ['repair 1 payment of shop (live) (12.50 EUR); flows run: up to 1 customer may get e-mails', false],
  ],
])('a person is asked about %s', async (_, lines, input, head, question) => {
  const {bulk, asked} = await open(lines, input, head)
  await bulk.confirm()
  expect(asked).toEqual([question])
})

test('more repairs than allowed are refused before anybody is asked', async () => {
  const {bulk, asked} = await open([repair(), repair()], {max: 1})
  await expect(bulk.confirm()).rejects.toMatchObject({
    ...{code: 'stopped.too_many', message: '2 repairs exceed --max 1. Nothing was changed.'},
    nextSteps: ['add --max 2'],
  })
  expect(asked).toEqual([])
  await expect((await open([repair(), repair()], {max: 2})).bulk.confirm()).resolves.toBeDefined()
})

test('what a run sends are the payments of the plan, each under its transaction', async () => {
  const {bulk} = await open([repair(), back, byHand], {allowsBackwards: true})
  const {createWork} = await bulk.confirm()
  const work = await createWork({id: 'run1'} as never)
  expect(work).toMatchObject({operation: {run: 'run1'}, blocksKey: true, total: 3})
  const items = []
  for await (const some of work.items as AsyncIterable<readonly object[]>) items.push(...some)
  expect(items).toMatchObject([
    {
      key: PAYMENT,
      orderingKey: `transaction:${PAYMENT}`,
      contentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
    {key: back.transaction, value: back},
  ])
})

test('the plan of another shop is refused', async () => {
  await expect(open([repair()], {}, {target: 'other'})).rejects.toMatchObject({
    code: 'usage.plan_of_other_shop',
    message: 'The plan is for other, and shop is chosen. Nothing was changed.',
    nextSteps: ['storectl payment reconcile --apply FILE --profile live'],
  })
})

test('what is left to a person is not all repaired, and an end names the command that goes on', async () => {
  const exit = async (lines: PlannedRepair[], of: 'ok' | 'rejected') =>
    (await open(lines)).bulk.presentation.chooseExit?.(of, {} as never)
  expect(await exit([repair()], 'ok')).toBe('ok')
  expect(await exit([repair(), byHand], 'ok')).toBe('partial')
  expect(await exit([repair(), byHand], 'rejected')).toBe('rejected')
  const {presentation} = (await open([repair()])).bulk
  expect(presentation.resumeCommand('run1')).toBe('storectl payment reconcile --apply FILE   (the same plan)')
  expect(presentation.describeUnknown({unknown: ['a', 'b']} as never)).toBe('may have been repaired: a, b')
  expect(presentation.summarize({summary: {describeResults: () => ''}} as never)).toBe('nothing to repair')
  expect(presentation.summarize({summary: {describeResults: () => '1 applied'}} as never)).toBe('1 applied')
})
