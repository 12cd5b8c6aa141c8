import {StorectlError} from '../errors.js'
import type {Caller} from '../http/http.js'
import {retryAfterMs} from '../http/retry.js'
import {visible} from '../output/escape-controls.js'
import {createTransactions} from '../payment/transactions.js'
import {thisMachine} from '../platform/processes.js'
import type {RunRow} from '../runs/journal/run-store.js'
import type {Rules} from '../webhook/plan/action.js'
import {type ReplaySource, replaySource, restOf} from '../webhook/plan/event-source.js'
import type {WrittenPlan} from '../webhook/plan/plan-file.js'
import type {Selection} from '../webhook/plan/replay-input.js'
import {askedFor} from '../webhook/plan/replay-input.js'
import type {JoiningDeps} from '../webhook/replay/join-replay.js'
import type {ReplayDeps} from '../webhook/replay/replay.js'
import type {Adapters} from './adapters/adapters.js'
import type {OpenInbox} from './adapters/inbox.js'
import type {Host} from './host.js'

/** A replay with everything it needs. */
export interface OpenReplay {
  readonly source: ReplaySource
  readonly deps: ReplayDeps
}

/** The events of a replay, in the words of the command line. */
export interface ReplayChoice {
  /** Ids of events, files of events, `-` for stdin. */
  readonly words: readonly string[]
  readonly selection: Selection
  readonly verify: Rules['verify']
}

type TargetInbox = Pick<OpenInbox, 'inbox' | 'target'>

/** Dependencies of a replay of the chosen events: their files, the inbox, the shop and the run's records. */
export async function buildReplayDeps(
  host: Host,
  adapters: Adapters,
  {words, selection, verify}: ReplayChoice,
): Promise<OpenReplay> {
  const {clock, interruption, stderr} = host
  const {inbox, target} = await adapters.openInbox()
  const note = (text: string) => stderr.write(`${visible(text)}\n`)
  const asked = await askedFor(words, {
    open: path => adapters.files.openInput(path),
    known: ids => inbox.find(target, ids),
  })
  const source = await replaySource(asked, selection, {
    ...{inbox, target, random: Math.random, signal: interruption.stopping, now: () => clock.now()},
    onFault: ({file, line, why}) => note(`${file}:${line}: ${why}`),
    onConflict: id => note(`${id}: came with several bodies`),
  })
  adapters.closeAtEnd(() => source.drop())
  return {source, deps: await sourceDeps(host, adapters, {inbox, target}, source, verify)}
}

/** Dependencies of carrying out a plan file. */
export async function buildApplyDeps(
  host: Host,
  adapters: Adapters,
  path: string,
): Promise<OpenReplay & {readonly approved: WrittenPlan}> {
  const {readPlan} = await import('../webhook/plan/plan-file.js')
  const {sourceOf} = await import('../webhook/plan/approved-plan.js')
  const file = await adapters.files.openInput(path)
  const approved = await readPlan(file.name, () => file.read())
  const opened = await adapters.openInbox()
  const source = sourceOf(approved, opened)
  const deps = await sourceDeps(host, adapters, opened, source, approved.head.rules.verify)
  return {source, approved, deps}
}

/** Dependencies of resuming a run. */
export async function buildResumeDeps(host: Host, adapters: Adapters, run: RunRow): Promise<OpenReplay> {
  const {runs} = await adapters.openRecords()
  const opened = await adapters.openInbox()
  const source = restOf(run, runs, opened)
  const {verify} = run.options.options as Rules
  return {source, deps: await sourceDeps(host, adapters, opened, source, verify)}
}

/** Dependencies of a further worker of a run. */
export async function buildJoinDeps(host: Host, adapters: Adapters, run: RunRow): Promise<JoiningDeps> {
  const options = run.options.options as Partial<Rules> | undefined
  return sendingDeps(host, adapters, await adapters.openInbox(), options?.verify ?? 'state')
}

async function sourceDeps(
  host: Host,
  adapters: Adapters,
  opened: TargetInbox,
  source: ReplaySource,
  verify: Rules['verify'],
): Promise<ReplayDeps> {
  return {
    ...(await sendingDeps(host, adapters, opened, verify)),
    events: () => source.events(),
    agreed: () => source.keep(),
    openScratch: () => adapters.files.openScratch(),
  }
}

async function sendingDeps(
  host: Host,
  adapters: Adapters,
  opened: TargetInbox,
  verify: Rules['verify'],
): Promise<JoiningDeps> {
  const {clock, env, interruption, userAgent, stderr} = host
  const connection = await adapters.connect()
  const {patient, refusal} = connection
  return {
    ...opened,
    ...{clock, userAgent, random: Math.random},
    retryAfterMs: answer => retryAfterMs(answer, clock.now()),
    store: (await adapters.openRecords()).runs,
    machine: thisMachine(env),
    shop: connection,
    transactions:
      verify === 'none'
        ? undefined
        : createTransactions({search: signedIn(patient), refusal: unverifiable(refusal)}),
    stopping: interruption.stopping,
    provider: () => adapters.openProvider(),
    note: async text => void stderr.write(`${visible(text)}\n`),
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

type Refusal = Parameters<typeof createTransactions>[0]['refusal']
