import {StorectlError} from '../../errors.js'
import type {HttpClient, HttpResponse} from '../../http/http.js'
import type {Result} from '../../runs/journal/item.js'
import {findDoubt} from '../../wire/find-doubt.js'
import {SKIP_FLOWS} from '../../wire/skip-flows.js'
import type {AllowedTransition} from './choose-repair.js'

/** The shop's transition routes. */
export interface TransitionShop {
  /** Signed, with retries for a busy shop. */
  readonly patient: HttpClient
  /** Signed, without retries. */
  readonly signed: HttpClient
  readonly refusal: (answer: HttpResponse, doing: string) => StorectlError
}

/** The same, and the clock that measures how long an answer took. */
type TimedShop = Pick<TransitionShop, 'signed' | 'refusal'> & {
  readonly now: () => Date
  /** The shop leaves its flows out. */
  readonly skipFlows: boolean
}

const JSON_HEADERS = {'content-type': 'application/json', accept: 'application/json'}

/**
 * The transitions that this shop's state machine now allows for a payment.
 *
 * @throws StorectlError as `HttpClient` and `refusal` do
 * @see protocol.md §5.3
 */
export async function listTransitions(
  transaction: string,
  {patient, refusal}: Pick<TransitionShop, 'patient' | 'refusal'>,
): Promise<AllowedTransition[]> {
  const path = `/api/_action/state-machine/order_transaction/${transaction}/state`
  const answer = await patient.call({method: 'GET', path, headers: JSON_HEADERS})
  if (answer.status !== 200) throw refusal(answer, 'the transitions of a payment')
  const {transitions} = JSON.parse(answer.body.toString('utf8')) as {
    transitions?: readonly {actionName?: string; toStateName?: string; technicalName?: string}[]
  }
  return (transitions ?? []).flatMap(({actionName, toStateName, technicalName}) =>
    actionName ? [{action: actionName, to: toStateName ?? technicalName ?? ''}] : [],
  )
}

/**
 * Asks the shop for a transition, once. Neither a success nor a refusal shows whether the state has changed: the caller
 * looks it up.
 */
export async function applyTransition(
  transaction: string,
  action: string,
  {signed, refusal, now, skipFlows}: TimedShop,
): Promise<Result> {
  const path = `/api/_action/order_transaction/${transaction}/state/${encodeURIComponent(action)}`
  const sentMs = now().getTime()
  try {
    const answer = await signed.call({
      method: 'POST',
      path,
      headers: {...JSON_HEADERS, ...(skipFlows ? {[SKIP_FLOWS]: '1'} : {})},
      body: '{}',
      answer: 'short',
    })
    const {status} = answer
    if (status >= 200 && status < 300) return {resultClass: 'done', result: 'accepted', status}
    const error = refusal(answer, `the transition "${action}"`)
    const said = {status, detail: error.message, exit: error.exitName} as const
    if (status === 429) return {...said, resultClass: 'later', result: 'failed'}
    const doubt = findDoubt(answer, now().getTime() - sentMs)
    // The shop's own answer ends its work; the state is still looked up.
    if (doubt || error.exitName === 'unavailable')
      return {
        ...said,
        resultClass: 'unknown',
        result: 'unknown',
        exit: 'unavailable',
        doubt: doubt ?? 'refused',
      }
    const isOurs = error.exitName === 'auth'
    return {...said, resultClass: 'failed', result: 'rejected', ...(isOurs ? {halt: error} : {})}
  } catch (error) {
    if (!(error instanceof StorectlError)) throw error
    const said = {detail: error.message, exit: error.exitName} as const
    if (error.code === 'unavailable.not_connected') return {...said, resultClass: 'later', result: 'failed'}
    if (error.exitName === 'unavailable') return {...said, resultClass: 'unknown', result: 'unknown'}
    return {...said, resultClass: 'failed', result: 'failed', halt: error}
  }
}
