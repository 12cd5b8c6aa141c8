import {haveSameContent} from '../../providers/same-content.js'
import {createRunId} from '../../runs/journal/run-id.js'
import {splitBatches} from '../../runs/pool/batches.js'
import type {InboxEvent} from '../event/event.js'
import {compareSenders} from '../event/sender.js'
import {ASIDE, type Inbox} from '../inbox/inbox.js'
import {type ImportDeps, type Imported, importEvents} from './import.js'
import type {EventFile} from './read-events.js'

/** Events staged longer ago than this are abandoned. */
const FORGOTTEN_AFTER_MS = 24 * 3_600_000

/** Events that are looked up together. */
const BATCH = 250

/** Events of files, held until it is decided whether they go into the inbox. */
export interface Staged {
  /** Where they are stored meanwhile: a shop's name that no shop has. */
  readonly target: string
  readonly imported: Imported
  /** Moves them into the inbox. */
  keep(): Promise<void>
  /** Deletes them. */
  drop(): Promise<void>
}

/** Stages the events of files: a plan that is not confirmed leaves nothing behind. */
export async function stage(
  files: readonly EventFile[],
  target: string,
  deps: ImportDeps & {readonly inbox: Inbox; readonly random: () => number},
): Promise<Staged> {
  const {inbox, now, random} = deps
  const aside = `${ASIDE}${createRunId(now(), random)}`
  const drop = () => inbox.forget(aside)
  await forgetOld(inbox, now())
  try {
    const imported = await importEvents(aside, files, deps)
    return {target: aside, imported, keep: () => inbox.adopt(aside, target), drop}
  } catch (error) {
    await drop()
    throw error
  }
}

/**
 * Staged events, with what the inbox already knows about them.
 *
 * @param places where they are stored, and where they would go
 */
export async function* withWhatIsKnown(
  events: AsyncIterable<InboxEvent>,
  inbox: Pick<Inbox, 'find' | 'readContents'>,
  {aside, target}: {readonly aside: string; readonly target: string},
): AsyncGenerator<InboxEvent, void, void> {
  for await (const some of splitBatches(events, BATCH)) {
    const there = await inbox.find(
      target,
      some.map(event => event.id),
    )
    const respelled = some.filter(({id, sha256}) => there.has(id) && there.get(id)?.sha256 !== sha256)
    const contradicted = await findContradicted(respelled, inbox, {aside, target})
    for (const event of some) {
      const known = there.get(event.id)
      yield known ? chooseBody(event, known, contradicted.has(event.id)) : event
    }
  }
}

/** An event as the inbox will have it once it arrives there. */
function chooseBody(event: InboxEvent, known: InboxEvent, isContradicted: boolean): InboxEvent {
  const order = compareSenders(event.sender, known.sender)
  if (isContradicted && order > 0) return event
  if (isContradicted && order < 0) return known
  const hasConflict = event.hasConflict || known.hasConflict || isContradicted
  return order > 0 ? {...known, hasConflict, sender: event.sender} : {...known, hasConflict}
}

/** Ids of those with a different body in the inbox. */
async function findContradicted(
  events: readonly InboxEvent[],
  inbox: Pick<Inbox, 'readContents'>,
  {aside, target}: {readonly aside: string; readonly target: string},
): Promise<Set<string>> {
  if (events.length === 0) return new Set()
  const ids = events.map(({id}) => id)
  const [came, there] = [await inbox.readContents(aside, ids), await inbox.readContents(target, ids)]
  const isSame = (id: string) => {
    const [one, other] = [came.get(id), there.get(id)]
    return one !== undefined && other !== undefined && haveSameContent(one.body, other.body)
  }
  return new Set(ids.filter(id => !isSame(id)))
}

/** A killed process leaves its staged events; names sort by time. */
export async function forgetOld(inbox: Pick<Inbox, 'forgetBetween'>, now: Date): Promise<void> {
  const before = createRunId(new Date(now.getTime() - FORGOTTEN_AFTER_MS), () => 0)
  await inbox.forgetBetween(ASIDE, `${ASIDE}${before}`)
}
