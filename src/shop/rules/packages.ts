import type {Shop} from '../runtime/runtime.js'
import {shopError} from '../runtime/shop-error.js'
import {satisfies} from './version-constraint.js'

/** The shop version whose interface this server speaks. @see protocol.md §1.7 */
export const SHOP_VERSION = '6.6.7.1'

/** The version of the payment provider's plugin whose interface this server speaks. @see protocol.md §0 */
const PLUGIN_VERSION = '9.6.2'

/**
 * Refuses a request that counts on packages which are not here, or not in such a version.
 *
 * @param header `shopware/core:~6.6,swag/paypal:^9.0`
 * @throws ShopError 417, 500 for a constraint that cannot be read
 * @see protocol.md §3.2, `sw-expect-packages`
 */
export function checkPackages({provider}: Pick<Shop, 'provider'>, header: string): void {
  const installed: Readonly<Record<string, string>> = {
    'shopware/core': SHOP_VERSION,
    'shopware/administration': SHOP_VERSION,
    [`swag/${provider}`]: PLUGIN_VERSION,
  }
  const fails = header.split(',').flatMap(part => {
    const [name = '', constraint = '*'] = part.trim().split(/:(.*)/s)
    const version = Object.hasOwn(installed, name) ? installed[name] : undefined
    if (version === undefined) return [`Requested package: ${name} is not available`]
    if (satisfies(version, constraint)) return []
    return [`Version constraint for ${name} is failed. Installed is: ${version}`]
  })
  if (fails.length === 0) return
  throw shopError(417, 'FRAMEWORK__API_EXPECTATION_FAILED', 'API Expectations failed', {
    // PHP's list, which is written as one.
    parameters: fails as unknown as Record<string, unknown>,
  })
}
