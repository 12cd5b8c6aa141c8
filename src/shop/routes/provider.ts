import type {RouteMethod, RouteResponse, ShopRequest, ShopRoute} from '../http/route.js'
import {listDisputes, showDispute} from '../provider/disputes.js'
import {listEvents} from '../provider/list-events.js'
import {describeListed} from '../provider/list-members.js'
import {findProviderEvent} from '../provider/provider.js'
import {refundCapture, showCapture, showProviderOrder} from '../provider/provider-orders.js'
import {reportTransactions} from '../provider/report.js'
import {deliver, findReceivers} from '../provider/resend.js'
import {
  buildProviderPath,
  createJsonAnswer,
  createProviderErrorAnswer,
  ProviderTokens,
} from '../provider/sign-in.js'
import {ensureProviderIdentity, type ProviderIdentity} from '../provider/signing/identity.js'
import type {ProviderFaults} from '../rules/payment-provider.js'
import {type RuleDeps, readParameter, type ShopRuntime} from '../runtime/runtime.js'
import {createSignatureRoutes, type ProviderWork} from './provider-signatures.js'

interface ProviderDeps extends RuleDeps, Pick<ShopRuntime, 'provider' | 'tokenPrefix'> {
  readonly faults?: ProviderFaults | undefined
}

/**
 * The payment provider's own API, as far as we use it: token, events, one event, sending one again, and what it says of
 * payments. No part of the shop's interface.
 *
 * @see protocol.md §4.7
 */
export function createProviderRoutes(deps: ProviderDeps): ShopRoute[] {
  const [now, reads] = [deps.now, deps.db.reads]
  const tokens = new ProviderTokens(deps)
  const base = buildProviderPath(deps.provider)
  const route = (method: RouteMethod, path: string, work: ProviderWork): ShopRoute => ({
    method,
    path: `${base}${path}`,
    auth: 'none',
    isApart: true,
    handle: async request => injectProviderFault(request, deps.faults) ?? work(request),
  })
  const requireToken = (work: ProviderWork): ProviderWork => {
    return async request => tokens.checkToken(request) ?? work(request)
  }
  const formatApiUrl = ({origin}: ShopRequest) => `${origin}${base}`
  const findIdentity = () => ensureProviderIdentity(deps.db, now())
  return [
    ...createSignatureRoutes({findIdentity, reads}, route, requireToken),
    route('POST', '/v1/oauth2/token', request => tokens.grant(request)),
    ...createEventRoutes(deps, {formatApiUrl, findIdentity}).map(([method, path, work]) =>
      route(method, path, requireToken(work)),
    ),
    ...PAYMENT_OPERATIONS.map(([method, path, work]) =>
      route(
        method,
        path,
        requireToken(request => work(request, deps)),
      ),
    ),
  ]
}

/** The list of events, one of them, and sending one again. */
function createEventRoutes(
  deps: ProviderDeps,
  {
    formatApiUrl,
    findIdentity,
  }: {
    readonly formatApiUrl: (request: ShopRequest) => string
    readonly findIdentity: () => Promise<ProviderIdentity>
  },
): readonly (readonly [RouteMethod, string, ProviderWork])[] {
  const {now} = deps
  const {reads} = deps.db
  const events = '/v1/notifications/webhooks-events'
  const findEvent = (request: ShopRequest) =>
    findProviderEvent(reads, request.params.id ?? '', formatApiUrl(request))
  const findWebhooks = async (request: ShopRequest) => (await findReceivers(reads, [], request, deps)) ?? []
  return [
    [
      'GET',
      events,
      async request =>
        listEvents(request.query, formatApiUrl(request), {...deps, webhooks: await findWebhooks(request)}),
    ],
    [
      'GET',
      `${events}/:id`,
      async request => {
        const booked = await findEvent(request)
        if (!booked) return createNotFoundAnswer()
        return createJsonAnswer(describeListed(booked, await findWebhooks(request)))
      },
    ],
    [
      'POST',
      `${events}/:id/resend`,
      async request => {
        const booked = await findEvent(request)
        const webhooks = await findReceivers(reads, readRequestedWebhooks(request), request, deps)
        if (!booked || !webhooks) return createNotFoundAnswer()
        const sender = {identity: await findIdentity(), api: formatApiUrl(request), now: now()}
        for (const webhook of webhooks) void deliver(booked, webhook, sender)
        return createJsonAnswer(describeListed(booked, webhooks), {status: 202})
      },
    ],
  ]
}

/** What the provider says of payments, and a refund. */
const PAYMENT_OPERATIONS: readonly (readonly [
  RouteMethod,
  string,
  (request: ShopRequest, deps: RuleDeps) => Promise<RouteResponse>,
])[] = [
  ['GET', '/v1/reporting/transactions', ({query}, deps) => reportTransactions(query, deps)],
  ['GET', '/v1/customer/disputes', ({query}, deps) => listDisputes(query, deps)],
  ['GET', '/v1/customer/disputes/:id', ({params}, deps) => showDispute(params.id ?? '', deps)],
  ['GET', '/v2/checkout/orders/:id', ({params}, deps) => showProviderOrder(params.id ?? '', deps)],
  ['GET', '/v2/payments/captures/:id', ({params}, deps) => showCapture(params.id ?? '', deps)],
  [
    'POST',
    '/v2/payments/captures/:id/refund',
    ({params, parameters}, deps) => refundCapture(params.id ?? '', parameters, deps),
  ],
]

function readRequestedWebhooks({parameters}: ShopRequest): string[] {
  const ids = readParameter(parameters, 'webhook_ids')
  return Array.isArray(ids) ? ids.filter(id => typeof id === 'string') : []
}

/** Faults of the provider strike here as where the shop asks it. */
function injectProviderFault(
  {path}: ShopRequest,
  faults: ProviderFaults | undefined,
): RouteResponse | undefined {
  const answer = faults?.drawProviderFault(path)
  if (answer === 'down')
    return createProviderErrorAnswer(500, 'INTERNAL_SERVER_ERROR', 'An internal server error occurred.')
  return answer === 'not-found' ? createNotFoundAnswer() : undefined
}

function createNotFoundAnswer(): RouteResponse {
  return createProviderErrorAnswer(404, 'RESOURCE_NOT_FOUND', 'The specified resource does not exist.')
}
