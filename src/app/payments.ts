import {type ReconcileOptions, Reconciliation} from '../payment/reconcile/reconcile.js'
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
