import type {ShowPaymentDeps} from '../../payment/view/show-payment.js'
import type {Host} from '../host.js'

/** From when on money that the provider holds back is a difference. */
const PENDING_AFTER_MS = 24 * 3_600_000

/** What is opened to show a payment. */
export interface PaymentOpeners extends Pick<ShowPaymentDeps, 'openProvider'> {
  openInbox(): Promise<Pick<ShowPaymentDeps, 'inbox' | 'target'>>
  connect(): Promise<ShowPaymentDeps['shop']>
}

/** Dependencies of `payment show`; the provider is signed in to when it is asked. */
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
