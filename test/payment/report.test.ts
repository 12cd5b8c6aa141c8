import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {DRIFT_KINDS, type Drift, type DriftKind} from '../../src/payment/drift/drift.js'
import {DRIFT_MEANINGS} from '../../src/payment/drift/drift-meanings.js'
import type {ProviderMovement} from '../../src/payment/drift/payment-facts.js'
import type {StoredComparison} from '../../src/payment/reconcile/comparison.js'
import type {FoundDrift} from '../../src/payment/reconcile/drift-row.js'
import {writeComparisonReport} from '../../src/payment/report/comparison-report.js'
import type {ReportFormat} from '../../src/runs/report/report-format.js'

const AT = '2026-11-10T08:00:00.000Z'
const NOW = new Date('2026-11-20T12:00:00Z')

const capture: ProviderMovement = {
  ...{id: 'C1', kind: 'capture', status: 'done', units: 1990, currency: 'EUR', at: new Date(AT)},
  ...{orderId: 'P1', transactionId: 't9', invoiceId: '10009', captureId: null},
}

/** A payment of the shop that differs. */
function createFound(at: number, kind: DriftKind, more: {doubt?: string; units?: number} = {}): FoundDrift {
  const live = {id: `t${at}`, state: 'open', createdAt: new Date(AT), providerOrderId: `P${at}`}
  const drift: Drift = {kind, transaction: live, expected: 'paid', detail: `both | sides of ${at}`}
  const shop = {
    ...{orderId: `o${at}`, orderNumber: `1000${at}`, orderState: 'open', salesChannelId: 'c'},
    ...{units: 1990, currency: 'EUR', live, earlier: [], ...more},
  }
  return {facts: {shop, provider: {movements: [], voidedOrderIds: []}}, drift}
}

const unknown: FoundDrift = {
  facts: {shop: undefined, provider: {movements: [capture], voidedOrderIds: []}},
  drift: {kind: 'unknown-in-shop', transaction: undefined, expected: undefined, detail: 'no such payment'},
}

const FOUND = [
  createFound(1, 'capture-missed'),
  createFound(2, 'capture-missed', {units: 123_400}),
  createFound(3, 'unclear', {doubt: 'not read', units: 0}),
  unknown,
]

const comparison: StoredComparison = {
  ...{id: 'cmp1', target: 'shop', startedAt: '2026-11-20T11:00:00Z', completedAt: '2026-11-20T11:30:00Z'},
  ...{since: '2026-11-01T00:00:00Z', until: '2026-11-20T00:00:00Z', salesChannel: null, where: null},
  ...{pendingAfterMs: 0, minAgeMs: 0},
}

async function write(
  format: ReportFormat,
  found: readonly FoundDrift[],
  more: Partial<StoredComparison> = {},
): Promise<string> {
  let text = ''
  const reported = {
    comparison: {...comparison, ...more},
    progress: {payments: 1200, movements: 3400, asked: 56, found: found.length},
    ...{shopName: 'shop', command: 'storectl payment reconcile', now: NOW},
    readFound: async function* () {
      yield found
    },
  }
  const out = {
    columns: undefined,
    write: async (piece: string | Uint8Array) => {
      text += piece
    },
  }
  await writeComparisonReport(format, reported, out)
  return text
}

const means = (kind: DriftKind) => `${DRIFT_MEANINGS[kind].meaning} | ${DRIFT_MEANINGS[kind].repair}`

test('Markdown has the verdict, the kinds with their meaning and repair, the comparison and the payments', async () => {
  expect(await write('markdown', FOUND)).toBe(`# 4 payments differ from the provider; 1,200 payments compared.

Comparison cmp1 of shop

## Kinds

| Kind | Payments | Amount | Meaning | Repair |
| --- | --- | --- | --- | --- |
| unclear | 1 |  | ${means('unclear')} |
| capture-missed | 2 | 1,253.90 EUR | ${means('capture-missed')} |
| unknown-in-shop | 1 | 19.90 EUR | ${means('unknown-in-shop')} |

## Comparison

|  |  |
| --- | --- |
| Shop | shop |
| Period | 2026-11-01T00:00:00Z to 2026-11-20T00:00:00Z |
| Compared | 1,200 payments with 3,400 movements |
| Looked up | 56 one by one at the provider |
| Begun | 2026-11-20T11:00:00Z |
| Complete | 2026-11-20T11:30:00Z |
| Comparison | cmp1 |
| Command | storectl payment reconcile |

## Payments that differ

| Kind | Order | Transaction | State | Amount | Both sides | Begun |
| --- | --- | --- | --- | --- | --- | --- |
| capture-missed | 10001 | t1 | open | 19.90 EUR | both \\| sides of 1 | ${AT} |
| capture-missed | 10002 | t2 | open | 1234.00 EUR | both \\| sides of 2 | ${AT} |
| unclear | 10003 | t3 | open |  | both \\| sides of 3 | ${AT} |
| unknown-in-shop | 10009 |  |  |  | no such payment | ${AT} |

Written 2026-11-20T12:00:00.000Z by storectl.
`)
})

