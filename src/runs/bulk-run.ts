import {StorectlError} from '../errors.js'
import {type BulkWork, Execution, type ExecutionDeps, type Unsent} from './execution.js'
import type {RunRow} from './journal/run-store.js'
import {createOtherShopError, type OpenRun} from './open-run.js'
import {createEntry} from './pool/attempt-item.js'
import {createIdleRun, type Run} from './run.js'
import {joinRun, waitUntilPlanned} from './workers/join-run.js'

/** What the engine needs of a replay or a submit. */
export interface BulkTask<T, Row> {
  /**
   * Takes the lease before the plan is made, where the plan depends on what a crashed run left open; otherwise the
   * lease is taken after the confirmation.
   *
   * @param isPreview nothing will be sent
   * @throws StorectlError `conflict.lease_held` when another run is under way
   */
  openEarly?(isPreview?: boolean): Promise<OpenRun>
  /** Reads and checks all of the input. Nothing is sent when it throws. */
  plan(): Promise<BulkPlan<T, Row>>
}

/** What a run would do. */
export interface BulkPlan<T, Row> extends Pick<BulkWork<T, Row>, 'presentation' | 'summary' | 'total'> {
  /** Added to the options of the run. */
  readonly found?: Readonly<Record<string, unknown>>
  /** Items to be sent; with none no run is needed. */
  readonly sends: number
  /** Whether anything is newly held, or for a new reason: that is recorded even if nothing is sent. */
  hasNewHolds?(): Promise<boolean>
  /** Items that are not sent. @param run `null` where no run is needed */
  listUnsent(run: string | null): AsyncIterable<readonly Unsent<Row>[]>
  /** What is printed if there is no run. */
  preview(): Promise<Run<unknown>>
  /** Stores events from files, once the run goes ahead or has nothing to send. */
  storeInput(): Promise<void>
  /**
   * Asks the person; called if something is to be sent.
   *
   * @throws StorectlError when nobody agrees, or what is needed to send is missing
   */
  confirm(): Promise<ConfirmedPlan<T, Row>>
}

/** A plan that may be carried out. */
export interface ConfirmedPlan<T, Row> {
  readonly deps: ExecutionDeps
  /** Takes the lease, unless that was done before. */
  open(): Promise<OpenRun>
  /** What the run sends, and how. */
  createWork(run: OpenRun): Promise<BulkWork<T, Row>>
}

/**
 * Opens, plans and confirms a run. It sends once it is started. Nothing is sent when anything in the input is wrong, when
 * there is more than allowed, or when nobody agrees.
 */
export async function prepareRun<T, Row>(task: BulkTask<T, Row>): Promise<Run<Row>> {
  const early = await task.openEarly?.()
  try {
    const plan = await task.plan()
    if (plan.sends === 0) return await endUnneededRun(plan, early)
    const {deps, open, createWork} = await plan.confirm()
    await plan.storeInput()
    const run = early ?? (await open())
    return new Execution(run, await createWork(run), deps)
  } catch (error) {
    // The first error matters more than a failure to discard the run: its lease ends with this process.
    await early?.discard().catch(() => undefined)
    throw error
  }
}

/** What a run would do, without sending anything. Open items of an unresponsive run are recovered first. */
export async function previewRun<T, Row>(task: BulkTask<T, Row>): Promise<Run<unknown>> {
  return (await planPreview(task)).preview()
}

/** The plan of a run that is only shown. Open items of an unresponsive run are recovered first. */
export async function planPreview<T, Row>(task: BulkTask<T, Row>): Promise<BulkPlan<T, Row>> {
  const early = await task.openEarly?.(true).catch(error => {
    if (error instanceof StorectlError && error.code === 'conflict.lease_held') return undefined
    throw error
  })
  await early?.discard()
  return task.plan()
}

/** If nothing is to be sent, only new holds are recorded, so that the next run knows them. */
async function endUnneededRun<T, Row>(plan: BulkPlan<T, Row>, early: OpenRun | undefined): Promise<Run<Row>> {
  await plan.storeInput()
  const recorded = early && (await plan.hasNewHolds?.()) ? early : undefined
  if (recorded) await recordHolds(plan, recorded)
  else await early?.discard()
  const {presentation, summary, total} = plan
  const id = recorded?.id ?? null
  const yieldRows = async function* () {
    for await (const some of plan.listUnsent(id)) {
      for (const {item, result} of some) summary.add(item.key, result, 0)
      yield some.map(({row}) => row)
    }
  }
  return createIdleRun({presentation, summary, total, rows: yieldRows})
}

async function recordHolds<T, Row>(plan: BulkPlan<T, Row>, run: OpenRun): Promise<void> {
  await run.storePlan(plan.total, 0, NOTHING_PLANNED, plan.found)
  for await (const some of plan.listUnsent(run.id)) {
    await Promise.all(some.map(({item, result}) => run.journal.write(createEntry('result', item, 0, result))))
  }
  await run.end({isComplete: true, halt: undefined})
}

const NOTHING_PLANNED: AsyncIterable<never> = (async function* () {})()

/** A run that another worker began, as a worker that joins it sees it. */
export interface JoinTask<T, Row> {
  /** Name of the chosen shop in ledger and lease. */
  readonly target: string
  readonly deps: ExecutionDeps
  /**
   * Asks the person.
   *
   * @param run once its plan is stored
   * @returns what this worker sends, and how
   */
  confirm(run: RunRow): Promise<() => BulkWork<T, Row>>
}

/**
 * Prepares a worker that joins a run under way: it sends only what the run was going to send.
 *
 * @throws StorectlError `usage.other_shop`, and as `waitUntilPlanned` and `joinRun` do
 */
export async function prepareJoin<T, Row>(run: RunRow, task: JoinTask<T, Row>): Promise<Run<Row>> {
  const {target, deps} = task
  if (run.kind === 'replay' && run.target !== target) throw createOtherShopError(run, 'join')
  const planned = await waitUntilPlanned(run, deps)
  const createWork = await task.confirm(planned)
  return new Execution(await joinRun(planned, deps), createWork(), deps)
}
