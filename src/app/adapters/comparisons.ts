import {join} from 'node:path'
import {formatBaseUrl} from '../../auth/profile/base-url.js'
import {LOCAL} from '../../auth/profile/profile.js'
import type {KnownDrift} from '../../contract/event-rows.js'
import type {LastComparison} from '../../contract/status-rows.js'
import {AmountTotals} from '../../language/amount-totals.js'
import {memoize} from '../../platform/memoize.js'
import type {Host} from '../host.js'

/** Openers needed to find stored comparisons. */
export interface ComparisonOpeners {
  readonly home: {readonly paths: {readonly state: string}}
  chooseProfile(): Promise<{readonly profile: {readonly url: URL} | undefined}>
  closeAtEnd(close: () => Promise<void> | void): void
}

/** Comparisons stored on this machine, and the chosen shop's name in them. */
export async function openComparisons({clock}: Host, {home, chooseProfile}: ComparisonOpeners) {
  const {openComparisonFiles} = await import('../../records/comparisons/comparison-files.js')
  const {profile} = await chooseProfile()
  return {
    files: openComparisonFiles(join(home.paths.state, 'comparisons'), () => clock.now()),
    target: profile ? formatBaseUrl(profile.url) : LOCAL,
  }
}

/** The last complete comparison of the chosen shop; `undefined` if none is stored. */
async function openLastComparison(host: Host, adapters: ComparisonOpeners) {
  const {files, target} = await openComparisons(host, adapters)
  const last = files.list(target).find(({completedAt}) => completedAt !== null)
  if (!last) return undefined
  const store = await files.openFound(last)
  adapters.closeAtEnd(() => store.close())
  return {store, id: last.id, comparedAt: last.completedAt ?? last.startedAt}
}

/** Its differences by kind; `null` if none is stored. */
export async function findLastComparison(
  host: Host,
  adapters: ComparisonOpeners,
): Promise<LastComparison | null> {
  const {tallyKinds} = await import('../../payment/report/comparison-summary.js')
  const last = await openLastComparison(host, adapters)
  if (!last) return null
  const kinds = await tallyKinds(last.store.readFound())
  const amounts = new AmountTotals()
  for (const each of kinds) amounts.addSums(each.amounts)
  return {
    ...{id: last.id, comparedAt: last.comparedAt, amounts: amounts.list()},
    found: kinds.reduce((sum, {count}) => sum + count, 0),
    kinds: Object.fromEntries(kinds.map(({kind, count}) => [kind, count])),
  }
}

/**
 * Looks up payments in the last complete comparison of the chosen shop, without a request.
 *
 * @returns a function that finds differing payments by key; none if no comparison is stored
 */
export function createDriftLookup(
  host: Host,
  adapters: ComparisonOpeners,
): (keys: readonly string[]) => Promise<ReadonlyMap<string, KnownDrift>> {
  const open = memoize(() => openLastComparison(host, adapters))
  return async keys => {
    const last = await open()
    const found = (await last?.store.findDrift(keys)) ?? new Map()
    const comparedAt = last?.comparedAt ?? ''
    return new Map(
      [...found].map(
        ([
          key,
          {
            drift: {kind, detail},
          },
        ]) => [key, {kind, detail, comparedAt}],
      ),
    )
  }
}
