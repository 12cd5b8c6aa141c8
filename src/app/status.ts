import type {Status, StatusSources} from '../auth/login/sign-in-status.js'
import {type Connection, type Profile, UNNAMED} from '../auth/profile/profile.js'
import {buildProfile} from '../auth/profile/stored-profiles.js'
import {examine, type HealthCheck} from '../doctor/doctor.js'
import {checkCertificate, checkConnection, type ShopFacts} from '../doctor/shop-checks.js'
import {checkWebhook} from '../doctor/webhook-check.js'
import {memoize} from '../platform/memoize.js'
import {describeMachine} from '../platform/processes.js'
import {findProvider} from '../providers/providers.js'
import type {ShopSources} from '../status/shop-status.js'
import type {Adapters} from './adapters/adapters.js'
import {findLastComparison} from './adapters/comparisons.js'
import {connectOnce} from './adapters/connect-once.js'
import {openInbox} from './adapters/inbox.js'
import {findShopVersions} from './adapters/versions.js'
import type {Host} from './host.js'

/** The shop of a status. */
export interface StatusRequest {
  readonly signIns: Pick<StatusSources, 'chosen' | 'stored'>
  /** As `listStatuses` returns them: the chosen shop first, then all others. */
  readonly statuses: readonly Status[]
  /** Whether all profiles are meant, not only the chosen shop. */
  readonly isAll: boolean
  readonly since: Date | undefined
  /** A shop, for the checks of doctor. */
  readonly buildFacts: (
    host: Host,
    connection: Connection,
    findVersions: ShopFacts['findVersions'],
  ) => Promise<ShopFacts>
}

/** The chosen shop, or all, each with its checks; none is asked yet. */
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
      ...{captures: records.captures, watches: records.watches},
      shopWords: signIn.profile === UNNAMED ? ` --url ${signIn.url}` : ` --profile ${signIn.profile}`,
      findComparison: () => findLastComparison(own, {...adapters, chooseProfile: async () => ({profile})}),
      examineShop: () =>
        profile ? listChecks(own, adapters, profile, buildFacts).map(check => examine([check])) : [],
    }
  }
  const [first, ...others] = statuses
  // A bundled shop that was not chosen is not among all.
  const isMeant = !isAll || chosen.from !== '' || chosen.profile !== undefined || others.length === 0
  // The environment is about the chosen shop: no other one gets its secrets.
  const env = Object.fromEntries(Object.entries(host.env).filter(([name]) => !name.startsWith('STORECTL_')))
  return Promise.all([
    ...(first && isMeant ? [open(first, chosen.profile, host)] : []),
    ...(isAll ? others : []).map(status => {
      const {profile: name, url} = status
      return open(status, buildProfile(name, stored[name] ?? {url: url ?? ''}), {...host, env})
    }),
  ])
}

/** A shop that is away is asked once: no call is retried. */
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
