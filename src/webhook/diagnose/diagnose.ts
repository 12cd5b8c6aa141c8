import type {DiagnosisRow, KnownDrift} from '../../contract/event-rows.js'
import type {Presenter} from '../../output/presenter.js'
import type {View} from '../../output/view.js'
import {addOrder, findNewOrders} from '../../payment/order-numbers.js'
import {type OpenTransactions, presentStates} from '../../payment/present-states.js'
import type {Transaction} from '../../payment/transactions.js'
import {splitBatches} from '../../runs/pool/batches.js'
import type {ShopVersions} from '../../shopware/versions/version-range.js'
import type {EventContent, InboxEvent} from '../event/event.js'
import type {Inbox} from '../inbox/inbox.js'
import {type CreateOutlook, findCause} from './causes.js'
import {readPaymentWord} from './known-drift.js'
import type {Diagnosis} from './remedies.js'
import type {TokenNow} from './token-comparison.js'

export interface DiagnoseDeps {
  readonly inbox: Pick<Inbox, 'find' | 'readContents' | 'noteOrders' | 'noteCauses'>
  readonly target: string
  readonly createOutlook: CreateOutlook
  /** `undefined` if the shop is not asked. */
  readonly transactions: OpenTransactions | undefined
  readonly token: () => Promise<TokenNow>
  /** Of the shop and its payment plugin; requested once. */
  readonly findVersions: () => Promise<ShopVersions>
  /** Payments that differed from the provider in the last comparison, by key; needs no request. */
  readonly findDrift: (keys: readonly string[]) => Promise<ReadonlyMap<string, KnownDrift>>
  readonly signal: AbortSignal
}

const DIAGNOSES: View = {
  noun: ['event', 'events'],
  id: 'id',
  hasCommands: true,
  columns: [
    {path: 'cause'},
    {path: 'id'},
    {path: 'type'},
    {path: 'detail', isProse: true},
    {path: 'next', kind: 'command'},
    {path: 'orderNumber', header: 'ORDER'},
    {path: 'amount', kind: 'money'},
  ],
}

const DIAGNOSIS: View = {
  noun: ['event', 'events'],
  id: 'id',
  hasCommands: true,
  columns: [
    {path: 'id'},
    {path: 'type'},
    {path: 'status'},
    {path: 'orderNumber', label: 'Order'},
    {path: 'amount', kind: 'money'},
    {path: 'cause'},
    {path: 'detail'},
    {path: 'remedy'},
    {path: 'evidence', kind: 'lines'},
    {path: 'next', kind: 'command'},
    {path: 'drift.kind', label: 'Payment differs'},
    {path: 'drift.detail', label: 'Both sides'},
    {path: 'drift.comparedAt', label: 'Compared', kind: 'time'},
    {path: 'payment', kind: 'command'},
  ],
}

/** Events that are looked up together. */
const BATCH = 250

/** Diagnoses events, batch by batch; memory does not grow with their number. Nothing is sent. */
export async function* diagnose(
  events: AsyncIterable<InboxEvent>,
  deps: DiagnoseDeps,
): AsyncGenerator<DiagnosisRow, void, void> {
  for await (const diagnosed of diagnoseBatches(events, deps)) {
    const keys = diagnosed.flatMap(({event}) => event.traits.keyText ?? [])
    const drift = await deps.findDrift(keys)
    for (const {event, diagnosis} of diagnosed)
      yield toDiagnosisRow(event, diagnosis, drift.get(event.traits.keyText ?? '') ?? null)
  }
}

/** The rows that have one of these causes; all if none is given. */
export async function* keepCauses(
  rows: AsyncIterable<DiagnosisRow>,
  causes: readonly string[] | undefined,
): AsyncGenerator<DiagnosisRow, void, void> {
  for await (const row of rows) if (causes === undefined || causes.includes(row.cause)) yield row
}

/** The events that have one of these causes, in their order; memory does not grow with their number. */
export async function* selectByCause(
  events: AsyncIterable<InboxEvent>,
  causes: ReadonlySet<string>,
  deps: DiagnoseDeps,
): AsyncGenerator<InboxEvent, void, void> {
  for await (const diagnosed of diagnoseBatches(events, deps)) {
    for (const {event, diagnosis} of diagnosed)
      if (causes.has(diagnosis.cause)) yield {...event, cause: diagnosis.cause}
  }
}

