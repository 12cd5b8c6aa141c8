import {expect, test} from 'vitest'
import type {Rows} from '../../../src/output/print.js'
import type {Row, View} from '../../../src/output/view.js'
import type {FoundDrift} from '../../../src/payment/reconcile/drift-row.js'
import {presentReconciliation} from '../../../src/payment/reconcile/present-reconciliation.js'
import {StoppedClock} from '../../support/clock.js'

const drift = (kind: string): FoundDrift =>
  ({
    drift: {kind, transaction: undefined, expected: undefined, detail: 'both sides'},
    facts: {shop: undefined, provider: {movements: [], voidedOrderIds: []}},
  }) as unknown as FoundDrift

/** A comparison of some batches, shown to a person who leaves at the first table, or printed for a program. */
async function present(batches: readonly FoundDrift[][], isBrief: boolean) {
  const leaving = new AbortController()
  const steps: string[] = []
  const progress = {payments: 9, movements: 9, asked: 0, found: batches.flat().length}
  let isComplete = false
  const run = async function* () {
    for (const batch of batches) {
      if (leaving.signal.aborted) return
      steps.push('compared')
      yield batch
    }
    isComplete = true
  }
  const reconciliation = {
    ...{run, progress},
    get isComplete() {
      return isComplete
    },
  }
  const exit = await presentReconciliation(
    {
      ...{reconciliation, resumeCommand: 'resume'},
      complete: async () => {
        steps.push('complete')
        return ['written']
      },
    },
    {
      ...{isBrief, clock: new StoppedClock('2026-11-21T12:00:00Z'), verbose: false, stopping: leaving.signal},
      openBar: async () => undefined,
      setLastMessage: () => () => {},
      note: async text => void steps.push(`note ${text}`),
      print: async (rows: Rows, view: View) => {
        for await (const some of rows)
          for (const row of [some].flat() as Row[])
            steps.push(`${view.id} ${String(row.kind ?? '')} ${String(row.count ?? '')}`.trim())
        leaving.abort()
      },
    },
  )
  return {exit, steps}
}

const BATCHES = [[drift('unclear')], [drift('pending'), drift('pending')]]

test('a person sees the kinds with counts first, and who leaves the pager ends nothing but the rows', async () => {
  const {exit, steps} = await present(BATCHES, true)
  expect(exit).toBe('partial')
  expect(steps).toEqual([
    ...['compared', 'compared', 'complete'],
    ...['kind pending 2', 'kind unclear 1', 'kind'],
    ...['transaction unclear', 'transaction pending', 'transaction pending'],
    'note 9 payments compared with 9 movements of the provider: 3 differ (2 pending, 1 unclear)',
    'note written',
  ])
})

test('a program gets each batch as it is found', async () => {
  const {steps} = await present(BATCHES, false)
  expect(steps.slice(0, 4)).toEqual(['compared', 'transaction unclear', 'compared', 'transaction pending'])
})

test('a person is shown 1,000 payments, and told how many more there are', async () => {
  const {steps} = await present([Array.from({length: 1002}, () => drift('unclear'))], true)
  expect(steps.filter(step => step === 'transaction unclear')).toHaveLength(1000)
  expect(steps).toContain('note 2 more payments not shown: resume -o csv')
})
