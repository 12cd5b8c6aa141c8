import {describeChosenShop} from '../../auth/profile/describe-shop.js'
import type {EventFlags} from '../../flags/event-flags.js'
import type {ShowPaymentDeps} from '../../payment/view/show-payment.js'
import {memoize} from '../../platform/memoize.js'
import type {BulkTask} from '../../runs/bulk-run.js'
import type {NarrowEvents} from '../../webhook/choose/chosen-events.js'
import {CauseCounts} from '../../webhook/diagnose/cause-groups.js'
import {type DiagnoseDeps, diagnose, keepCauses} from '../../webhook/diagnose/diagnose.js'
import {parseEventCondition, parseEventFilters} from '../../webhook/event/event-fields.js'
import {NEEDS_DOING} from '../../webhook/event/event-status.js'
import {countEvents} from '../../webhook/inbox/inbox.js'
import {describeEvent, renderLines} from '../../webhook/triage/screen/describe-event.js'
import {
  createCommandWriter,
  createGroupCommandWriter,
  describeFlags,
  joinConditions,
} from '../../webhook/triage/screen/triage-commands.js'
import type {PlanTriageReplay, TriageReplay} from '../../webhook/triage/screen/triage-plan.js'
import type {TriageSource} from '../../webhook/triage/screen/triage-source.js'
import type {Adapters} from '../adapters/adapters.js'
import type {OpenInbox} from '../adapters/inbox.js'
import type {Host} from '../host.js'

/** The input of a triage from the command line. */
export interface TriageRequest extends EventFlags {
  readonly 'check-state': boolean
  /** The typed command line after `webhook triage`. */
  readonly typed: readonly string[]
  /** Loads the code that builds a diagnosis. */
  readonly loadDiagnosis: () => Promise<{
    buildDiagnoseDeps(host: Host, adapters: Adapters, isShopAsked: boolean): Promise<DiagnoseDeps & OpenInbox>
    buildCauseFilter(host: Host, adapters: Adapters, causes: readonly string[]): Promise<NarrowEvents>
  }>
  /** Loads the code that shows a payment. */
  readonly loadPayment: () => Promise<{
    buildShowPaymentDeps(host: Host, adapters: Adapters): Promise<ShowPaymentDeps>
  }>
  /** Loads the code that builds a replay. */
  readonly loadReplay: () => Promise<{
    buildReplay(
      host: Host,
      adapters: Adapters,
      request: TriageReplay & {readonly narrow: NarrowEvents | undefined},
    ): Promise<BulkTask<unknown, unknown>>
  }>
}

/** What `webhook triage` shows: the diagnosis, the inbox and the plan of a replay, each as its own command has it. */
export async function buildTriage(
  host: Host,
  adapters: Adapters,
  request: TriageRequest,
): Promise<TriageSource> {
  // The first screen is drawn before the database is open.
  const open = memoize(async () => {
    const {buildDiagnoseDeps} = await request.loadDiagnosis()
    return buildDiagnoseDeps(host, adapters, request['check-state'])
  })
  const now = host.clock.now()
  const query = (where: string | undefined) =>
    parseEventFilters({...request, where: joinConditions(request.where, where)}, now, NEEDS_DOING)
  // A condition that cannot be read is an error of the command, not of a screen.
  query(undefined)
  const write = createCommandWriter(request.typed, request.where)
  return {
    shopName: describeChosenShop(await adapters.chooseProfile()),
    filters: describeFlags(request.typed),
    checkCondition: where => void parseEventCondition(where),
    countEvents: async where => {
      const {inbox, target} = await open()
      return countEvents(inbox, target, query(where))
    },
    countHours: async (where, limit) => {
      if (request.cause !== undefined) return []
      const {inbox, target} = await open()
      return inbox.countGroups(target, {...query(where), limit}, 'hour')
    },
    diagnoseGroups: async function* (where, signal) {
      const deps = await open()
      const stopping = AbortSignal.any([signal, deps.signal])
      const rows = diagnose(deps.inbox.list(deps.target, query(where)), {...deps, signal: stopping})
      yield* new CauseCounts(createGroupCommandWriter(write, where)).watch(rows, request.cause)
    },
    listGroup: async function* ({cause, firstAt, lastAt}, where) {
      const deps = await open()
      // The diagnosed events are between the two; both limits are exact to a millisecond.
      const times = {since: new Date(firstAt), until: new Date(Date.parse(lastAt) + 1)}
      const events = deps.inbox.list(deps.target, {...query(where), ...times})
      yield* keepCauses(diagnose(events, deps), [cause])
    },
    describeEvent: async (id, columns) => {
      const deps = await open()
      const {runs} = await adapters.openRecords()
      return describeEvent(id, columns, {...deps, runs})
    },
    describePayment: async (word, columns) => {
      const {PAYMENT, showPayment} = await import('../../payment/view/show-payment.js')
      const {buildShowPaymentDeps} = await request.loadPayment()
      const payment = await showPayment(word, await buildShowPaymentDeps(host, adapters))
      return renderLines(payment, PAYMENT, columns)
    },
    planReplay: async selection => {
      const {planReplay} = await import('../../webhook/triage/screen/triage-plan.js')
      const plan: PlanTriageReplay = replay => planTask(host, adapters, request, replay)
      return planReplay(selection, {write, plan})
    },
    writeCommand: write,
  }
}

/** The plan of a replay whose command line the screen has written. */
async function planTask(host: Host, adapters: Adapters, request: TriageRequest, replay: TriageReplay) {
  const {buildReplay} = await request.loadReplay()
  const {planPreview} = await import('../../runs/bulk-run.js')
  const {buildCauseFilter} = await request.loadDiagnosis()
  const narrow = replay.cause && (await buildCauseFilter(host, adapters, replay.cause))
  return planPreview(await buildReplay(host, adapters, {...replay, narrow}))
}
