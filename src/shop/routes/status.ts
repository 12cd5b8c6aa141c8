import {requireAdministrator} from '../control/administrator.js'
import type {ServerReport} from '../control/control.js'
import {STATUS_PATH} from '../control/path.js'
import type {Answer, ShopRoute} from '../http/route.js'
import {escapePlain} from '../runtime/json-escape.js'
import type {Shop} from '../runtime/runtime.js'

/** What a server that listens for others says of itself, to the shop's administrators, by HTTP Basic. */
export function statusRoutes(shop: Shop): ShopRoute[] {
  const {listening} = shop
  if (!listening) return []
  return [
    {
      method: 'GET',
      path: STATUS_PATH,
      auth: 'none',
      handle: async request => {
        await requireAdministrator(shop, request.headers.authorization)
        return report(shop, listening)
      },
    },
  ]
}

async function report(shop: Shop, {version, startedAt}: NonNullable<Shop['listening']>): Promise<Answer> {
  const {provider, tokenPrefix, store} = shop
  const counts = await store.counts.countThings(store.db.reads)
  const said: ServerReport = {version, startedAt, provider, tokenPrefix, counts}
  return {contentType: 'application/json', body: escapePlain(JSON.stringify(said))}
}
