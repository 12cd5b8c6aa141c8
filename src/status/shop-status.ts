import type {Status} from '../auth/login/sign-in-status.js'
import type {CheckRow, LastComparison, Service, ShopStatus} from '../contract/status-rows.js'
import type {Examination} from '../doctor/doctor.js'
import {formatCounted} from '../output/cell.js'
import type {RunKind, RunStore} from '../runs/journal/run-store.js'
import {describeNotStored, NOT_STORED} from '../webhook/inbox/capture-inbox.js'
import type {Inbox} from '../webhook/inbox/inbox.js'
import {formatAge, nameAmounts, type TallySources, tallyEvents} from './event-tallies.js'
import {findServices, type ServiceSources} from './find-services.js'
import {collectShift, pickRun, type ShiftSources} from './shift.js'

/** A shop, and the sources of its status. */
export interface ShopSources extends TallySources, ShiftSources, ServiceSources {
  readonly signIn: Pick<Status, 'profile' | 'url' | 'signedIn' | 'expiresAt' | 'problem'>
  /** The flag that chooses it: ` --profile NAME`. */
  readonly shopWords: string
  readonly inbox: Pick<Inbox, 'list' | 'readPosition' | 'countGroups' | 'sumGroups'>
  readonly runs: Pick<RunStore, 'list' | 'findHeldDetails'>
  /** The start of the shift; `undefined` for none. */
  readonly since: Date | undefined
  /** `null` where none is stored on this machine. */
  findComparison(): Promise<LastComparison | null>
  /** Questions to the shop, three calls at most beside the sign-in. */
  examineShop(): readonly Examination[]
}

/**
 * The status of a shop, as far as a person must know; stored data is read while the shop is asked. Keys are stable. A
 * shop that does not answer is a state.
 */
export async function collectStatus(sources: ShopSources): Promise<ShopStatus> {
  const {inbox, target, now, since, signIn} = sources
  const examinations = sources.examineShop()
  const [checks, tallies, services, runs, comparison, position, shift] = await Promise.all([
    Promise.all(examinations.map(({rows}) => readAll(rows))),
    tallyEvents(sources),
    findServices(sources),
    listOpenRuns(sources),
    sources.findComparison(),
    inbox.readPosition(target, NOT_STORED),
    since && collectShift(since, sources),
  ])
  const {profile, url, signedIn, expiresAt, problem} = signIn
  const known = {
    ...{profile, url, ...tallies, notStored: describeNotStored(position, now) ?? null},
    signIn: {signedIn, expiresAt, problem: problem?.message ?? null},
    ...{checks: checks.flat(), services, runs, comparison},
  }
  const problems = findProblems(known, sources)
  const isAway = examinations.some(({failures}) => failures.includes('unavailable'))
  return {
    ...known,
    state: isAway ? 'no-answer' : problems.length > 0 ? 'attention' : 'ok',
    problems: problems.map(([text]) => text),
    fix: [...new Set(problems.flatMap(([, fix]) => fix ?? []))],
    ...(shift && {shift}),
  }
}

/** Kinds that are resumed after an interruption. */
const RESUMED: readonly RunKind[] = ['replay', 'repair', 'submit']
const OPEN = new Set(['running', 'paused', 'unresponsive', 'interrupted'])

/** Runs under way, of which several may mark events, and the newest of each kind if it was interrupted. */
async function listOpenRuns({runs, target, machine}: ShopSources) {
  const queries = [{state: 'running'} as const, ...RESUMED.map(kind => ({kind, limit: 1}))]
  const found = await Promise.all(queries.map(query => readAll(runs.list({...query, target}))))
  return [...new Map(found.flat().map(run => [run.id, run])).values()]
    .map(run => pickRun(run, machine))
    .filter(({state}) => OPEN.has(state))
}

async function readAll<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

/** Sentences on what needs a person, each with the command that helps. */
type Problems = [problem: string, fix?: string][]

type Known = Awaited<ReturnType<typeof tallyEvents>> & {
  readonly signIn: {readonly signedIn: boolean; readonly problem: string | null}
  readonly notStored: string | null
  readonly checks: readonly CheckRow[]
  readonly services: readonly Service[]
  readonly runs: Awaited<ReturnType<typeof listOpenRuns>>
  readonly comparison: LastComparison | null
}

/** For how long failed events are left to a watch. */
const WATCHED_MS = 86_400_000

/** What needs a person at a shop: what it answers first, then its events, its processes, its payments. */
function findProblems(known: Known, {shopWords, now}: ShopSources): Problems {
  const {checks, signIn, notStored, services, runs, comparison} = known
  const isWatched = services.some(({state}) => state === 'watching' || state === 'away')
  const count = (name: 'failed' | 'held' | 'inDoubt', what: string): Problems => {
    const {count: events, amounts, oldestAt} = known[name]
    // A watch sends these as soon as the shop takes them.
    const isNew = now.getTime() - Date.parse(oldestAt ?? '') < WATCHED_MS
    if (events === 0 || (isWatched && isNew && name !== 'held')) return []
    const text = `${formatCounted(events, ['event', 'events'])} ${what}${nameAmounts(amounts)}`
    return [[text, `storectl webhook diagnose${shopWords}`]]
  }
  const problems: (Problems | false | null)[] = [
    !signIn.signedIn && [[signIn.problem ?? 'not signed in', `storectl login${shopWords}`]],
    checks
      .filter(({state}) => state === 'failed' || state === 'warning')
      .map(({check, found, fix}) => [`${check}: ${found}`, ...fix.slice(0, 1)] as Problems[number]),
    ...[count('failed', 'failed'), count('held', 'held'), count('inDoubt', 'in doubt')],
    notStored !== null && [[notStored, `storectl database status${shopWords}`]],
    services
      .filter(({state}) => state === 'unresponsive')
      .map(({service, host, heartbeatAt}) => [
        `the ${service} on ${host} is unresponsive, last heartbeat ${formatAge(heartbeatAt, now)}`,
      ]),
    runs
      .filter(({state}) => state === 'interrupted' || state === 'unresponsive')
      .map(({id, kind, state, who}) => [`${kind} ${id} of ${who} is ${state}`, `storectl run show ${id}`]),
    comparison !== null &&
      comparison.found > 0 && [
        [
          `${formatCounted(comparison.found, ['payment differs', 'payments differ'])}, compared ${formatAge(comparison.comparedAt, now)}`,
          `storectl payment reconcile --resume last${shopWords}`,
        ],
      ],
  ]
  return problems.flatMap(each => each || [])
}
