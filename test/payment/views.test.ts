import {expect, test} from 'vitest'
import {printRows} from '../../src/output/print.js'
import type {Row, View} from '../../src/output/view.js'
import {DRIFT_VIEW} from '../../src/payment/reconcile/drift-row.js'
import {REPAIR_VIEW} from '../../src/payment/repair/repair-row.js'
import {PAYMENTS, toPaymentRow} from '../../src/payment/view/payment-row.js'

const AT = new Date('2026-11-20T12:00:00Z')
const ID = 'b'.repeat(32)

/** A value for each column, as long as the id: then each takes as much room as the next. */
const fill = ({columns, id}: View): Row =>
  Object.fromEntries(
    columns.map(({path, kind}) => [
      path,
      path === id
        ? ID
        : kind === 'time'
          ? AT.toISOString()
          : kind === 'money'
            ? {value: ID, currency: ''}
            : ID,
    ]),
  )

async function printTable(rows: readonly Row[], view: View, columns: number | undefined): Promise<string> {
  let text = ''
  const write = async (piece: string | Uint8Array) => {
    text += piece
  }
  const forEyes = {now: undefined, hasColor: false}
  await printRows(rows, {columns, write}, {view, format: 'table', forEyes})
  return text
}

/** The headings of a table, and in which order they leave it as the terminal narrows. */
async function narrow(view: View) {
  const readHeads = async (width: number | undefined) => {
    const [head = ''] = (await printTable([fill(view)], view, width)).split('\n')
    return head.trim().split(/ {2,}/)
  }
  const all = await readHeads(undefined)
  const left: string[] = []
  for (let width = 240; width > 50; width -= 10) {
    const heads = await readHeads(width)
    if (heads.some(head => !all.includes(head))) break
    left.push(...all.filter(head => !heads.includes(head) && !left.includes(head)))
  }
  return {all, left}
}

test.each([
  [
    'payments',
    PAYMENTS,
    ['TRANSACTION', 'ORDER', 'STATE', 'AMOUNT', 'CREATED', 'PROVIDER ORDER'],
    ['PROVIDER ORDER', 'CREATED', 'AMOUNT', 'STATE'],
  ],
  [
    'differences',
    DRIFT_VIEW,
    ['KIND', 'ORDER', 'TRANSACTION', 'STATE', 'SHOP', 'PROVIDER', 'CREATED', 'REPAIR', 'DETAIL'],
    ['TRANSACTION', 'REPAIR', 'CREATED', 'DETAIL', 'STATE', 'PROVIDER', 'SHOP'],
  ],
  [
    'repairs',
    REPAIR_VIEW,
    ['RESULT', 'KIND', 'ORDER', 'TRANSACTION', 'AMOUNT', 'REPAIR', 'DETAIL'],
    ['REPAIR', 'AMOUNT', 'DETAIL', 'ORDER', 'KIND'],
  ],
])('a table of %s keeps what matters most as the terminal narrows', async (_, view, all, left) => {
  expect(await narrow(view)).toEqual({all, left})
})

test.each([
  ['payments', PAYMENTS],
  ['differences', DRIFT_VIEW],
  ['repairs', REPAIR_VIEW],
])('amounts stand below each other in a table of %s', async (_, view) => {
  const amounts = ['9.90', '1200.00'].map(value => ({value, currency: 'EUR'}))
  const rows = amounts.map(amount => ({...fill(view), amount, createdAt: null}))
  const lines = (await printTable(rows, view, undefined)).split('\n')
  expect(lines[1]).toContain('      9.90 EUR  ')
  expect(lines[2]).toContain('  1,200.00 EUR  ')
})

test('a payment of the shop is a row with stable keys', () => {
  const attempt = (id: string, providerOrderId: string | null) => ({
    ...{id, state: 'open', createdAt: AT, providerOrderId},
  })
  const payment = {
    ...{orderId: 'o', orderNumber: '10001', orderState: 'completed', salesChannelId: 'c'},
    ...{units: 1990, currency: 'EUR', live: attempt('t', 'P'), earlier: [attempt('s', null)]},
  }
  const row = {
    ...{transaction: 't', orderNumber: '10001', order: 'o', state: 'open', orderState: 'completed'},
    ...{amount: {value: '19.90', currency: 'EUR'}, salesChannel: 'c', providerOrder: 'P', attempts: 2},
    createdAt: AT.toISOString(),
  }
  expect(toPaymentRow(payment)).toEqual(row)
  expect(toPaymentRow({...payment, units: 0, currency: '', doubt: 'not read', earlier: []})).toEqual({
    ...{...row, amount: null, attempts: 1},
  })
})
