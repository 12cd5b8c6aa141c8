import {renderRecord} from '../../../output/table/record.js'
import type {Row, View} from '../../../output/view.js'
import {presentStates} from '../../../payment/present-states.js'
import type {RunStore} from '../../../runs/journal/run-store.js'
import {describeMissingEvent} from '../../choose/find-event.js'
import {type DiagnoseDeps, diagnose} from '../../diagnose/diagnose.js'
import {describeKnownDrift} from '../../diagnose/known-drift.js'
import {attemptRows, EVENT, stateColumns, toEventRecord} from '../../inbox/event-view.js'
import type {Inbox} from '../../inbox/inbox.js'
import {wrapLine, wrapWords} from './screen-lines.js'

/** Sources of the description of an event. */
interface DescribeDeps extends DiagnoseDeps {
  readonly inbox: DiagnoseDeps['inbox'] & Pick<Inbox, 'listAttempts' | 'listResolutions'>
  readonly runs: Pick<RunStore, 'listItemRecords'>
}

/** Most lines of a body; `webhook show --raw` suits more. */
const MOST_BODY_LINES = 2000

/** An event with its state, diagnosis, history and body, in lines. */
export async function describeEvent(id: string, columns: number, deps: DescribeDeps): Promise<string[]> {
  const {inbox, runs, target, transactions} = deps
  const event = (await inbox.find(target, [id])).get(id)
  const content = (await inbox.readContents(target, [id])).get(id)
  if (!event || !content) throw describeMissingEvent(id, target)
  const [present, records, seen, resolutions] = await Promise.all([
    presentStates(transactions)(event.traits.key),
    runs.listItemRecords('replay', target, id),
    inbox.listAttempts(target, id),
    inbox.listResolutions(target, id),
  ])
  const why: string[] = []
  let diagnosed = event
  for await (const {cause, orderNumber, detail, evidence, next, drift} of diagnose(streamOne(event), deps)) {
    diagnosed = {...event, cause, orderNumber}
    const drifted = drift ? [`payment differs, ${describeKnownDrift(drift)}`] : []
    for (const line of [`${cause}: ${detail}`, ...evidence, ...drifted])
      why.push(...wrapWords(line, columns, 2))
    if (next !== null) why.push(...wrapLine(`next: ${next}`, columns))
  }
  const record = toEventRecord(diagnosed, content, false, stateColumns(present))
  const view = {...EVENT, columns: EVENT.columns.filter(({path}) => path !== 'body')}
  const facts = renderLines(record, view, columns)
  const history = attemptRows(records, seen, resolutions).map(
    ({at, by, run, result, status, detail, sender}) =>
      [at, by, run, result, status, detail, sender && `sender: ${sender}`]
        .filter(each => each !== null)
        .join('  '),
  )
  const past = history.flatMap(line => wrapWords(line, columns - 2, 2))
  const body = formatBody(record.body)
  return [...why, '', ...facts, ...listSection('HISTORY', past), ...listSection('BODY', body)]
}

/** A record in lines. */
export function renderLines(record: Row, view: View, columns: number): string[] {
  return renderRecord(record, {view, fields: undefined, columns: columns - 1})
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
