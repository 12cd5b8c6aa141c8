import type {RunRow} from '../../runs/journal/run-store.js'
import {otherShop} from '../../runs/open-run.js'
import {joinRun, whenPlanned} from '../../runs/workers/join-run.js'
import {outletOf, type Replay, type ReplayDeps, type ReplayOptions} from './replay.js'
import type {ReplayRow} from './replay-row.js'
import {sendingPart} from './send-planned.js'

/** What joining a replay needs of what a replay needs. */
export type JoiningDeps = Omit<ReplayDeps, 'events' | 'openScratch' | 'agreed'>

/**
 * Takes part in a replay that is under way, by its rules and limits: what it sends is what the run was going to send.
 *
 * @param concurrency transactions at once of this worker; those of the run unless it is given
 * @throws StorectlError `usage.other_shop`, and as `whenPlanned`, `joinRun`, `confirmWrite` and `webhookToken` do
 */
export async function joinReplay(
  run: RunRow,
  concurrency: number | undefined,
  deps: JoiningDeps,
): Promise<Replay> {
  if (run.kind === 'replay' && run.target !== deps.target) throw otherShop(run, 'join')
  const planned = await whenPlanned(run, deps)
  const asked = planned.options.options as ReplayOptions
  const options = {...asked, concurrency: concurrency ?? asked.concurrency}
  const outlet = await outletOf(run.id, {options}, deps)
  const {name, url} = deps.shop.profile
  await deps.shop.confirmWrite(`join run ${run.id}, which sends to ${url.href.replace(/\/$/, '')} (${name})`)
  const own = await joinRun(planned, deps)
  const part = {
    ...{options, isNamed: planned.options.isNamed === true, isFounder: false},
    ...{total: planned.total ?? 0, unsent: none, note: deps.note},
  }
  return sendingPart(own, part, outlet, deps)
}

/** What is not sent is in the record already. */
async function* none(): AsyncGenerator<readonly ReplayRow[], void, void> {}
