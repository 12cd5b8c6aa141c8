import {expect, test} from 'vitest'
import type {ProviderMovement} from '../../../src/payment/drift/payment-facts.js'
import {sumMovements} from '../../../src/payment/drift/sum-movements.js'

const at = (time: string, status: 'done' | 'pending'): ProviderMovement => ({
  ...{id: 'D1', kind: 'dispute', status, units: 1000, currency: 'EUR', at: new Date(time)},
  ...{orderId: null, transactionId: null, invoiceId: null, captureId: 'C1'},
})
const [EARLY, LATE] = ['2026-11-19T12:00:00Z', '2026-11-20T12:00:00Z']

test.each([
  ['no row', [], false],
  ['its only row', [at(EARLY, 'pending')], true],
  ['the later row', [at(EARLY, 'pending'), at(LATE, 'done')], false],
  ['the later row, wherever it is listed', [at(LATE, 'done'), at(EARLY, 'pending')], false],
  ['the later row, though it was over before', [at(LATE, 'pending'), at(EARLY, 'done')], true],
  ['of two rows of one moment the last', [at(LATE, 'pending'), at(LATE, 'done')], false],
  ['of two rows of one moment the last one, too', [at(LATE, 'done'), at(LATE, 'pending')], true],
] as const)('whether a dispute is open is decided by %s', (_, rows, isDisputed) => {
  expect(sumMovements(rows)).toMatchObject({isDisputed, captured: 0, refunded: 0, pending: []})
})