const EXPLAINED = `| unclear | 1 | 19.90 EUR | an answer is about another payment, or an amount cannot be read | by hand: compare both sides |
| disputed | 1 | 19.90 EUR | in dispute at the provider | none: answer the dispute at the provider |
| capture-missed | 1 | 19.90 EUR | captured, and the shop still waits for the money | its event, else a transition of the shop |
| refund-missed | 1 | 19.90 EUR | refunded in full, and the shop still has the money or waits for it | its event, else a transition of the shop |
| partial-missed | 1 | 19.90 EUR | captured or refunded in part, and the shop does not know | its event, else a transition of the shop |
| cancelled-late | 1 | 19.90 EUR | captured, and the shop has given up on the payment | its event, else a transition of the shop; by hand if the order is cancelled too |
| cancelled-at-provider | 1 | 19.90 EUR | declined or cancelled, and the shop waits for the money | its event, else a transition of the shop |
| amount-differs | 1 | 19.90 EUR | captured with another amount or currency | by hand, at the provider |
| captured-twice | 1 | 19.90 EUR | captured more than once for one order | by hand, at the provider |
| unknown-at-provider | 1 | 19.90 EUR | nothing captured, and the shop has the payment as paid or refunded | a transition that moves money back, only with --allow-backwards |
| unknown-in-shop | 1 | 19.90 EUR | captured for a transaction that the shop does not have | by hand, at the provider |
| pending | 1 | 19.90 EUR | held back by the provider | by hand, at the provider |
| authorization-expiring | 1 | 19.90 EUR | authorized and not captured, and the authorization ends soon | by hand: capture it, or cancel the order |
| refund-owed | 1 | 19.90 EUR | the order was cancelled or returned, and the provider still has the money | by hand, at the provider |
`

test('a report explains each kind, in the order in which the manual says that the first one counts', async () => {
  const manual = readFileSync(join(import.meta.dirname, '../../docs/reconcile.md'), 'utf8')
  const [, table = ''] =
    /\| kind \| at the provider \| in the shop \|\n(?:\|-+)+\|\n((?:\|.*\n)+)/.exec(manual) ?? []
  const kinds = [...table.matchAll(/^\| `([a-z-]+)` /gm)].map(([, kind]) => kind)
  expect(kinds).toEqual(DRIFT_KINDS)
  const found = [...DRIFT_KINDS].reverse().map((kind, at) => createFound(at, kind))
  expect(await write('markdown', found)).toContain(`| --- | --- | --- | --- | --- |\n${EXPLAINED}\n`)
})

