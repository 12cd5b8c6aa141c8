import {expect, test} from 'vitest'
import {interpretRow} from '../../../src/payment/reconcile/report-codes.js'

const done = {status: 'done'}
const other = {kind: 'other', ...done}

/** The table of the provider's codes: what each row is with a plus and with a minus. */
test.each([
  ['T0006', 'S', {kind: 'capture', ...done}, undefined],
  ['T0000', 'S', {kind: 'capture', ...done}, undefined],
  ['T0006', 'P', {kind: 'capture', status: 'pending'}, undefined],
  ['T0006', 'D', {kind: 'capture', status: 'declined'}, undefined],
  ['T0006', 'V', {kind: 'capture', ...done, reversed: 'all'}, undefined],
  ['T0006', 'F', {kind: 'capture', ...done, reversed: 'part'}, undefined],
  ['T0006', 'X', other, other],
  ['T1106', 'S', undefined, {kind: 'refund', ...done}],
  ['T1107', 'S', undefined, {kind: 'refund', ...done}],
  ['T1107', 'P', undefined, {kind: 'refund', status: 'pending'}],
  ['T1107', 'D', undefined, {kind: 'refund', status: 'declined'}],
  ['T1107', 'V', other, other],
  ['T1105', 'S', undefined, undefined],
  ['T1108', 'S', undefined, undefined],
  ['T1109', 'S', undefined, undefined],
  ['T1110', 'S', {kind: 'dispute', status: 'pending'}, {kind: 'dispute', status: 'pending'}],
  ['T1111', 'S', {kind: 'dispute', ...done}, {kind: 'dispute', ...done}],
  ['T1103', 'S', other, other],
  ['T1201', 'S', {kind: 'dispute', status: 'pending'}, {kind: 'dispute', status: 'pending'}],
  ['T1202', 'S', {kind: 'dispute', ...done}, {kind: 'dispute', ...done}],
  ['T0106', 'S', {kind: 'dispute', status: 'pending'}, {kind: 'dispute', status: 'pending'}],
  ['T0114', 'S', {kind: 'dispute', status: 'pending'}, {kind: 'dispute', status: 'pending'}],
  ['T1300', 'S', {kind: 'authorization', ...done}, {kind: 'authorization', ...done}],
  ['T1301', 'P', {kind: 'authorization', status: 'pending'}, {kind: 'authorization', status: 'pending'}],
  ['T1300', 'V', {kind: 'authorization', status: 'declined'}, {kind: 'authorization', status: 'declined'}],
  ['T1302', 'S', {kind: 'authorization', status: 'declined'}, {kind: 'authorization', status: 'declined'}],
  ['T1501', 'S', undefined, undefined],
  ['T2105', 'S', undefined, undefined],
  ['T2108', 'S', undefined, undefined],
  ['T0400', 'S', undefined, undefined],
  ['', '', undefined, undefined],
] as const)('%s with status %s', (code, status, plus, minus) => {
  expect(interpretRow(code, status, 100)).toEqual(plus)
  expect(interpretRow(code, status, -100)).toEqual(minus)
})

test('money that cannot be read is left to a look-up of the order', () => {
  expect(interpretRow('T0006', 'S', undefined)).toEqual(other)
  expect(interpretRow('T1107', 'S', undefined)).toEqual(other)
  expect(interpretRow('T1110', 'S', undefined)).toEqual({kind: 'dispute', status: 'pending'})
})
