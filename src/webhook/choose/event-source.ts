import {StorectlError} from '../../errors.js'
import type {RunRow, RunStore} from '../../runs/journal/run-store.js'
import {createOtherShopError} from '../../runs/open-run.js'
import {splitBatches} from '../../runs/pool/batches.js'
import type {InboxEvent} from '../event/event.js'
import {parseEventCondition} from '../event/event-fields.js'
import {createRefusalLog} from '../import/fault-summary.js'
import type {ImportDeps, Imported} from '../import/import.js'
import {describeInput, type OtherInput} from '../import/mentioned-ids.js'
import type {EventFile} from '../import/read-events.js'
import {stage, withWhatIsKnown} from '../import/staging.js'
import type {Inbox} from '../inbox/inbox.js'
import {type EventArguments, listSelected} from './event-selection.js'
import {requireEventIds} from './find-event.js'
import type {ReplaySource, Selection} from './selection.js'
import {describeUnknownOrders} from './unknown-orders.js'

export interface ReplaySourceDeps extends Omit<ImportDeps, 'onFault' | 'onConflict' | 'onDoubt'> {
  /** Tells a person a line. */
  readonly note: (text: string) => Promise<void>
  readonly inbox: Inbox
  readonly target: string
  readonly random: () => number
  /** Leaves out events without a requested cause; `undefined` if none was requested. */
  readonly narrow?: ((events: AsyncIterable<InboxEvent>) => AsyncIterable<InboxEvent>) | undefined
}

/**
 * The events that a replay is about: of the inbox, by filters or ids, or of files, which go into the inbox only when
 * the replay goes ahead.
 *
 * @throws StorectlError `empty.no_event`, `partial.no_event`, `usage.nothing_usable`, and as reading the files does
 */
export async function createReplaySource(
  asked: EventArguments,
  selection: Selection,
  deps: ReplaySourceDeps,
): Promise<ReplaySource> {
  if (asked.kind === 'files') return createFileSource(asked, selection, deps)
  const {inbox, target, narrow} = deps
  const ids = asked.kind === 'ids' ? await requireEventIds(inbox, target, asked.ids) : undefined
  const meant = ids ? {ids} : selection
  const {where, ...others} = selection
  const query = {...others, where: where === undefined ? undefined : parseEventCondition(where)}
  const unknown = ids ? undefined : await describeUnknownOrders(inbox, target, query)
  if (unknown !== undefined) await deps.note(unknown)
  return {
    isNamed: asked.kind === 'ids',
    hasInvalid: false,
    listEvents: () => {
      const events = listSelected(inbox, target, meant)
      return narrow ? narrow(events) : events
    },
    keep: async () => {},
    drop: async () => {},
  }
}

async function createFileSource(
  {files}: Extract<EventArguments, {kind: 'files'}>,
  selection: Selection,
  deps: ReplaySourceDeps,
): Promise<ReplaySource> {
  const {inbox, target} = deps
  const refusals = createRefusalLog(deps.note)
  const staged = await stage(files, target, {...deps, ...refusals}).finally(refusals.flush)
  const {imported, keep, drop} = staged
  if (imported.added === 0 && imported.unusable + imported.conflicting + imported.passedOver > 0) {
    await drop()
    throw describeNothingUsable(imported, await describeInput(files))
  }
  const {types, since, until, where} = selection
  const condition = where === undefined ? undefined : parseEventCondition(where)
  const query = {types, since, until, where: condition, oldestFirst: true}
  return {
    isNamed: false,
    storedUnder: staged.target,
    hasInvalid: imported.unusable + imported.conflicting > 0,
    listEvents: () =>
      withWhatIsKnown(inbox.list(staged.target, query), inbox, {aside: staged.target, target}),
    keep,
    drop,
  }
}

/**
 * The events that a run was going to send, and that have no result or an `unknown` one.
 *
 * @throws StorectlError `usage.other_shop`, `usage.never_began`
 */
export function createResumeSource(
  run: RunRow,
  runs: Pick<RunStore, 'listPlanned' | 'findEndedItems'>,
  {inbox, target}: Pick<ReplaySourceDeps, 'inbox' | 'target'>,
): ReplaySource {
  if (run.target !== target) throw createOtherShopError(run)
  if (run.total === null) throw describeNeverBegan(run)
  const listEvents = async function* () {
    for await (const ids of splitBatches(runs.listPlanned(run.id), IDS_AT_ONCE)) {
      const settled = await runs.findEndedItems(run.id, ids)
      const left = ids.filter(id => !settled.has(id))
      const there = await inbox.find(target, left)
      yield* left.flatMap(id => there.get(id) ?? [])
    }
  }
  return {
    isNamed: run.options.isNamed === true,
    hasInvalid: false,
    listEvents,
    keep: async () => {},
    drop: async () => {},
  }
}

const IDS_AT_ONCE = 500

/** Its plan is incomplete, and resuming a part would silently leave out the rest. */
function describeNeverBegan({id}: RunRow): StorectlError {
  return new StorectlError(
    'usage.never_began',
    `Run ${id} ended before its plan was complete. Nothing was sent.`,
    {
      nextSteps: ['storectl webhook replay --dry-run'],
    },
  )
}

/**
 * The import, if the input is empty or contains any event.
 *
 * @param open opens the files again: the error suggests to fetch event ids found in them
 * @throws StorectlError `usage.nothing_usable`
 */
export async function requireUsable(imported: Imported, open: () => Iterable<EventFile>): Promise<Imported> {
  const {added, known, conflicting, unusable, passedOver} = imported
  if (added + known + conflicting > 0 || unusable + passedOver === 0) return imported
  throw describeNothingUsable(imported, await describeInput(open()))
}

/** Most ids that an error names. */
const MOST_NAMED = 3

/** The error for input without a single event. */
function describeNothingUsable(
  {unusable, passedOver}: Pick<Imported, 'unusable' | 'passedOver'>,
  {kind, ids}: OtherInput,
): StorectlError {
  const entries = unusable + passedOver
  const why = `The input is ${kind}, and ${entries === 1 ? 'its one entry is no event' : `none of its ${entries} entries is an event`}`
  const byId = 'storectl webhook import --from-provider'
  const [one, many] = ['1 id of an event', `${ids.length} ids of events`]
  const found = ids.length === 0 ? '' : ` ${ids.length === 1 ? one : many} found, no bodies.`
  const filter = `grep -oE 'WH-[0-9A-Z]+-[0-9A-Z]+' FILE | ${byId} -`
  return new StorectlError('usage.nothing_usable', `${why}. Nothing was sent.${found}`, {
    nextSteps: [
      ...(ids.length > 0 ? [`${byId} ${ids.slice(0, MOST_NAMED).join(' ')}`] : []),
      ...(ids.length > MOST_NAMED ? [filter] : []),
      'storectl webhook import --help   (lists the formats)',
    ],
  })
}
