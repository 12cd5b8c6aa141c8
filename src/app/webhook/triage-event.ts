import {renderRecord} from '../../output/table/record.js'
import {presentStates} from '../../payment/transactions.js'
import type {RunStore} from '../../runs/journal/run-store.js'
import {diagnose} from '../../webhook/diagnose/diagnose.js'
import {describeKnownDrift} from '../../webhook/diagnose/known-drift.js'
import {attemptRows, EVENT, stateColumns, toEventRecord} from '../../webhook/inbox/event-view.js'
import {describeMissingEvent} from '../../webhook/plan/find-event.js'
import type {Host} from '../host.js'
import type {PaymentOpeners} from '../payment/show-payment.js'
import type {buildDiagnoseDeps} from './diagnosis.js'

type DiagnoseDeps = Awaited<ReturnType<typeof buildDiagnoseDeps>>

/** Lines of a body; more is better read with `webhook show --raw`. */
const MOST_BODY_LINES = 2000

/** An event with its state, diagnosis, history and body, in lines. */
export async function describeEvent(
  id: string,
  columns: number,
  adapters: {openRecords(): Promise<{readonly runs: Pick<RunStore, 'listItemRecords'>}>},
  deps: DiagnoseDeps,
): Promise<string[]> {
  const {inbox, target, transactions} = deps
  const event = (await inbox.find(target, [id])).get(id)
  const content = (await inbox.readContents(target, [id])).get(id)
  if (!event || !content) throw describeMissingEvent(id, target)
  const {runs} = await adapters.openRecords()
  const [present, records, seen, resolutions] = await Promise.all([
    presentStates(transactions)(event.traits.key),
    runs.listItemRecords('replay', target, id),
    inbox.listAttempts(target, id),
    inbox.listResolutions(target, id),
  ])
  const record = toEventRecord(event, content, false, stateColumns(present))
  const view = {...EVENT, columns: EVENT.columns.filter(({path}) => path !== 'body')}
  const facts = renderRecord(record, {view, fields: undefined, columns: columns - 1})
  const why: string[] = []
  for await (const {cause, detail, evidence, next, drift} of diagnose(streamOne(event), deps)) {
    why.push(`${cause}: ${detail}`, ...evidence, ...(next === null ? [] : [`next: ${next}`]))
    if (drift) why.push(`payment differs, ${describeKnownDrift(drift)}`)
  }
  const history = attemptRows(records, seen, resolutions).map(
    ({at, by, run, result, status, detail, sender}) =>
      [at, by, run, result, status, detail, sender && `sender: ${sender}`]
        .filter(each => each !== null)
        .join('  '),
  )
  const body = formatBody(record.body)
  return [
    ...why,
    '',
    ...facts.trimEnd().split('\n'),
    ...listSection('HISTORY', history),
    ...listSection('BODY', body),
  ]
}

/** Both sides of a payment, in lines. @param word as `payment show` takes it */
export async function describePayment(
  word: string,
  columns: number,
  host: Host,
  adapters: PaymentOpeners,
): Promise<string[]> {
  const {PAYMENT, showPayment} = await import('../../payment/view/show-payment.js')
  const {buildShowPaymentDeps} = await import('../payment/show-payment.js')
  const payment = await showPayment(word, await buildShowPaymentDeps(host, adapters))
  return renderRecord(payment, {view: PAYMENT, fields: undefined, columns: columns - 1})
    .trimEnd()
    .split('\n')
}

async function* streamOne<T>(value: T): AsyncGenerator<T, void, void> {
  yield value
}

function listSection(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', heading, ...lines.map(line => `  ${line}`)]
}

function formatBody(body: unknown): string[] {
  const text = typeof body === 'string' ? body : JSON.stringify(body, null, 2)
  return text.split('\n').slice(0, MOST_BODY_LINES)
}
