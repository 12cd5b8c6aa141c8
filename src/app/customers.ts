import {LOCAL} from '../auth/profile/profile.js'
import type {DescriptionQuery} from '../customer/fields/customer-fields.js'
import type {ShopEntities} from '../customer/fields/entity-schema.js'
import type {Adapters} from './adapters/adapters.js'
import type {Host} from './host.js'

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
