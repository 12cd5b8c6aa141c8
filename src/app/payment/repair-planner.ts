import type {Connection} from '../../auth/profile/profile.js'
import {formatCommandLine} from '../../flags/command-line.js'
import type {ReconcileFlags} from '../../flags/payment-flags.js'
import {chooseRepair} from '../../payment/repair/choose-repair.js'
import {describeRepair, movesBack} from '../../payment/repair/repair.js'
import {createRepairPlanWriter, type RepairPlanner} from '../../payment/repair/repair-plan.js'
import {createRepairSources, type RepairSourcesDeps} from '../../payment/repair/repair-sources.js'
import {canSkipFlows, explainFlows, requireSkippableFlows} from '../../shopware/versions/versions.js'
import type {Inbox} from '../../webhook/inbox/inbox.js'
import {askSenders} from '../../webhook/provider/ask-senders.js'
import type {Provider} from '../../webhook/provider/provider.js'
import {findShopVersions} from '../adapters/versions.js'
import type {Host} from '../host.js'

/** Openers needed to plan repairs. */
export interface PlannerOpeners {
  readonly files: {
    openOutput(
      file: string,
      force: boolean,
    ): Promise<{readonly sink: {write(text: string): Promise<void>}; keep(): Promise<void>}>
  }
  openInbox(): Promise<Pick<RepairSourcesDeps, 'target'> & {readonly inbox: Inbox}>
  connect(): Promise<Connection>
  openProvider(): Promise<Provider>
}

/** Opens the file of `--plan`, and the sources of repairs; `undefined` without one. */
export async function openRepairPlanner(
  host: Host,
  adapters: PlannerOpeners,
  {plan: file, force, 'skip-flows': skipFlows}: Pick<ReconcileFlags, 'plan' | 'force' | 'skip-flows'>,
): Promise<RepairPlanner | undefined> {
  if (file === undefined) return undefined
  const {clock, interruption} = host
  const output = await adapters.files.openOutput(file, force)
  const {inbox, target} = await adapters.openInbox()
  const shop = await adapters.connect()
  const provider = await adapters.openProvider()
  const now = () => clock.now()
  const sources = createRepairSources({
    ...{inbox, target, shop, provider, now},
    askSenders: events =>
      askSenders(events, {provider, inbox, targets: [target], now, signal: interruption.stopping}),
  })
  const versions = await findShopVersions(host, adapters, true)
  if (skipFlows) requireSkippableFlows(versions, shop.profile.name)
  const writer = createRepairPlanWriter(text => output.sink.write(text))
  const madeAt = clock.now().toISOString()
  await writer.begin({
    storectlRepairPlan: 1,
    target,
    profile: shop.profile.name,
    madeAt,
    skipFlows: skipFlows === true,
  })
  let [repairs, backwards] = [0, 0]
  return {
    add: async found => {
      const planned = await chooseRepair(found, sources, {skipFlows})
      if (planned.repair.way !== 'by-hand') {
        repairs++
        if (movesBack(planned)) backwards++
      }
      await writer.add([planned])
      return describeRepair(planned)
    },
    end: async () => {
      const hash = await writer.end()
      await output.keep()
      const written = `${file}: plan ${hash.slice(0, 12)} of ${writer.count} payments`
      if (repairs === 0) return [`${written}, all by hand`]
      return [
        `${written}, ${repairs} of them to repair`,
        ...(backwards > 0
          ? [`Would move money back in the shop: ${backwards}, held without --allow-backwards`]
          : []),
        explainFlows(skipFlows, canSkipFlows(versions), repairs),
        `To repair: ${formatCommandLine('storectl payment reconcile', ['--apply', file])}`,
      ]
    },
  }
}
