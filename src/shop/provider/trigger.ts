import {generateKeyPair} from 'node:crypto'
import {promisify} from 'node:util'
import {isLoopback} from '../../http/listener.js'
import {generateId} from '../../shopware/ids.js'
import {
  CALL_KINDS,
  TRIGGER_REFUSALS,
  type TriggeredCall,
  type TriggerRequest,
} from '../../wire/triggered-calls.js'
import type {ShopRequest} from '../http/route.js'
import {generateWebhookToken, hashOfSecret} from '../oauth/secrets.js'
import {noteEarlierToken} from '../rules/webhook-tokens.js'
import type {RuleDeps, ShopRuntime} from '../runtime/runtime.js'
import {createShopError} from '../runtime/shop-error.js'
import {listPaymentsInState, type TriggeredPayment} from '../store/provider-events.js'
import {readConfig, SIGNING_KEY} from '../store/schema/system-config.js'
import {bookTriggered} from './book-triggered.js'
import {findReceivers, sendEvent, type Webhook} from './resend.js'
import {ensureProviderIdentity} from './signing/identity.js'
import {buildTriggeredEvent, findPayable} from './triggered-event.js'

/** Concurrent calls. */
const AT_ONCE = 8

interface TriggerDeps extends RuleDeps, Pick<ShopRuntime, 'provider' | 'tokenPrefix'> {}

/** A planned call. */
interface PlannedCall extends Pick<TriggeredCall, 'call' | 'type'> {
  readonly payment: TriggeredPayment
}

/**
 * Makes the provider call a webhook about payments of the shop, a different payment in each call. Yields a line of JSON
 * for each call, in order, after its response.
 *
 * @param api base URL of the provider's API
 * @throws ShopError 400 for a receiver on another machine, and for too few payments; then no call is made
 */
export async function makeWebhookCalls(
  {origin, parameters}: Pick<ShopRequest, 'origin' | 'parameters'>,
  api: string,
  deps: TriggerDeps,
): Promise<AsyncGenerator<string, void, void>> {
  const request = parameters as unknown as TriggerRequest
  if (request.to !== undefined && !isOnThisMachine(request.to))
    throw createShopError(
      400,
      TRIGGER_REFUSALS.receiver,
      `--to ${request.to} is not an http or https URL on this machine.`,
    )
  const planned = await planCalls(request, deps)
  const [webhook] = (await findReceivers(deps.db.reads, [], {origin}, deps)) as [Webhook]
  const choose = await createChooser(new Set(planned.map(({call}) => call)), deps)
  const begunMs = deps.now().getTime()
  const makeCall = async ({call, type, payment}: PlannedCall, at: number): Promise<TriggeredCall> => {
    // A millisecond apart, so that lists show them in the order of the calls.
    const now = new Date(begunMs - planned.length + at)
    const event = buildTriggeredEvent(type, payment, {api, now})
    await bookTriggered({call, type}, event.resource as {id: string}, {payment, at: now.toISOString()}, deps)
    const {token, ...sender} = choose(call)
    const url = new URL(webhook.url)
    if (token !== undefined) url.searchParams.set(`${deps.tokenPrefix}-token`, token)
    const receiver = {id: webhook.id, url: chooseAddress(url, request.to ?? origin)}
    const {status, text} = await sendEvent(event, receiver, {...sender, api, now: deps.now()})
    return {id: event.id, type, call, transaction: payment.id, answer: status ?? null, message: text}
  }
  return makeCalls(planned, makeCall)
}

async function* makeCalls(
  planned: readonly PlannedCall[],
  makeCall: (call: PlannedCall, at: number) => Promise<TriggeredCall>,
): AsyncGenerator<string, void, void> {
  for (let from = 0; from < planned.length; from += AT_ONCE) {
    const some = planned.slice(from, from + AT_ONCE)
    const made = await Promise.all(some.map((call, index) => makeCall(call, from + index)))
    yield made.map(call => `${JSON.stringify(call)}\n`).join('')
  }
}

/** Chooses the token, where it is not the registered one, and the signing key for a kind of call. */
async function createChooser(calls: ReadonlySet<string>, {db, now}: TriggerDeps) {
  const identity = await ensureProviderIdentity(db, now())
  const key = (await readConfig(db.reads, SIGNING_KEY)) ?? ''
  // Always the same token, which the shop records as replaced just now.
  const earlier = hashOfSecret(`${key} earlier webhook token`).slice(0, 32)
  if (calls.has('old-token')) await db.writes.run(write => noteEarlierToken(write, earlier, now()))
  // A forger's own key does not match the provider's certificate.
  const stranger = calls.has('wrong-token') ? {...identity, privateKey: await generateKey()} : identity
  const foreign = generateWebhookToken()
  return (call: string) => {
    if (call === 'wrong-token') return {identity: stranger, token: foreign}
    if (call === 'unsigned') return {identity, token: foreign, isSigned: false}
    return {identity, token: call === 'old-token' ? earlier : undefined}
  }
}

async function generateKey(): Promise<string> {
  const {privateKey} = await promisify(generateKeyPair)('rsa', {modulusLength: 2048})
  return privateKey.export({type: 'pkcs8', format: 'pem'}) as string
}

/** The webhook's path and query at the receiver's URL; a receiver with its own path keeps that. */
function chooseAddress({pathname, search}: URL, receiver: string): string {
  const base = new URL(receiver)
  return `${base.origin}${base.pathname === '/' ? pathname : base.pathname}${search}`
}

/** Plans the event of each call, each about a different payment. */
async function planCalls({types, counts}: TriggerRequest, {db, now}: TriggerDeps): Promise<PlannedCall[]> {
  const kinds = CALL_KINDS.flatMap(kind =>
    Array<string>(counts[kind] ?? 0).fill(kind === 'count' ? 'valid' : kind),
  )
  const planned: PlannedCall[] = []
  const [left, taken] = [new Map<string, TriggeredPayment[]>(), new Set<string>()]
  for (const [at, call] of kinds.entries()) {
    const type = types[at % types.length] as string
    const {states, isV1} = findPayable(type)
    const find = () => listPaymentsInState(db.reads, {states, isV1, limit: kinds.length})
    const payments = left.get(type) ?? (await find()).reverse()
    left.set(type, payments)
    let payment = payments.pop()
    while (payment && taken.has(payment.id)) payment = payments.pop()
    if (!payment) {
      const detail = `The shop has too few payments: enough for ${planned.length} of ${kinds.length} calls. Each ${type} needs a different one in state ${states.join(', ')}. No call was made.`
      throw createShopError(400, TRIGGER_REFUSALS.tooFewPayments, detail)
    }
    taken.add(payment.id)
    const [id, providerPaymentId] = [generateId(now()), `PAYID-${generateWebhookToken()}`]
    const foreign = {...payment, id, providerPaymentId}
    planned.push({call, type, payment: call === 'unknown-transaction' ? foreign : payment})
  }
  return planned
}

function isOnThisMachine(to: string): boolean {
  if (!URL.canParse(to)) return false
  const {protocol, hostname} = new URL(to)
  return /^https?:$/.test(protocol) && isLoopback(hostname)
}
