import type {Answer, ShopRoute} from '../http/route.js'
import {type AccessKeyPrefix, newAccessKey, newSecret} from '../oauth/secrets.js'

/** By the last part of the path, one of them as the shop itself spells it. */
const KINDS: Readonly<Record<string, {prefix: AccessKeyPrefix; withSecret: boolean; privilege?: string}>> = {
  intergration: {prefix: 'SWIA', withSecret: true, privilege: 'api_action_access-key_integration'},
  user: {prefix: 'SWUA', withSecret: true},
  'sales-channel': {prefix: 'SWSC', withSecret: false},
  'product-export': {prefix: 'SWPE', withSecret: false},
}

/**
 * `GET /api/_action/access-key/{kind}`: a new key, and a secret where there is one, for whoever is about to write an
 * integration, a user's key or a sales channel. Nothing is kept of it.
 *
 * @see protocol.md §2.1, access-key format
 */
export function accessKeyRoutes(): ShopRoute[] {
  return Object.entries(KINDS).map(([kind, {prefix, withSecret, privilege}]) => ({
    method: 'GET',
    path: `/api/_action/access-key/${kind}`,
    ...(privilege === undefined ? {} : {privileges: [privilege]}),
    handle: () =>
      json({accessKey: newAccessKey(prefix), ...(withSecret ? {secretAccessKey: newSecret()} : {})}),
  }))
}

function json(value: object): Answer {
  return {contentType: 'application/json', body: JSON.stringify(value)}
}
