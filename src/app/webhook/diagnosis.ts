import {findWebhookToken} from '../../auth/credentials/sign-in-commands.js'
import type {Connection} from '../../auth/profile/profile.js'
import {StorectlError} from '../../errors.js'
import {USUAL_MAX_AGE_MS} from '../../flags/replay-flags.js'
import {createTransactions, type Transactions} from '../../payment/transactions.js'
import {memoize} from '../../platform/memoize.js'
import {selectByCause} from '../../webhook/diagnose/diagnose.js'
import {createReplayOutlook} from '../../webhook/diagnose/replay-outlook.js'
import {createTokenComparison, type TokenNow} from '../../webhook/diagnose/token-comparison.js'
import type {InboxEvent} from '../../webhook/event/event.js'
import type {Rules} from '../../webhook/plan/judged.js'
import {createRegistrationApi} from '../../webhook/registration/registration-client.js'
import {createWebhookIdRecorder, type WebhookIdStorage} from '../../webhook/verify/webhook-ids.js'
import {type ComparisonOpeners, createDriftLookup} from '../adapters/comparisons.js'
import type {OpenInbox} from '../adapters/inbox.js'
import type {OwnRecords} from '../adapters/records.js'
import {findShopVersions} from '../adapters/versions.js'
import type {Host} from '../host.js'

/** Openers needed to diagnose events. */
interface DiagnosisOpeners extends WebhookIdStorage, ComparisonOpeners {
  connect(): Promise<Connection>
  openInbox(): Promise<OpenInbox>
  openRecords(): Promise<Pick<OwnRecords, 'runs' | 'signatures' | 'restored'>>
}

/** Look-ups at the shop about events, which connect at the first of them. */
export interface Lookups {
  readonly transactions: () => Promise<Transactions>
  readonly token: () => Promise<TokenNow>
}

/** Dependencies of look-ups at the shop about events. @param note tells a person what the role may not read */
export function buildLookups(
  host: Host,
  adapters: DiagnosisOpeners,
  note?: (text: string) => unknown,
): Lookups {
  return {
    transactions: async () => {
      const {patient, refusal} = await adapters.connect()
      return createTransactions({search: patient, refusal, note})
    },
    token: createTokenComparison(async () => {
      const connection = await adapters.connect()
      const onWebhookId = createWebhookIdRecorder(adapters, host.clock)
      const api = createRegistrationApi({...connection, onWebhookId})
      return {api, ours: () => findWebhookToken(connection)}
    }),
  }
}

/**
 * Dependencies of `webhook diagnose`.
 *
 * @param isShopAsked whether the shop is asked, or only stored data is used
 * @param note as `buildLookups` takes it
 */
export async function buildDiagnoseDeps(
  host: Host,
  adapters: DiagnosisOpeners,
  isShopAsked: boolean,
  note?: (text: string) => unknown,
) {
  const {transactions, token} = buildLookups(host, adapters, note)
  const opened = await adapters.openInbox()
  const {runs} = await adapters.openRecords()
  const findRules = memoize(() => findUsualRules(adapters))
  return {
    ...opened,
    signal: host.interruption.stopping,
    findVersions: memoize(() => findShopVersions(host, adapters, true)),
    findDrift: createDriftLookup(host, adapters),
    createOutlook: createReplayOutlook({...opened, runs, findRules, now: host.clock.now()}),
    transactions: isShopAsked ? transactions : undefined,
    token: isShopAsked ? token : async (): Promise<TokenNow> => ({kind: 'not-known', says: 'not checked'}),
  }
}

/** The rules of a replay without flags, except the shop's versions. */
async function findUsualRules({
  connect,
  openRecords,
}: Pick<DiagnosisOpeners, 'connect' | 'openRecords'>): Promise<Rules> {
  const profile = await connect().then(
    connection => connection.profile,
    (error: unknown) => {
      if (error instanceof StorectlError) return undefined
      throw error
    },
  )
  return {
    ...{maxAgeMs: USUAL_MAX_AGE_MS, checkState: true},
    ...{includeOutOfOrder: false, includeUnverified: false, includeDelivered: false, includeUnknown: false},
    provider: profile?.provider,
    presumeLostAfterMs: profile?.presumeLostAfterMs,
    isRestored: (await openRecords()).restored !== undefined,
  }
}

/** Filters events by these causes. */
export async function buildCauseFilter(
  host: Host,
  adapters: DiagnosisOpeners,
  causes: readonly string[],
): Promise<(events: AsyncIterable<InboxEvent>) => AsyncIterable<InboxEvent>> {
  const deps = await buildDiagnoseDeps(host, adapters, true)
  return events => selectByCause(events, new Set(causes), deps)
}
