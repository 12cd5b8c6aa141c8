import {confirmWrite} from '../auth/profile/confirm-write.js'
import {StorectlError} from '../errors.js'
import type {ReconcileFlags} from '../flags/payment-flags.js'
import type {FoundDrift} from '../payment/reconcile/drift-row.js'
import {type ReconcileOptions, Reconciliation} from '../payment/reconcile/reconcile.js'
import {chooseRepair} from '../payment/repair/choose-repair.js'
import {lookUpPayment} from '../payment/repair/look-up-drift.js'
import {describeRepair} from '../payment/repair/repair.js'
import {createRepairOperation} from '../payment/repair/repair-operation.js'
import {RepairPlanWriter, readRepairPlan} from '../payment/repair/repair-plan.js'
import {createRepairSources, fetchProviderEvent} from '../payment/repair/repair-sources.js'
import {createRepairTask} from '../payment/repair/repair-task.js'
import {memoize} from '../platform/memoize.js'
import {createShopTransport} from '../webhook/delivery/delivery.js'
import {createProviderTransport} from '../webhook/provider/provider-delivery.js'
import type {Adapters} from './adapters/adapters.js'
import {openDelivery} from './adapters/delivery.js'
import type {Host} from './host.js'
import {findShopVersions} from './versions.js'

/** A comparison of the chosen shop with its provider. */
export async function buildReconciliation(
  {clock, interruption}: Host,
  adapters: Adapters,
  options: ReconcileOptions,
): Promise<Reconciliation> {
  const {openMovementStore} = await import('../records/movements/movement-store.js')
  const shop = await adapters.connect()
  const provider = await adapters.openProvider()
  const store = await openMovementStore(adapters.home.paths.state, clock)
  adapters.closeAtEnd(() => store.close())
  return new Reconciliation(options, {shop, provider, store, clock, signal: interruption.stopping})
}

/** Writes how payments are repaired into a file. */
export interface RepairPlanner {
  /** Adds one. @returns how it is repaired */
  add(found: FoundDrift): Promise<string>
  /** The file is whole. @returns what was written, in a sentence */
  end(): Promise<string>
}

/** Opens the file of `--plan`, and what repairs are chosen from; `undefined` without one. */
export async function buildRepairPlanner(
  {clock}: Host,
  adapters: Adapters,
  {plan: file, force}: Pick<ReconcileFlags, 'plan' | 'force'>,
): Promise<RepairPlanner | undefined> {
  if (file === undefined) return undefined
  const output = await adapters.files.openOutput(file, force)
  const {inbox, target} = await adapters.openInbox()
  const shop = await adapters.connect()
  const provider = await adapters.openProvider()
  const sources = createRepairSources({inbox, target, shop, provider, now: () => clock.now()})
  const writer = new RepairPlanWriter(text => output.sink.write(text))
  const madeAt = clock.now().toISOString()
  await writer.begin({storectlRepairPlan: 1, target, profile: shop.profile.name, madeAt})
  return {
    add: async found => {
      const planned = await chooseRepair(found, sources)
      await writer.add([planned])
      return describeRepair(planned.repair)
    },
    end: async () => {
      const hash = await writer.end()
      await output.keep()
      return `${file}: plan ${hash.slice(0, 12)} of ${writer.payments} payments`
    },
  }
}

/** Limits that no flag changes: those of a replay. */
const LIMITS = {concurrency: 4, retries: 3, canary: 5, failuresInARow: 5, failureRate: 0.2} as const

/** How long the effect of what the provider delivers is waited for. */
const PROVIDER_WAIT_MS = 60_000

/** The repairs of a plan file. @throws StorectlError as `readRepairPlan` and `createRepairTask` do */
export async function buildRepair(host: Host, adapters: Adapters, path: string, flags: ReconcileFlags) {
  const file = await adapters.files.openInput(path)
  const plan = await readRepairPlan(file.name, () => file.read())
  const delivery = await openDelivery(host, adapters, true)
  const {shop} = delivery
  const input = {
    ...{plan, allowsBackwards: flags['allow-backwards'], max: flags.max || undefined},
    settings: {...LIMITS, ratePerSecond: flags.rate},
    reason: adapters.options.reason ?? null,
  }
  return createRepairTask(input, {
    ...delivery,
    profile: shop.profile.name,
    confirm: (what, isTyped) => confirmRepair(adapters, shop.profile, what, isTyped),
    createOperation: run => buildOperation(host, adapters, run, flags['pending-after']),
  })
}

async function buildOperation(host: Host, adapters: Adapters, run: string, pendingAfterMs: number) {
  const {clock, interruption} = host
  const delivery = await openDelivery(host, adapters, true)
  const {inbox, target, transactions, userAgent, retryAfterMs} = delivery
  const shop = await adapters.connect()
  const provider = await adapters.openProvider()
  if (!transactions) throw new Error('repairs check states')
  const versions = await findShopVersions(host, adapters, true)
  // A plan without stored events needs no webhook token.
  const openToShop = memoize(async () =>
    createShopTransport({
      ...{shop, transactions, userAgent, retryAfterMs, rules: {includeUnknown: false, versions}},
      token: await shop.webhookToken(),
    }),
  )
  const patience = {versions, patienceMs: PROVIDER_WAIT_MS, stopping: interruption.stopping}
  return createRepairOperation({
    ...{run, inbox, target, shop, transactions, now: () => clock.now()},
    toShop: {
      deliver: async (...sent) => (await openToShop()).deliver(...sent),
      mayStillArrive: () => false,
    },
    viaProvider: createProviderTransport({provider, transactions, clock, retryAfterMs, ...patience}),
    fetchEvent: id => fetchProviderEvent(id, provider, clock.now()),
    lookUp: async transaction => {
      const signal = new AbortController().signal
      const deps = {shop, provider, now: clock.now(), pendingAfterMs, signal}
      const {facts, drift} = (await lookUpPayment(transaction, deps)) ?? {}
      return facts && drift && {facts, drift}
    },
  })
}

/** Money that moves back wants the profile's name, whether it is protected or not. */
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
