import type {Status, StatusSources} from '../auth/login/sign-in-status.js'
import {type Connection, type Profile, UNNAMED} from '../auth/profile/profile.js'
import {buildProfile} from '../auth/profile/stored-profiles.js'
import {examine, type HealthCheck} from '../doctor/doctor.js'
import {checkCertificate, checkConnection, type ShopFacts} from '../doctor/shop-checks.js'
import {checkWebhook} from '../doctor/webhook-check.js'
import {memoize} from '../platform/memoize.js'
import {describeMachine} from '../platform/processes.js'
import {findProvider} from '../providers/providers.js'
import type {WatchRow} from '../runs/journal/watch-store.js'
import {describeWatchState} from '../runs/report/watch-view.js'
import {isLive, type Machine} from '../runs/workers/liveness.js'
import type {Service, ShopSources} from '../status/shop-status.js'
import type {CaptureHeartbeat} from '../webhook/inbox/capture-inbox.js'
import type {Adapters} from './adapters/adapters.js'
import {findLastComparison} from './adapters/comparisons.js'
import {connectOnce} from './adapters/connect-once.js'
import {openInbox} from './adapters/inbox.js'
import type {OwnRecords} from './adapters/records.js'
import {findShopVersions} from './adapters/versions.js'
import type {Host} from './host.js'

/** Whose status is asked for. */
export interface StatusRequest {
  readonly signIns: Pick<StatusSources, 'chosen' | 'stored'>
  /** As `listStatuses` gives them: the chosen shop first, then all others. */
  readonly statuses: readonly Status[]
  /** Whether all profiles are meant, and not the chosen shop alone. */
  readonly isAll: boolean
  readonly since: Date | undefined
  /** A shop, as the checks of doctor see it. */
  readonly buildFacts: (
    host: Host,
    connection: Connection,
    findVersions: ShopFacts['findVersions'],
  ) => Promise<ShopFacts>
}

/** The chosen shop, or all, each with what is asked about it; nobody is asked yet. */
export async function openStatuses(
  host: Host,
  adapters: Adapters,
  {signIns: {chosen, stored}, statuses, isAll, since, buildFacts}: StatusRequest,
): Promise<ShopSources[]> {
  const records = await adapters.openRecords()
  const now = (await adapters.openRecordsClock()).now()
  const machine = describeMachine(host.env)
  const open = async (signIn: Status, profile: Profile | undefined, own: Host): Promise<ShopSources> => {
    const {inbox, target} = await openInbox(own, adapters.home, profile, records)
    return {
      ...{signIn, target, inbox, runs: records.runs, machine, now, since},
      shopWords: signIn.profile === UNNAMED ? ` --url ${signIn.url}` : ` --profile ${signIn.profile}`,
      listServices: () => listServices(target, records, machine, now),
      findComparison: () => findLastComparison(own, {...adapters, chooseProfile: async () => ({profile})}),
      examineShop: () =>
        profile ? listChecks(own, adapters, profile, buildFacts).map(check => examine([check])) : [],
    }
  }
  const [first, ...others] = statuses
  // A bundled shop that nobody chose is none of all.
  const isMeant = !isAll || chosen.from !== '' || chosen.profile !== undefined || others.length === 0
  // What the environment says is about the chosen shop: no other one is given its secrets.
  const env = Object.fromEntries(Object.entries(host.env).filter(([name]) => !name.startsWith('STORECTL_')))
  return Promise.all([
    ...(first && isMeant ? [open(first, chosen.profile, host)] : []),
    ...(isAll ? others : []).map(status => {
      const {profile: name, url} = status
      return open(status, buildProfile(name, stored[name] ?? {url: url ?? ''}), {...host, env})
    }),
  ])
}

/** What works for a shop for days: of each kind those that are at work, or else the last one. */
async function listServices(
  target: string,
  {captures, watches}: Pick<OwnRecords, 'captures' | 'watches'>,
  machine: Machine,
  now: Date,
): Promise<Service[]> {
  const found = [
    ...(await captures.listHeartbeats(target)).map(each => ({
      ...{...each, service: 'capture' as const, awaySince: null},
      state: describeCaptureState(each, machine, now),
    })),
    ...(await listWatches(target, watches)).map(each => ({
      ...{...each, service: 'watch' as const, lastCallAt: each.probe?.at ?? null},
      state: describeWatchState(each, machine),
    })),
  ]
  const services = found.map(({service, state, host, pid, heartbeatAt, lastCallAt, awaySince}) => ({
    ...{service, state, host, pid, heartbeatAt: heartbeatAt.toISOString()},
    ...{lastCallAt: lastCallAt?.toISOString() ?? null, awaySince: awaySince?.toISOString() ?? null},
  }))
  return (['capture', 'watch'] as const).flatMap(name => {
    const own = services.filter(({service}) => service === name)
    const atWork = own.filter(({state}) => state !== 'ended' && state !== 'unresponsive')
    return atWork.length > 0 ? atWork : own.slice(0, 1)
  })
}

function describeCaptureState(capture: CaptureHeartbeat, machine: Machine, now: Date): string {
  if (capture.endedAt) return 'ended'
  const heartbeatAgeMs = now.getTime() - capture.heartbeatAt.getTime()
  return isLive({...capture, heartbeatAgeMs}, machine) ? 'running' : 'unresponsive'
}

/** Those that have not ended, or else the last one. */
async function listWatches(target: string, watches: OwnRecords['watches']): Promise<WatchRow[]> {
  const open: WatchRow[] = []
  for await (const watch of watches.list({target, isOpen: true})) open.push(watch)
  if (open.length > 0) return open
  for await (const watch of watches.list({target})) return [watch]
  return []
}

/** A shop that is away is asked once: no call is made again. */
function listChecks(
  host: Host,
  adapters: Adapters,
  profile: Profile,
  buildFacts: StatusRequest['buildFacts'],
): HealthCheck[] {
  const findVersions = () => findShopVersions(host, adapters, false)
  const open = memoize(async () => buildFacts(host, await connectOnce(host, adapters, profile), findVersions))
  const check = findProvider(profile.provider).registration === null ? checkConnection : checkWebhook
  const webhook = {name: 'webhook token', examine: async () => check(await open())}
  if (profile.url.protocol !== 'https:') return [webhook]
  return [webhook, {name: 'certificate', examine: async () => checkCertificate(await open())}]
}