async function* diagnoseBatches(events: AsyncIterable<InboxEvent>, deps: DiagnoseDeps) {
  const present = presentStates(deps.transactions)
  for await (const some of splitBatches(events, BATCH)) {
    deps.signal.throwIfAborted()
    const headers = createHeaderLookup(some, deps)
    const found = new Map<string, Transaction>()
    const look = async ({traits: {key, keyText}}: InboxEvent) => {
      const now = await present(key)
      if (now.kind === 'found' && keyText !== null) found.set(keyText, now.transaction)
      return now
    }
    const readOutlook = deps.createOutlook(some, async event => {
      const now = await look(event)
      return now.kind === 'found' ? now.transaction : undefined
    })
    const diagnosed = await Promise.all(
      some.map(async event => {
        const diagnosis = await findCause(event, {
          readHeaders: () => headers(event.id),
          readPresent: () => look(event),
          compareToken: deps.token,
          findVersions: deps.findVersions,
          readOutlook,
        })
        return {event, diagnosis}
      }),
    )
    yield await noteFindings(diagnosed, found, deps)
  }
}

/** Causes are stored, so that a list has them without a call. */
async function noteFindings(
  diagnosed: readonly {readonly event: InboxEvent; readonly diagnosis: Diagnosis}[],
  found: ReadonlyMap<string, Transaction>,
  {inbox, target}: Pick<DiagnoseDeps, 'inbox' | 'target'>,
) {
  const orders = findNewOrders(
    diagnosed.map(({event}) => event),
    key => found.get(key),
  )
  await inbox.noteOrders(target, orders)
  const isNew = ({event, diagnosis: {cause}}: (typeof diagnosed)[number]) =>
    cause !== event.cause && cause !== 'not-diagnosed'
  await inbox.noteCauses(
    target,
    diagnosed
      .filter(isNew)
      .map(({event, diagnosis: {cause}}) => ({id: event.id, changedAt: event.changedAt, cause})),
  )
  return diagnosed.map(({event, diagnosis}) => ({event: addOrder(event, orders), diagnosis}))
}

/** Headers are stored with the bodies: they are read for a whole batch at the first need. */
function createHeaderLookup(events: readonly InboxEvent[], {inbox, target}: DiagnoseDeps) {
  let read: Promise<Map<string, EventContent>> | undefined
  return async (id: string) => {
    read ??= inbox.readContents(
      target,
      events.map(event => event.id),
    )
    return (await read).get(id)?.headers ?? []
  }
}

function toDiagnosisRow(
  event: InboxEvent,
  {cause, remedy, detail, evidence, next, ifSent}: Diagnosis,
  drift: KnownDrift | null,
): DiagnosisRow {
  const {id, type, status, answer, message, traits} = event
  return {
    ...{id, type, status, answer, message, transaction: traits.keyText, cause, remedy, detail, next},
    ...{sender: event.sender, evidence, orderNumber: event.orderNumber},
    ...{createdAt: event.createdAt.toISOString(), amount: traits.amount ?? null, drift},
    ifSent: ifSent ?? null,
  }
}

/** Prints one diagnosis. @param missing the error if there is none */
export async function printDiagnosis(
  rows: AsyncIterable<DiagnosisRow>,
  missing: Error,
  presenter: Presenter,
): Promise<void> {
  for await (const row of rows) {
    const word = readPaymentWord(row.transaction)
    const payment = word === null ? null : `storectl payment show ${word}`
    return presenter.printOne({...row, payment}, DIAGNOSIS)
  }
  throw missing
}

/** Prints every diagnosis, and the count of each cause. */
export async function printDiagnoses(
  rows: AsyncGenerator<DiagnosisRow>,
  counts: {readonly text: string},
  presenter: Presenter,
): Promise<void> {
  const shown = await presenter.print(rows, DIAGNOSES)
  if (shown > 1) await presenter.note(counts.text)
}
