import {StorectlError} from '../../errors.js'
import type {Answer} from '../../http/http.js'
import type {Transaction, Transactions} from '../../payment/transactions.js'
import type {Result} from '../../runs/journal/item.js'
import type {Rules} from '../plan/action.js'
import type {Sending} from '../replay/replay-operation.js'
import {type Shop, send, webhookPath} from './delivery.js'
import {readAnswer, readNoAnswer} from './delivery-response.js'
import {afterAcceptance, afterRefusal} from './state-check.js'

/** What events are sent through. */
export interface Outlet {
  /**
   * Sends an event once and says what came of it.
   *
   * @param before the transaction just before, `undefined` where that is not known
   * @returns whatever came of it; throws only on a bug
   */
  deliver(sending: Sending, attempt: number, before: Transaction | undefined): Promise<Result>
  /** Whether an attempt whose effect is not to be seen may have one yet, so that another would be one too many. */
  mayStillArrive(eventId: string): boolean
}

export interface ShopOutletDeps {
  readonly shop: Shop
  readonly token: string
  /** `undefined` when states are not looked at. */
  readonly transactions: Transactions | undefined
  readonly rules: Rules
  readonly run: string
  readonly userAgent: string
  /** How long an answer asks us to wait, milliseconds. */
  readonly retryAfterMs: (answer: Answer) => number | undefined
}

/** Sends to the shop itself, whose answer comes when it is done. */
export function shopOutlet(deps: ShopOutletDeps): Outlet {
  return {
    deliver: (sending, attempt, before) => post(sending, attempt, deps, before),
    mayStillArrive: () => false,
  }
}

async function post(
  {event, content}: Sending,
  attempt: number,
  deps: ShopOutletDeps,
  before: Transaction | undefined,
): Promise<Result> {
  const {shop, token, run, userAgent, retryAfterMs} = deps
  try {
    const answer = await send(shop, token, content, {run, event: event.id, attempt, userAgent})
    const url = `${shop.profile.url.href.replace(/\/$/, '')}${webhookPath(shop)}`
    const reading = readAnswer(answer, {profile: shop.profile.name, url, retryAfterMs})
    if (reading.kind === 'concluded') return reading.conclusion
    if (reading.kind === 'accepted') return await afterAcceptance(event, answer.status, {...deps, before})
    return await afterRefusal(event, reading.said, deps)
  } catch (error) {
    if (error instanceof StorectlError && error.exitName === 'unavailable') return readNoAnswer(error)
    throw error
  }
}
