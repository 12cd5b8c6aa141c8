import {describeChosenShop} from '../../auth/profile/describe-shop.js'
import {StorectlError} from '../../errors.js'
import {formatCommandLine} from '../../flags/command-line.js'
import {writeTriageCommand} from '../../flags/diagnose-flags.js'
import type {EventFlags} from '../../flags/event-flags.js'
import {memoize} from '../../platform/memoize.js'
import {CauseCounts} from '../../webhook/diagnose/cause-groups.js'
import {diagnose, keepCauses} from '../../webhook/diagnose/diagnose.js'
import type {Cause} from '../../webhook/event/cause.js'
import {parseEventCondition, parseEventFilters} from '../../webhook/event/event-fields.js'
import {countEvents} from '../../webhook/inbox/inbox.js'
import {NEEDS_DOING} from '../../webhook/plan/event-selection.js'
import type {DiagnosisProgress, TriageSource} from '../../webhook/triage/screen/triage-source.js'
import type {Adapters} from '../adapters/adapters.js'
import type {Host} from '../host.js'
import {buildDiagnoseDeps} from './diagnosis.js'
import {describeEvent, describePayment} from './triage-event.js'
import type {PlanTriageReplay} from './triage-plan.js'

/** A triage in the words of the command line. */
export interface TriageRequest extends EventFlags {
  readonly 'check-state': boolean
  /** The command line behind `webhook triage`, as it was typed. */
  readonly typed: readonly string[]
  readonly planReplay: PlanTriageReplay
}

/** What `webhook triage` shows: the diagnosis, the inbox and the plan of a replay, each as its own command has it. */
export async function buildTriage(
  host: Host,
  adapters: Adapters,
  request: TriageRequest,
): Promise<TriageSource> {
  // The first screen is drawn before the database is open.
  const open = memoize(() => buildDiagnoseDeps(host, adapters, request['check-state']))
  const now = host.clock.now()
  const query = (where: string | undefined) =>
    parseEventFilters({...request, where: joinConditions(request.where, where)}, now, NEEDS_DOING)
  // A condition that cannot be read is an error of the command, not of a screen.
  query(undefined)
  const write = createCommandWriter(request)
  return {
    shopName: describeChosenShop(await adapters.chooseProfile()),
    filters: describeFlags(request),
    checkCondition: where => void parseEventCondition(where),
    countEvents: async where => {
      const {inbox, target} = await open()
      return countEvents(inbox, target, query(where))
    },
    diagnoseGroups: async function* (where, signal) {
      const deps = await open()
      const stopping = AbortSignal.any([signal, deps.signal])
      const rows = diagnose(deps.inbox.list(deps.target, query(where)), {...deps, signal: stopping})
      const counts = new CauseCounts((verb, cause) =>
        formatCommandLine('storectl', write(verb, {causes: [cause], where, ids: []})),
      )
      yield* watchCounts(rows, request.cause, counts)
    },
    listGroup: async function* ({cause, firstAt, lastAt}, where) {
      const deps = await open()
      // What was diagnosed lies between the two; both limits are exact to a millisecond.
      const times = {since: new Date(firstAt), until: new Date(Date.parse(lastAt) + 1)}
      const events = deps.inbox.list(deps.target, {...query(where), ...times})
      yield* keepCauses(diagnose(events, deps), [cause])
    },
    describeEvent: async (id, columns) => describeEvent(id, columns, adapters, await open()),
    describePayment: (word, columns) => describePayment(word, columns, host, adapters),
    planReplay: async selection => {
      const {planReplay} = await import('./triage-plan.js')
      return planReplay(selection, {write, plan: request.planReplay})
    },
    writeCommand: write,
  }
}

/** Both have to hold. */
function joinConditions(first: string | undefined, second: string | undefined): string | undefined {
  return first === undefined || second === undefined ? (first ?? second) : `(${first}) and (${second})`
}

/** The filters as they were typed. */
function describeFlags({typed}: TriageRequest): string {
  const words = writeTriageCommand(typed, '', {set: {}, ids: []}).filter(word => word !== '')
  return words.length === 0 ? '' : formatCommandLine('', words).trim()
}

function createCommandWriter({typed, where: typedWhere}: TriageRequest): TriageSource['writeCommand'] {
  return (verb, {causes, where, ids}, more = {}) => {
    const condition = joinConditions(typedWhere, where)
    const filters = {
      ...(causes.length > 0 ? {cause: causes} : {}),
      ...(condition === undefined ? {} : {where: condition}),
    }
    return writeTriageCommand(typed, `webhook ${verb}`, {
      set: ids.length > 0 ? more : {...filters, ...more},
      ids,
    })
  }
}

/** Rows between two states of the groups. */
const ROWS_AT_ONCE = 250

/** @param causes of the rows that are counted; `undefined` for all */
async function* watchCounts(
  rows: Parameters<CauseCounts['count']>[0],
  causes: readonly Cause[] | undefined,
  counts: CauseCounts,
): AsyncGenerator<DiagnosisProgress, void, void> {
  let diagnosed = 0
  for await (const row of rows) {
    diagnosed++
    if (causes === undefined || causes.includes(row.cause)) counts.add(row)
    if (diagnosed % ROWS_AT_ONCE === 0) yield {groups: counts.groups, diagnosed}
  }
  yield {groups: counts.groups, diagnosed}
}

/**
 * The error where nobody can press keys: it names the commands that do the same.
 *
 * @throws StorectlError `usage.where`, as those commands would
 */
export function createNotInteractiveError(
  typed: readonly string[],
  {where, cause = []}: Pick<EventFlags, 'where' | 'cause'>,
): StorectlError {
  if (where !== undefined) parseEventCondition(where)
  const causes = cause.length > 0 ? {} : {cause: 'NAME'}
  const write = (command: string, set: Readonly<Record<string, string | true>>) =>
    formatCommandLine('storectl', writeTriageCommand(typed, command, {set, ids: []}))
  return new StorectlError('usage.not_interactive', 'webhook triage needs a terminal for its keys.', {
    nextSteps: [
      write('webhook diagnose', {}),
      write('webhook replay', {...causes, 'dry-run': true}),
      write('webhook resolve', {...causes, reason: 'TEXT'}),
    ],
  })
}
