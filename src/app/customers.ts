import {LOCAL} from '../auth/profile/profile.js'
import type {DescriptionQuery, ShopEntities} from '../customer/fields/customer-fields.js'
import {createSearchClient} from '../customer/search/search-client.js'
import type {PresentSearchDeps} from '../customer/view/search-presenter.js'
import type {PresentCustomerDeps} from '../customer/view/show-customer.js'
import type {Adapters} from './adapters/adapters.js'
import type {Host} from './host.js'

/** Dependencies of `customer search`. */
export function buildSearchDeps(host: Host, adapters: Adapters): PresentSearchDeps {
  const {clock, interruption} = host
  return {
    clock,
    signal: interruption.stopping,
    openApi: async () => createSearchClient(await adapters.connect()),
    describe: query => describeEntities(host, adapters, query),
    openOutput: adapters.files.openOutput,
    isStopped: () => interruption.cause === 'SIGINT' || interruption.cause === 'SIGTERM',
  }
}

/** Dependencies of `customer show`. */
export function buildCustomerDeps(host: Host, adapters: Adapters): PresentCustomerDeps {
  return {
    openApi: async () => createSearchClient(await adapters.connect()),
    describe: query => describeEntities(host, adapters, query),
    signal: host.interruption.stopping,
  }
}

/** How the chosen shop describes its entities; `undefined` for the bundled one, which our own description is of. */
export async function describeEntities(
  host: Host,
  adapters: Adapters,
  query: DescriptionQuery,
): Promise<ShopEntities | undefined> {
  const {profile} = await adapters.chooseProfile()
  if (!profile || profile.name === LOCAL) return undefined
  const {openEntitySchema} = await import('./adapters/entity-schema.js')
  const deps = {cacheFolder: adapters.home.paths.cache, connect: () => adapters.connect()}
  return openEntitySchema(host, profile, deps, query)
}
