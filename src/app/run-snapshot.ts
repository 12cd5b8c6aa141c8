import {describeMachine} from '../platform/processes.js'
import {findRun} from '../runs/find-run.js'
import type {Reported} from '../runs/report/report.js'
import type {ItemDetails} from '../runs/report/report-items.js'
import {toRunRow} from '../runs/report/run-view.js'
import type {InboxEvent} from '../webhook/event/event.js'
import type {Adapters} from './adapters/adapters.js'
import type {Host} from './host.js'

/**
 * Reads a run for a report at one moment, so that all its counts agree: the journal, and the inbox for what a replay
 * sent.
 *
 * @throws StorectlError as `findRun` does
 */
export async function readRunSnapshot<T>(
  host: Host,
  adapters: Adapters,
  word: string,
  read: (reported: Reported) => Promise<T>,
): Promise<T> {
  const {runs: store, inbox} = await adapters.openRecords()
  return store.readSnapshot(async runs => {
    const run = await findRun(runs, word)
    const row = toRunRow(run, describeMachine(host.env))
    return read({
      ...{run, row, runs, now: host.clock.now()},
      findDetails: async (run, items) =>
        run.kind === 'submit' ? describeOrders(items) : describeEvents(await inbox.find(run.target, items)),
    })
  })
}

function describeOrders(items: readonly string[]): ReadonlyMap<string, ItemDetails> {
  return new Map(items.map(order => [order, {type: null, amount: null, transaction: null, order}]))
}

function describeEvents(events: ReadonlyMap<string, InboxEvent>): ReadonlyMap<string, ItemDetails> {
  return new Map(
    [...events].map(([id, {type, traits, orderNumber}]) => {
      const {amount = null, keyText: transaction, invoice = null} = traits
      const order = orderNumber ?? invoice
      return [id, {type, amount, transaction, order}]
    }),
  )
}
