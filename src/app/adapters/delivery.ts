import type {ChosenProfile} from '../../auth/profile/choose-profile.js'
import {describeChosenShop} from '../../auth/profile/describe-shop.js'
import type {Connection} from '../../auth/profile/profile.js'
import {StorectlError} from '../../errors.js'
import {createNoteWriter} from '../../output/write-note.js'
import {memoize} from '../../platform/memoize.js'
import {describeMachine} from '../../platform/processes.js'
import type {ReplayDeps} from '../../webhook/replay/replay-parts.js'
import {findShopWebhookId} from '../../webhook/verify/webhook-ids.js'
import type {Host} from '../host.js'
import type {OpenInbox} from './inbox.js'
import type {OwnRecords} from './records.js'

/** Openers needed to send events of the inbox. */
interface DeliveryOpeners {
  openInbox(): Promise<Pick<OpenInbox, 'inbox' | 'target'>>
  connect(): Promise<Connection>
  openRecords(): Promise<Pick<OwnRecords, 'runs' | 'noteIfRestored'>>
  openRecordsClock(): Promise<ReplayDeps['clock']>
  openProvider(): ReturnType<ReplayDeps['openProvider']>
  openVerifier(reach: 'fetched'): ReturnType<NonNullable<ReplayDeps['openVerifier']>>
  chooseProfile(): Promise<ChosenProfile>
  readonly files: Pick<ReplayDeps, 'openScratch'>
}

/** Dependencies of sending events of the inbox to the chosen shop. @param verify whether states are checked */
export async function openDelivery(
  {env, interruption, userAgent, stderr}: Host,
  adapters: DeliveryOpeners,
  checkState: boolean,
): Promise<ReplayDeps> {
  const {readRetryAfterMs: retryAfterMs} = await import('../../http/retry.js')
  const {createStateLookups} = await import('../../webhook/delivery/state-check.js')
  const {inbox, target} = await adapters.openInbox()
  const connection = await adapters.connect()
  const clock = await adapters.openRecordsClock()
  const note = createNoteWriter(stderr)
  const {runs: store, noteIfRestored} = await adapters.openRecords()
  return {
    ...{inbox, target, clock, userAgent, random: Math.random},
    shopName: describeChosenShop(await adapters.chooseProfile()),
    ...{store, isRestored: await noteIfRestored()},
    machine: describeMachine(env),
    shop: connection,
    transactions: checkState ? createStateLookups(connection, note) : undefined,
    retryAfterMs: answer => retryAfterMs(answer, clock.now()),
    findOrdered: createOrderLookup(adapters),
    openProvider: () => adapters.openProvider(),
    openVerifier: () => adapters.openVerifier('fetched'),
    openScratch: () => adapters.files.openScratch(),
    findWebhookId: () => findShopWebhookId(connection),
    stopping: interruption.stopping,
    note,
  }
}

/** What the provider's orders have captured. A provider that cannot be reached is not asked again. */
function createOrderLookup(adapters: Pick<DeliveryOpeners, 'openProvider'>): ReplayDeps['findOrdered'] {
  const open = memoize(async () => {
    const {listOrderCaptures} = await import('../../payment/reconcile/provider-order.js')
    const provider = await adapters.openProvider()
    return (order: {id: string; orderId: string}) => listOrderCaptures(order, provider)
  })
  return async order => {
    try {
      return await (await open())(order)
    } catch (error) {
      if (error instanceof StorectlError) return undefined
      throw error
    }
  }
}
