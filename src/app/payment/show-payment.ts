import type {ShowPaymentDeps} from '../../payment/view/show-payment.js'
import type {Host} from '../host.js'

/** After this time, money that the provider holds back counts as a difference. */
const PENDING_AFTER_MS = 24 * 3_600_000

/** Openers needed to show a payment. */
export interface PaymentOpeners extends Pick<ShowPaymentDeps, 'openProvider'> {
  openInbox(): Promise<Pick<ShowPaymentDeps, 'inbox' | 'target'>>
  connect(): Promise<ShowPaymentDeps['shop']>
}

/** Dependencies of `payment show`; the sign-in to the provider happens at its first request. */
export async function buildShowPaymentDeps(
  {clock, interruption}: Host,
  adapters: PaymentOpeners,
): Promise<ShowPaymentDeps> {
  const {inbox, target} = await adapters.openInbox()
  return {
    ...{inbox, target, now: clock.now(), pendingAfterMs: PENDING_AFTER_MS},
    shop: {...(await adapters.connect()), lacking: new Set()},
    openProvider: () => adapters.openProvider(),
    signal: interruption.stopping,
  }
}
