import type {Answer, ShopRequest, ShopRoute} from '../http/route.js'
import {grant} from '../oauth/oauth.js'
import {tokenFields} from '../oauth/token-fields.js'
import {parameter} from '../runtime/parameters.js'
import type {Shop} from '../runtime/runtime.js'

/** The route does nothing any more. @see protocol.md §2.1 */
const NOTHING: Answer = {contentType: 'text/html; charset=UTF-8'}

/** @see protocol.md §2.2 */
const HEADERS = {pragma: 'no-cache', 'cache-control': 'no-store, private'}

/** `POST /api/oauth/token`: all three grants, throttled; and what a shop keeps for old callers. @see protocol.md §2 */
export function tokenRoutes(shop: Shop): ShopRoute[] {
  return [
    {method: 'POST', path: '/api/oauth/token', auth: 'none', handle: request => answerGrant(shop, request)},
    {method: 'POST', path: '/api/oauth/authorize', auth: 'none', handle: () => NOTHING},
  ]
}

async function answerGrant(shop: Shop, request: ShopRequest): Promise<Answer> {
  const bucket = bucketOf(request)
  shop.throttle.admit(bucket, shop.now().getTime())
  const response = await grant(shop, tokenFields(request.parameters, request.headers.authorization))
  shop.throttle.succeeded(bucket)
  return {
    headers: HEADERS,
    contentType: 'application/json; charset=UTF-8',
    contentTypeName: 'content-type',
    body: JSON.stringify(response),
  }
}

/** Only the throttle looks at the query string, and there it comes first. @see protocol.md §2.7 */
function bucketOf({query, parameters, clientAddress}: ShopRequest): string {
  const username = parameter(query, 'username') ?? parameter(parameters, 'username') ?? ''
  return `${typeof username === 'object' ? 'Array' : String(username)}-${clientAddress}`
}
