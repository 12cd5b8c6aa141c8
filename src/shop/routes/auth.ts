import type {RouteResponse, ShopRequest, ShopRoute} from '../http/route.js'
import {readTokenFields} from '../oauth/clients.js'
import {type GrantDeps, grant} from '../oauth/oauth.js'
import {type AccessKeyPrefix, generateAccessKey, generateSecret} from '../oauth/secrets.js'
import {Throttle} from '../oauth/throttle.js'
import {readParameter} from '../runtime/runtime.js'
import {createHttpError} from '../runtime/shop-error.js'

/** The error of the shop's framework for a route without a response. @see protocol.md §2.1 */
const NO_RESPONSE =
  'The controller must return a "Symfony\\Component\\HttpFoundation\\Response" object but it returned null. Did you forget to add a return statement somewhere in your controller?'

const AUTHORIZE: ShopRoute = {
  method: 'POST',
  path: '/api/oauth/authorize',
  auth: 'none',
  isApart: true,
  handle: () => {
    throw createHttpError(500, NO_RESPONSE)
  },
}

/** @see protocol.md §2.2 */
const HEADERS = {pragma: 'no-cache', 'cache-control': 'no-store, private'}

/** `POST /api/oauth/token`: all three grants, throttled; and the shop's paths for old callers. @see protocol.md §2 */
export function createTokenRoutes(deps: GrantDeps): ShopRoute[] {
  const throttle = new Throttle()
  const old: ShopRoute[] = deps.edition.name === '6.7' ? [] : [AUTHORIZE]
  return [
    {
      method: 'POST',
      path: '/api/oauth/token',
      auth: 'none',
      handle: request => answerGrant(request, throttle, deps),
    },
    ...old,
  ]
}

async function answerGrant(
  request: ShopRequest,
  throttle: Throttle,
  deps: GrantDeps,
): Promise<RouteResponse> {
  const bucket = readThrottleBucket(request)
  throttle.countAttempt(bucket, deps.now().getTime())
  const response = await grant(
    readTokenFields(request.parameters, request.headers.authorization, deps.edition),
    deps,
  )
  throttle.resetAttempts(bucket)
  return {
    headers: HEADERS,
    contentType: 'application/json; charset=UTF-8',
    contentTypeName: 'content-type',
    body: JSON.stringify(response),
  }
}

/** Only the throttle reads the query string, and before the body. @see protocol.md §2.7 */
function readThrottleBucket({query, parameters, clientAddress}: ShopRequest): string {
  const username = readParameter(query, 'username') ?? readParameter(parameters, 'username') ?? ''
  return `${typeof username === 'object' ? 'Array' : String(username)}-${clientAddress}`
}

/** By the last segment of the path, in the shop's own spelling. */
const KINDS: Readonly<Record<string, {prefix: AccessKeyPrefix; withSecret: boolean; privilege?: string}>> = {
  intergration: {prefix: 'SWIA', withSecret: true, privilege: 'api_action_access-key_integration'},
  user: {prefix: 'SWUA', withSecret: true},
  'sales-channel': {prefix: 'SWSC', withSecret: false},
  'product-export': {prefix: 'SWPE', withSecret: false},
}

/**
 * `GET /api/_action/access-key/{kind}`: a new key, with a secret where the kind has one, for creating an integration, a
 * user's key or a sales channel. It is not stored.
 *
 * @see protocol.md §2.1, access-key format
 */
export function createAccessKeyRoutes(): ShopRoute[] {
  return Object.entries(KINDS).map(([kind, {prefix, withSecret, privilege}]) => ({
    method: 'GET',
    path: `/api/_action/access-key/${kind}`,
    ...(privilege === undefined ? {} : {privileges: [privilege]}),
    handle: () =>
      createJsonAnswer({
        accessKey: generateAccessKey(prefix),
        ...(withSecret ? {secretAccessKey: generateSecret()} : {}),
      }),
  }))
}

function createJsonAnswer(value: object): RouteResponse {
  return {contentType: 'application/json', body: JSON.stringify(value)}
}
