import {LOCAL, PRESUME_LOST_MS, UNNAMED} from '../../auth/profile/profile.js'
import {StorectlError} from '../../errors.js'
import {type ReplayFlags, rewriteReplay} from '../../flags/replay-flags.js'
import {createNoteWriter} from '../../output/write-note.js'
import {describeMachine} from '../../platform/processes.js'
import {replaceWrite} from '../../platform/streams.js'
import {createRunId} from '../../runs/journal/run-id.js'
import type {WatchedReplay} from '../../webhook/plan/replay-input.js'
import {askRoute, judgeRoute} from '../../webhook/registration/ask-route.js'
import type {ReplayTask} from '../../webhook/replay/replay.js'
import {type RoundRequest, type WatchDeps, watchInbox} from '../../webhook/watch/watch.js'
import {requireWatchable} from '../../webhook/watch/watch-flags.js'
import {type Adapters, createAdapters, type OpenAdapters} from '../adapters/adapters.js'
import {openAlerts} from '../alerts/open-alerts.js'
import type {Host} from '../host.js'

/** The input of a watch from the command line. */
interface WatchRequest extends ReplayFlags {
  readonly words: readonly string[]
  /** The arguments of `webhook replay`. */
  readonly typed: readonly string[]
}

/** As `buildReplay`. */
type BuildRound<Request> = (
  host: Host,
  adapters: Adapters,
  request: Request & Pick<RoundRequest, 'narrow'> & {readonly watched: WatchedReplay},
) => Promise<ReplayTask>

/**
 * A watch over the inbox of the chosen shop, once the person has agreed to it.
 *
 * @param build makes the replay of each round
 * @returns its id, how messages name the shop, and rows as they come; reading them starts it
 * @throws StorectlError `usage.not_with_watch`, and as `confirmWrite` and opening the records do
 */
export async function openWatch<Request extends WatchRequest>(
  host: Host,
  adapters: Adapters,
  request: Request,
  build: BuildRound<Request>,
) {
  requireWatchable(request, request.words)
  const {name, profile} = await adapters.chooseProfile()
  const {target, inbox, refresh} = await adapters.openInbox()
  const {runs: store, watches} = await adapters.openRecords()
  const {describeChosenShop} = await import('../../auth/profile/describe-shop.js')
  const shopName = describeChosenShop({name, profile})
  await adapters.confirmChange(`keep sending events to ${shopName} until this watch is stopped`)
  if (profile && name !== LOCAL) await (await adapters.connect()).webhookToken()
  const clock = await adapters.openRecordsClock()
  const {who, host: machine, pid, processStart} = describeMachine(host.env)
  const command = hideReceivers(adapters.commandLine, request)
  const open = createOpener(
    host,
    {...adapters, commandLine: command},
    {name, isProtected: profile?.protected === true},
  )
  const watch = {
    ...{
      id: createRunId(clock.now(), Math.random),
      target,
      profile: name,
      who,
      host: machine,
      pid,
      processStart,
    },
    ...{reason: adapters.options.reason ?? null, options: {command}},
    startedAt: clock.now(),
  }
  const roundHost = omitRepeatedNotes(host)
  const openRound: WatchDeps['openRound'] = async ({id, guard, narrow}) => {
    const opened = open()
    const close = () => opened.close()
    try {
      const watched = {id, guard: guard.guard.bind(guard)}
      return {task: await build(roundHost, limitToOneCall(opened), {...request, narrow, watched}), close}
    } catch (error) {
      await close()
      throw error
    }
  }
  const rows = watchInbox({
    ...{watch, watches, store, inbox, target, refresh, clock, openRound},
    ...{
      provider: profile?.provider,
      presumeLostAfterMs: profile ? profile.presumeLostAfterMs : PRESUME_LOST_MS,
    },
    ask: () => askShop(open),
    problems: await openAlerts(host, adapters, request),
    stopping: host.interruption.stopping,
    note: createNoteWriter(host.stderr),
  })
  return {id: watch.id, shopName, rows}
}

/** The command line as runs store it: receivers of alerts may be secret. */
function hideReceivers(commandLine: string, {typed, ...flags}: WatchRequest): string {
  const names = (['notify', 'on-problem'] as const).filter(name => flags[name] !== undefined)
  if (names.length === 0) return commandLine
  return rewriteReplay(typed, undefined, Object.fromEntries(names.map(name => [name, '***'])))
}

/**
 * Reopens everything outside for each round and probe, to follow a changed token, changed settings, or a server that now
 * listens elsewhere. The shop stays the one that was chosen and confirmed.
 */
function createOpener(
  host: Host,
  {options, commandLine}: Adapters,
  {name, isProtected}: {readonly name: string; readonly isProtected: boolean},
): () => OpenAdapters {
  const agreed = {...options, yes: true, ...(isProtected && {confirm: name})}
  const chosen = name === UNNAMED ? agreed : {...agreed, profile: name}
  return () => createAdapters(host, chosen, {commandLine})
}

/** Most notes remembered. */
const MOST_NOTES = 100

/** The machine, without repeated notes of rounds. */
function omitRepeatedNotes(host: Host): Host {
  const {stderr} = host
  const {keepShop} = stderr
  const said = new Set<unknown>()
  const write = async (text: string | Uint8Array) => {
    if (said.has(text)) return
    if (said.size >= MOST_NOTES) said.clear()
    said.add(text)
    await stderr.write(text)
  }
  return {...host, stderr: Object.assign(replaceWrite(stderr, write), keepShop && {keepShop})}
}

/** Look-ups without retries: a failed round is repeated, and probes decide when. */
function limitToOneCall(adapters: OpenAdapters): Adapters {
  const connect = async () => {
    const connection = await adapters.connect()
    return {...connection, patient: connection.signed}
  }
  return {...adapters, connect}
}

/** How long a probe may take, milliseconds. */
const PROBE_MS = 10_000

/** Asks the webhook route once; a missing answer counts as one too. A stop waits for it. */
async function askShop(open: () => OpenAdapters) {
  const adapters = open()
  const late = AbortSignal.timeout(PROBE_MS)
  try {
    const {profile} = await adapters.chooseProfile()
    if (!profile && !(await isServerRunning(adapters)))
      return {isGood: false, answer: 'no bundled server is running'}
    const connection = await adapters.connect()
    const answer = await askRoute(await connection.webhookToken(), connection, late)
    return judgeRoute(answer, connection.profile)
  } catch (error) {
    if (error instanceof StorectlError) return {isGood: false, answer: error.message}
    if (late.aborted) return {isGood: false, answer: `no answer within ${PROBE_MS / 1000} s`}
    throw error
  } finally {
    await adapters.close()
  }
}

/** Without one, a command would start the bundled shop inside itself. */
async function isServerRunning({home}: Adapters): Promise<boolean> {
  const {findRunningServer} = await import('../adapters/local-shop.js')
  return findRunningServer(home.paths.shopFolder) !== undefined
}
