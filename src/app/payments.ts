import type {ReconcileFlags} from '../flags/payment-flags.js'
import type {FoundDrift} from '../payment/reconcile/drift-row.js'
import {type ReconcileOptions, Reconciliation} from '../payment/reconcile/reconcile.js'
import {chooseRepair} from '../payment/repair/choose-repair.js'
import {describeRepair} from '../payment/repair/repair.js'
import {RepairPlanWriter} from '../payment/repair/repair-plan.js'
import {createRepairSources} from '../payment/repair/repair-sources.js'
import type {ShowPaymentDeps} from '../payment/view/show-payment.js'
import type {Adapters} from './adapters/adapters.js'
import type {Host} from './host.js'

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

/** From when on money that the provider holds back is a difference. */
const PENDING_AFTER_MS = 24 * 3_600_000

/** Dependencies of `payment show`; the provider is signed in to when it is asked. */
export async function buildShowPaymentDeps(
  {clock, interruption}: Host,
  adapters: Adapters,
): Promise<ShowPaymentDeps> {
  const {inbox, target} = await adapters.openInbox()
  return {
    ...{inbox, target, now: clock.now(), pendingAfterMs: PENDING_AFTER_MS},
    shop: await adapters.connect(),
    openProvider: () => adapters.openProvider(),
    signal: interruption.stopping,
  }
}
