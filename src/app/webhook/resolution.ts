import {describeChosenShop} from '../../auth/profile/describe-shop.js'
import {describeMachine} from '../../platform/processes.js'
import {findRun} from '../../runs/find-run.js'
import {openRun} from '../../runs/open-run.js'
import {takeOver} from '../../runs/workers/take-over.js'
import type {MarkedEvents} from '../../webhook/triage/mark-events.js'
import {
  type ResolveDeps,
  type ResolveRequest,
  resolveChosen,
  undoResolve,
} from '../../webhook/triage/resolve-chosen.js'
import type {Adapters} from '../adapters/adapters.js'
import type {Host} from '../host.js'

type Request = ResolveRequest & {
  readonly flags: {readonly undo?: string | undefined}
  readonly narrow: ResolveDeps['narrow']
}

/**
 * Resolves events, or undoes a run that did. A run whose process is gone is closed first.
 *
 * @throws StorectlError as `findRun`, `resolveChosen` and `undoResolve` do; `conflict.lease_held` for a run that is
 *   still active
 */
export async function markChosen(
  host: Host,
  adapters: Adapters,
  {narrow, ...request}: Request,
): Promise<MarkedEvents> {
  const {undo} = request.flags
  const {runs: store} = await adapters.openRecords()
  const {inbox, target} = await adapters.openInbox()
  const {clock, interruption} = host
  const machine = describeMachine(host.env)
  const deps: ResolveDeps = {
    ...{inbox, target, store, clock, who: machine.who, stopping: interruption.stopping},
    ...{narrow, openInput: adapters.files.openInput, openScratch: adapters.files.openScratch},
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
  if (undo === undefined) return resolveChosen(request, deps)
  const run = await findRun(store, undo, ['resolve'])
  const isOpen = run.kind === 'resolve' && run.state === 'running'
  return undoResolve(isOpen ? await takeOver(run, false, {store, machine, clock}) : run, request, deps)
}
