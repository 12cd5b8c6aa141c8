import {setTimeout} from 'node:timers/promises'
import type {EventsFaults} from '../faults/active-faults.js'
import type {RouteMethod, RouteResponse, ShopRequest, ShopRoute} from '../http/route.js'
import {listDisputes, showDispute} from '../provider/disputes.js'
import {listEvents} from '../provider/list-events.js'
import {deriveTransmissionId, describeListed} from '../provider/list-members.js'
import {type BookedEvent, findProviderEvent} from '../provider/provider.js'
import {refundCapture, showCapture, showProviderOrder} from '../provider/provider-orders.js'
import {reportTransactions} from '../provider/report.js'
import {findReceivers, type SigningSender, sendEvent, type Webhook} from '../provider/resend.js'
import {createJsonAnswer, createProviderErrorAnswer, ProviderTokens} from '../provider/sign-in.js'
import {ensureProviderIdentity, type ProviderIdentity} from '../provider/signing/identity.js'
import type {ProviderFaults} from '../rules/payment-provider.js'
import {buildProviderPath} from '../runtime/provider-address.js'
import {type RuleDeps, readParameter, type ShopRuntime} from '../runtime/runtime.js'
import {createSignatureRoutes, type ProviderWork} from './provider-signatures.js'

interface ProviderDeps extends RuleDeps, Pick<ShopRuntime, 'provider' | 'tokenPrefix'> {
  readonly faults?: ProviderFaults | undefined
}

/**
 * The part of the payment provider's own API that we use: token, events, one event, resend, and payments. Not part of
 * the shop's API.
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
    ...createEventRoutes(deps, formatApiUrl, findIdentity).map(([method, path, work]) =>
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

/** The list of events, one event, and its resend. */
function createEventRoutes(
  deps: ProviderDeps,
  formatApiUrl: (request: ShopRequest) => string,
  findIdentity: () => Promise<ProviderIdentity>,
): readonly (readonly [RouteMethod, string, ProviderWork])[] {
  const {now, faults} = deps
  const {reads} = deps.db
  const events = '/v1/notifications/webhooks-events'
  const drawEventsFaults = ({path}: ShopRequest) =>
    faults?.drawEventsFaults(path) ?? {hows: new Set<never>(), lateMs: 0}
  const findEvent = (request: ShopRequest) =>
    findProviderEvent(reads, request.params.id ?? '', formatApiUrl(request))
  const findWebhooks = async (request: ShopRequest) => (await findReceivers(reads, [], request, deps)) ?? []
  return [
    [
      'GET',
      events,
      async request => {
        const {hows} = drawEventsFaults(request)
        const webhooks = await findWebhooks(request)
        return listEvents(request.query, formatApiUrl(request), {...deps, webhooks, hows})
      },
    ],
    [
      'GET',
      `${events}/:id`,
      async request => {
        const booked = await findEvent(request)
        if (!booked) return createNotFoundAnswer()
        const {hows} = drawEventsFaults(request)
        return createJsonAnswer(describeListed(booked, await findWebhooks(request), hows))
      },
    ],
    [
      'POST',
      `${events}/:id/resend`,
      async request => {
        const ids = readRequestedWebhooks(request)
        if (ids.length > MOST_WEBHOOKS) return createTooManyAnswer()
        const booked = await findEvent(request)
        const webhooks = await findReceivers(reads, ids, request, deps)
        if (!booked || !webhooks) return createNotFoundAnswer()
        const faults = drawEventsFaults(request)
        const sender = {identity: await findIdentity(), api: formatApiUrl(request), now: now()}
        if (!faults.hows.has('pending')) void resend(booked, webhooks, {sender, faults})
        return createJsonAnswer(describeListed(booked, webhooks, faults.hows), {status: 202})
      },
    ],
  ]
}

/** Most webhooks in one call. @see provider.md §2 */
const MOST_WEBHOOKS = 500

async function resend(
  booked: BookedEvent,
  webhooks: readonly Webhook[],
  {sender, faults: {hows, lateMs}}: {readonly sender: SigningSender; readonly faults: EventsFaults},
): Promise<void> {
  if (lateMs > 0) await setTimeout(lateMs, undefined, {ref: false})
  const isSame = hows.has('same-transmission')
  const first = booked.delivery?.firstAt ?? booked.at
  for (const webhook of webhooks)
    void sendEvent(booked.event, webhook, {
      ...sender,
      ...(isSame ? {now: new Date(first), transmissionId: deriveTransmissionId(booked.id, webhook.url)} : {}),
    })
}

/** Reads of payments, and a refund. */
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

/** Faults of the provider apply here, as in the shop's own requests to it. */
function injectProviderFault(
  {path}: ShopRequest,
  faults: ProviderFaults | undefined,
): RouteResponse | undefined {
  const answer = faults?.drawProviderFault(path)
  if (answer === 'down')
    return createProviderErrorAnswer(500, 'INTERNAL_SERVER_ERROR', 'An internal server error occurred.')
  return answer === 'not-found' ? createNotFoundAnswer() : undefined
}

function createTooManyAnswer(): RouteResponse {
  return createProviderErrorAnswer(400, 'VALIDATION_ERROR', 'Invalid request - see details', {
    ...{field: 'webhook_ids', value: '', issue: 'ARRAY_MAX_ITEMS'},
    description: `The number of items must be at most ${MOST_WEBHOOKS}`,
  })
}

function createNotFoundAnswer(): RouteResponse {
  return createProviderErrorAnswer(404, 'RESOURCE_NOT_FOUND', 'The specified resource does not exist.')
}
