import type {DescriptionQuery} from '../customer/fields/customer-fields.js'
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
    describe: buildDescriber(host, adapters),
    openOutput: adapters.files.openOutput,
    findShopName: async () => (await adapters.chooseProfile()).name,
    isStopped: () => interruption.isBySignal,
  }
}

/** Dependencies of `customer show`. */
export function buildCustomerDeps(host: Host, adapters: Adapters): PresentCustomerDeps {
  return {
    openApi: async () => createSearchClient(await adapters.connect()),
    describe: buildDescriber(host, adapters),
    signal: host.interruption.stopping,
  }
}

/** The chosen shop's description of its entities; `undefined` for the bundled one. */
export function buildDescriber(host: Host, adapters: Adapters) {
  return async (query: DescriptionQuery) => {
    const {describeEntities} = await import('./adapters/entity-schema.js')
    return describeEntities(host, adapters, query)
  }
}
