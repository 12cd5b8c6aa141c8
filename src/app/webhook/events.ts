import {describeChosenShop} from '../../auth/profile/describe-shop.js'
import {describeMachine} from '../../platform/processes.js'
import {findRun} from '../../runs/find-run.js'
import type {RunRow} from '../../runs/journal/run-store.js'
import {openRun} from '../../runs/open-run.js'
import {takeOver} from '../../runs/workers/take-over.js'
import type {NarrowEvents} from '../../webhook/choose/chosen-events.js'
import type {Cause} from '../../webhook/event/cause.js'
import {follow} from '../../webhook/inbox/follow-events.js'
import type {InboxQuery} from '../../webhook/inbox/inbox.js'
import type {ResolveDeps} from '../../webhook/triage/resolve-chosen.js'
import type {Adapters} from '../adapters/adapters.js'
import type {Host} from '../host.js'

/** Loads what tells the causes of events, which few commands need. */
type LoadDiagnosis = () => Promise<{
  buildCauseFilter(host: Host, adapters: Adapters, causes: readonly Cause[]): Promise<NarrowEvents>
}>

/** What narrows events to those of some causes; `undefined` where none are asked for. */
export async function buildEventFilter(
  host: Host,
  adapters: Adapters,
  causes: readonly Cause[] | undefined,
  load: LoadDiagnosis,
): Promise<NarrowEvents | undefined> {
  return causes && (await load()).buildCauseFilter(host, adapters, causes)
}

/** Dependencies of `webhook resolve`. @param causes that the events are narrowed to */
export async function buildResolution(
  host: Host,
  adapters: Adapters,
  causes: readonly Cause[] | undefined,
  load: LoadDiagnosis,
): Promise<ResolveDeps> {
  const {inbox, target} = await adapters.openInbox()
  const narrow = await buildEventFilter(host, adapters, causes, load)
  const {openInput, openScratch} = adapters.files
  const {runs: store} = await adapters.openRecords()
  const {clock, interruption} = host
  const machine = describeMachine(host.env)
  return {
    ...{inbox, target, narrow, openInput, openScratch, store, clock},
    who: machine.who,
    stopping: interruption.stopping,
    openRun: async ({options, ...intent}) => {
      const {name} = await adapters.chooseProfile()
      const asked = {...intent, target, profile: name, options: {...options, command: adapters.commandLine}}
      return openRun(asked, {store, machine, clock, random: Math.random})
    },
    findShop: async () => {
      const chosen = await adapters.chooseProfile()
      return {shopName: describeChosenShop(chosen), isProtected: chosen.profile?.protected === true}
    },
    confirm: what => adapters.confirmChange(what),
  }
}

/**
 * The run that is to be taken back. One whose process is gone is closed first.
 *
 * @throws StorectlError as `findRun` does; `conflict.lease_held` for one that is still at work
 */
export async function findResolve(host: Host, adapters: Adapters, word: string): Promise<RunRow> {
  const {runs: store} = await adapters.openRecords()
  const run = await findRun(store, word)
  if (run.kind !== 'resolve' || run.state !== 'running') return run
  return takeOver(run, false, {store, machine: describeMachine(host.env), clock: host.clock})
}

/** The newest events that a query chooses, then each that arrives or changes. @param note a line for the person */
export async function* followEvents(
  {clock, interruption, platform, hasProcessToItself}: Host,
  adapters: Adapters,
  query: InboxQuery,
  note: (text: string) => Promise<void>,
) {
  const onBusy = (why: string) => note(`${why} Retrying until it is free.`)
  const inbox = await adapters.openInbox()
  const {watchReader} = await import('../../platform/closed-reader.js')
  const stopWatching = hasProcessToItself ? watchReader(interruption, platform) : () => {}
  try {
    yield* follow(query, {...inbox, clock, signal: interruption.stopping, onBusy})
  } finally {
    stopWatching()
  }
}
