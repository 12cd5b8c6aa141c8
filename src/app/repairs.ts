import {confirmWrite} from '../auth/profile/confirm-write.js'
import {StorectlError} from '../errors.js'
import type {ReconcileFlags} from '../flags/payment-flags.js'
import {lookUpPayment} from '../payment/repair/look-up-drift.js'
import {createRepairOperation} from '../payment/repair/repair-operation.js'
import {readRepairPlan} from '../payment/repair/repair-plan.js'
import {fetchProviderEvent} from '../payment/repair/repair-sources.js'
import {createRepairTask} from '../payment/repair/repair-task.js'
import {memoize} from '../platform/memoize.js'
import {requireSkippableFlows} from '../shopware/versions/versions.js'
import {createShopTransport} from '../webhook/delivery/delivery.js'
import {createProviderTransport} from '../webhook/provider/provider-delivery.js'
import type {ReplayDeps} from '../webhook/replay/replay-parts.js'
import type {Adapters} from './adapters/adapters.js'
import {openDelivery} from './adapters/delivery.js'
import {findShopVersions} from './adapters/versions.js'
import type {Host} from './host.js'

/** Fixed limits: those of a replay. */
const LIMITS = {concurrency: 4, retries: 3, canary: 5, failuresInARow: 5, failureRate: 0.2} as const

/** How long to wait for the effect of the provider's delivery. */
const PROVIDER_WAIT_MS = 60_000

/** The repairs of a plan file. @throws StorectlError as `readRepairPlan` and `createRepairTask` do */
export async function buildRepair(host: Host, adapters: Adapters, path: string, flags: ReconcileFlags) {
  const file = await adapters.files.openInput(path)
  const plan = await readRepairPlan(file)
  const delivery = await openDelivery(host, adapters, true)
  const {shop} = delivery
  const input = {
    ...{plan, allowsBackwards: flags['allow-backwards'], max: flags.max || undefined},
    settings: {...LIMITS, ratePerSecond: flags.rate, graceMs: flags['grace-period']},
    reason: adapters.options.reason ?? null,
  }
  return createRepairTask(input, {
    ...delivery,
    profile: shop.profile.name,
    confirm: (what, isTyped) => confirmRepair(adapters, shop.profile, what, isTyped),
    createOperation: run =>
      buildOperation(host, adapters, delivery, {run, ...flags, skipFlows: plan.head.skipFlows}),
  })
}

async function buildOperation(
  host: Host,
  adapters: Adapters,
  {inbox, store, target, transactions, userAgent, retryAfterMs, findWebhookId, clock}: ReplayDeps,
  {
    run,
    skipFlows,
    'pending-after': pendingAfterMs,
  }: Pick<ReconcileFlags, 'pending-after'> & {readonly run: string; readonly skipFlows: boolean},
) {
  const {interruption} = host
  const shop = await adapters.connect()
  const provider = await adapters.openProvider()
  if (!transactions) throw new Error('repairs check states')
  const versions = await findShopVersions(host, adapters, true)
  if (skipFlows) requireSkippableFlows(versions, shop.profile.name)
  // A plan without stored events needs no webhook token.
  const openToShop = memoize(async () =>
    createShopTransport({
      ...{shop, transactions, userAgent, retryAfterMs, rules: {versions, skipFlows}, clock},
      token: await shop.webhookToken(),
    }),
  )
  const patience = {versions, patienceMs: PROVIDER_WAIT_MS, stopping: interruption.stopping}
  const findEvent = async (id: string) => (await inbox.find(target, [id])).get(id)
  return createRepairOperation({
    ...{run, inbox, target, shop, transactions, skipFlows, now: () => clock.now()},
    findLedgerEntries: keys => store.findLedgerEntries('repair', target, keys),
    presumeLostAfterMs: shop.profile.presumeLostAfterMs,
    toShop: {
      deliver: async (...sent) => (await openToShop()).deliver(...sent),
      mayStillArrive: () => false,
    },
    viaProvider: createProviderTransport({
      provider,
      transactions,
      clock,
      retryAfterMs,
      findEvent,
      findWebhookId,
      ...patience,
    }),
    fetchEvent: id => fetchProviderEvent(id, provider, clock.now()),
    lookUp: planned => lookUpPayment(planned, {shop, provider, now: clock.now(), pendingAfterMs}),
  })
}

/** Moving money back requires the profile's name, even for an unprotected profile. */
async function confirmRepair(
  {options, prompts}: Adapters,
  profile: {readonly name: string; readonly protected: boolean},
  what: string,
  isTyped: boolean,
): Promise<void> {
  const {yes = false, confirm} = options
  const guarded = {name: profile.name, protected: profile.protected || isTyped}
  try {
    await confirmWrite(what, {profile: guarded, yes, confirm, prompts})
  } catch (error) {
    if (!(error instanceof StorectlError) || error.code !== 'stopped.not_confirmed' || profile.protected)
      throw error
    const message = 'Repairs that move money back need a typed confirmation. Nothing was sent or changed.'
    throw new StorectlError(error.code, message, {nextSteps: error.nextSteps})
  }
}
