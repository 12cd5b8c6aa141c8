import type {ShopVersions} from '../shopware/versions/version-range.js'
import {canSkipFlows, describeVersions, isMeasured} from '../shopware/versions/versions.js'
import type {CheckResult} from './doctor.js'

/** What the versions of shop and plugin allow; forecasts and `--skip-flows` depend on them. */
export async function checkVersions(shop: {
  readonly name: string
  findVersions(): Promise<ShopVersions>
}): Promise<CheckResult> {
  const versions = await shop.findVersions()
  const found = describeVersions(versions)
  if (versions.shop === null || versions.plugin === null) {
    const missing = versions.shop === null ? '--shop-version VERSION' : '--plugin-version VERSION'
    return {
      state: 'warning',
      found: `${found}: replays hold events that versions treat differently`,
      nextSteps: [`storectl profile set ${shop.name} ${missing}`],
    }
  }
  if (!isMeasured(versions))
    return {
      state: 'warning',
      found: `${found}: not measured; replays hold events that versions treat differently`,
    }
  return {state: 'ok', found: `${found}; --skip-flows ${canSkipFlows(versions) ? 'works' : 'does not work'}`}
}