test('filters, one payment, and an end that was not written down are named', async () => {
  const text = await write('markdown', FOUND.slice(0, 1), {
    ...{salesChannel: 'channel', where: 'amount > 1', completedAt: null},
  })
  expect(text).toMatch(/^# 1 payment differs from the provider; 1,200 payments compared\.\n/)
  expect(text).toContain('| Only | sales channel channel, amount > 1 |\n| Compared |')
  expect(text).toContain('| Complete | 2026-11-20T12:00:00.000Z |')
  expect(await write('markdown', FOUND, {where: 'amount > 1'})).toContain('| Only | amount > 1 |')
})

test('where nothing differs there are no kinds and no payments', async () => {
  const text = await write('markdown', [])
  expect(text).toMatch(
    /^# No difference: 1,200 payments compared with the provider\.\n\n.*\n\n## Comparison\n/,
  )
  expect(text).toMatch(/\| Command \| storectl payment reconcile \|\n\nWritten /)
  const page = await write('html', [])
  expect(page).toContain('<header class="good">')
  expect(page).not.toContain('<h2>Kinds</h2>')
})

test('Markdown shows 200 payments, and the command that lists the others', async () => {
  const found = Array.from({length: 201}, (_, at) => createFound(at, 'pending'))
  const text = await write('markdown', found)
  expect(text.match(/^\| pending \| 1000/gm)).toHaveLength(200)
  expect(text).toContain('\n1 more: `storectl payment reconcile --resume cmp1 -o csv`\n')
  expect(await write('markdown', found.slice(1))).not.toContain(' more: ')
})

test('a page has the verdict, the kinds with their meaning and repair, the comparison and all payments', async () => {
  const page = await write('html', [...FOUND, createFound(5, 'capture-missed', {units: 1})])
  expect(page).toContain('<header class="attention">\n<p class="run">Comparison cmp1 of shop</p>')
  const cells = (html: string) => [...html.matchAll(/<t[hd]\b[^>]*>(.*?)<\/t[hd]>/g)].map(([, cell]) => cell)
  const [, kinds = ''] = /<h2>Kinds<\/h2>([\s\S]*?)<\/section>/.exec(page) ?? []
  const headings = ['Kind', 'Payments', 'Amount', 'Meaning', 'Repair']
  expect(cells(kinds)).toEqual([
    ...headings,
    ...['unclear', '1', '', ...means('unclear').split(' | ')],
    ...['capture-missed', '3', '1,253.91 EUR', ...means('capture-missed').split(' | ')],
    ...['unknown-in-shop', '1', '19.90 EUR', ...means('unknown-in-shop').split(' | ')],
  ])
  expect([...kinds.matchAll(/data-label="(\w+)"/g)].map(([, label]) => label)).toEqual(
    Array(3).fill(headings).flat(),
  )
  const [, payments = ''] = /<h2>Payments that differ<\/h2>([\s\S]*?)<\/section>/.exec(page) ?? []
  expect(cells(payments).slice(0, 14)).toEqual([
    ...['Kind', 'Order', 'Transaction', 'State', 'Amount', 'Both sides', 'Begun'],
    ...['capture-missed', '10001', 't1', 'open', '19.90 EUR', 'both | sides of 1', AT],
  ])
  expect(page).toContain('<p>Written 2026-11-20T12:00:00.000Z by storectl.</p>')
  expect(page).toContain(
    JSON.stringify(['unknown-in-shop', '10009', null, null, null, 'no such payment', AT, 'P1']),
  )
})

test('sums of several currencies stand below each other on a page', async () => {
  const yen = createFound(2, 'pending', {units: 300})
  const found = [
    createFound(1, 'pending'),
    {...yen, facts: {...yen.facts, shop: {...yen.facts.shop, currency: 'JPY'}}},
  ]
  expect(await write('html', found as FoundDrift[])).toContain('19.90 EUR<br>300 JPY')
})

test('JSON has what Markdown has, and each payment as a row', async () => {
  const json = JSON.parse(await write('json', FOUND))
  expect(json).toMatchObject({
    verdict: '4 payments differ from the provider; 1,200 payments compared.',
    totals: {payments: 1200, movements: 3400, asked: 56, found: 4},
    ...{comparison, command: 'storectl payment reconcile', writtenAt: NOW.toISOString()},
  })
  expect(json.kinds[1]).toEqual({
    ...{
      kind: 'capture-missed',
      count: 2,
      amounts: [{value: '1253.90', currency: 'EUR'}],
      ...DRIFT_MEANINGS['capture-missed'],
    },
  })
  expect(json.payments).toMatchObject([
    {transaction: 't1'},
    {transaction: 't2'},
    {transaction: 't3', amount: null},
    {
      ...{kind: 'unknown-in-shop', orderNumber: '10009', transaction: null, order: null, state: null},
      ...{expected: null, amount: null, orderState: null, salesChannel: null},
      ...{providerOrder: 'P1', movements: ['C1'], createdAt: AT, detail: 'no such payment'},
    },
  ])
  expect(json.payments[0]).toEqual({
    ...{kind: 'capture-missed', orderNumber: '10001', transaction: 't1', order: 'o1', state: 'open'},
    ...{expected: 'paid', amount: {value: '19.90', currency: 'EUR'}, orderState: 'open', salesChannel: 'c'},
    providerAmount: {value: '0.00', currency: 'EUR'},
    ...{providerOrder: 'P1', movements: [], createdAt: AT, detail: 'both | sides of 1'},
  })
})

test('CSV has the columns of the list', async () => {
  expect(await write('csv', FOUND.slice(0, 1))).toBe(
    [
      'kind,orderNumber,transaction,state,amount.value,amount.currency,providerAmount.value,providerAmount.currency,createdAt,repair,detail',
      `capture-missed,10001,t1,open,19.90,EUR,0.00,EUR,${AT},,both | sides of 1`,
      '',
    ].join('\r\n'),
  )
})
