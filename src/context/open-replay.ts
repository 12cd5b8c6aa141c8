import type {Context} from '../context.js'
import {StorectlError} from '../errors.js'
import type {Caller} from '../http/caller.js'
import {retryAfterMs} from '../http/retry-after.js'
import {visible} from '../output/visible.js'
import type {RunRow} from '../runs/journal/run-store.js'
import {askedFor} from '../webhook/asked.js'
import type {JoiningDeps} from '../webhook/joining.js'
import type {WrittenPlan} from '../webhook/plan-file.js'
import type {ReplayDeps} from '../webhook/replay.js'
import {type ReplaySource, replaySource, restOf} from '../webhook/replay-source.js'
import type {Selection} from '../webhook/selection.js'
import {transactionsOf} from '../webhook/transactions.js'
import type {Rules} from '../webhook/verdict.js'
import type {OpenInbox} from './open-records.js'

/** A replay with everything it needs. */
export interface OpenReplay {
  readonly source: ReplaySource
  readonly deps: ReplayDeps
}

/** Joins inbox, records and connection into what a replay works with. */
export async function openReplay(
  context: Context,
  words: readonly string[],
  selection: Selection,
  {verify}: Pick<Rules, 'verify'>,
): Promise<OpenReplay> {
  const {world} = context
  const {clock, interruption, stderr} = world
  const {inbox, target} = await context.inbox()
  const note = (text: string) => stderr.write(`${visible(text)}\n`)
  const asked = await askedFor(words, {
    open: path => context.openInput(path),
    known: ids => inbox.find(target, ids),
  })
  const source = await replaySource(asked, selection, {
    ...{inbox, target, random: Math.random, signal: interruption.stopping, now: () => clock.now()},
    onFault: ({file, line, why}) => note(`${file}:${line}: ${why}`),
    onConflict: id => note(`${id}: came with several bodies`),
  })
  context.closeAtEnd(() => source.drop())
  return {source, deps: await replayDeps(context, {inbox, target}, source, verify)}
}

/** Joins what carrying out a plan needs that was written down. */
export async function openApply(
  context: Context,
  path: string,
): Promise<OpenReplay & {readonly approved: WrittenPlan}> {
  const {readPlan} = await import('../webhook/plan-file.js')
  const {sourceOf} = await import('../webhook/approved-plan.js')
  const file = await context.openInput(path)
  const approved = await readPlan(file.name, () => file.read())
  const opened = await context.inbox()
  const source = sourceOf(approved, opened)
  return {source, approved, deps: await replayDeps(context, opened, source, approved.head.rules.verify)}
}

/** Joins what carrying on with a run needs. */
export async function openResume(context: Context, run: RunRow): Promise<OpenReplay> {
  const {runs} = await context.records()
  const opened = await context.inbox()
  const source = restOf(run, runs, opened)
  const {verify} = run.options.options as Rules
  return {source, deps: await replayDeps(context, opened, source, verify)}
}

/** Joins what taking part in a run needs. */
export async function openJoin(context: Context, run: RunRow): Promise<JoiningDeps> {
  const options = run.options.options as Partial<Rules> | undefined
  return sendingDeps(context, await context.inbox(), options?.verify ?? 'state')
}

async function replayDeps(
  context: Context,
  opened: Pick<OpenInbox, 'inbox' | 'target'>,
  source: ReplaySource,
  verify: Rules['verify'],
): Promise<ReplayDeps> {
  return {
    ...(await sendingDeps(context, opened, verify)),
    events: () => source.events(),
    agreed: () => source.keep(),
    openScratch: () => context.openScratch(),
  }
}

async function sendingDeps(
  context: Context,
  opened: Pick<OpenInbox, 'inbox' | 'target'>,
  verify: Rules['verify'],
): Promise<JoiningDeps> {
  const {clock, interruption, userAgent} = context.world
  const connection = await context.connect()
  const {patient, refusal} = connection
  return {
    ...opened,
    ...{clock, userAgent, random: Math.random},
    retryAfterMs: answer => retryAfterMs(answer, clock.now()),
    store: (await context.records()).runs,
    machine: await context.machine(),
    shop: connection,
    transactions:
      verify === 'none'
        ? undefined
        : transactionsOf({search: signedIn(patient), refusal: unverifiable(refusal)}),
    stopping: interruption.stopping,
    provider: () => context.provider(),
    note: async text => void context.world.stderr.write(`${visible(text)}\n`),
  }
}

const WITHOUT_STATES = 'or add --verify none to send without a look at the states'

/** Who is not signed in can still send. */
function signedIn({baseUrl, call}: Caller): Caller {
  return {
    baseUrl,
    call: async asked => {
      try {
        return await call(asked)
      } catch (error) {
        if (!(error instanceof StorectlError) || error.exitName !== 'auth') throw error
        throw new StorectlError(error.code, error.message, {
          nextSteps: [...error.nextSteps, WITHOUT_STATES],
          cause: error,
        })
      }
    },
  }
}

/** A refused look-up need not be the end: events can be sent without it. */
function unverifiable(refusal: (...args: Parameters<Refusal>) => StorectlError): Refusal {
  return (answer, doing) => {
    const {code, message, nextSteps} = refusal(answer, doing)
    return new StorectlError(code, message, {
      nextSteps: [...nextSteps, WITHOUT_STATES],
    })
  }
}

type Refusal = Parameters<typeof transactionsOf>[0]['refusal']
