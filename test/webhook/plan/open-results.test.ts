import {expect, test} from 'vitest'
import type {LedgerEntry} from '../../../src/runs/journal/journal-entry.js'
import {findOpenResults} from '../../../src/webhook/plan/open-results.js'
import {NOW, plannedCapture} from '../replay/replayed-payment.js'

test.each([
  ['shows what came of it', 'open', false],
  ['was the same before it was sent', 'paid', true],
])('an unknown result is open, unless the state %s', async (_, before, isOpen) => {
  const {event} = plannedCapture().value
  const unknown = {...event, status: 'unknown' as const}
  const entry = {at: NOW, runId: 'r', resultClass: 'unknown', facts: {before}} as unknown as LedgerEntry
  const key = 'the payment'
  const now = {id: 'a', state: 'paid', amountTotal: 100, payUponInvoice: false} as const
  const open = await findOpenResults(
    new Map([[key, {newest: undefined, captures: [], unknown: [unknown]}]]),
    new Map([[key, now]]),
    {
      target: 'shop',
      at: NOW,
      rules: {checkState: true, includeUnknown: false} as never,
      runs: {findLedgerEntries: async (_kind, _target, ids) => new Map([...ids].map(id => [id, entry]))},
    },
  )
  expect([...open.keys()]).toEqual(isOpen ? [key] : [])
})
