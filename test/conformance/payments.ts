import {expect} from 'vitest'
import {parseFaultRule} from '../../src/shop/faults/parse.js'
import {type EventOptions, providerEvent} from '../support/events.js'
import type {Values} from './arrange.js'
import type {Call, Reply} from './call.js'
import {expectErrors, plainEntry, plainJson} from './envelopes.js'
import type {Target} from './target.js'
import {byVersion, EDITION} from './versions.js'

export type Machine = 'order' | 'order_delivery' | 'order_transaction'

/** A payment of an order of its own, as notifications name it. */
export interface Payment {
  id: string
  /** Of v1 notifications. */
  parentPayment: string
  /** Of v2 notifications. */
  providerOrderId: string
  /** What tells this payment's notifications from others. */
  seed: number
}

export interface PaymentWish {
  /** Technical name. Default open. */
  state?: string
  /** By default both ids of the provider. */
  customFields?: Values | null
  /** Paying an invoice of the provider's is what some handlers do otherwise. Default any. */
  method?: 'any' | 'pay upon invoice'
}

export const webhookPath = ({provider}: Target) => `/api/_action/${provider}/webhook/execute`
/** The query string that a webhook is let in by. */
export const tokenQuery = ({tokenPrefix, webhookToken}: Target) => `?${tokenPrefix}-token=${webhookToken}`
/** The class that the plugin reads notifications into, as its exceptions name it. */
export const WEBHOOK_CLASS = byVersion('Swag\\PayPal\\RestApi\\V1\\Api\\Webhook', {
  '6.7': 'Shopware\\PayPalSDK\\Struct\\V1\\Webhook\\Event',
})
export const JSON_TYPE = {'Content-Type': 'application/json'}

/** Posts a notification with the shop's token. */
export function deliver(
  shop: Target,
  body: unknown,
  more: Partial<Call> & {query?: string} = {},
): Promise<Reply> {
  const {query = tokenQuery(shop), ...call} = more
  return shop.call({method: 'POST', path: webhookPath(shop) + query, headers: JSON_TYPE, body, ...call})
}

/** The body of a notification that is about a payment. */
export function notification(type: string, payment: Payment, options: EventOptions = {}): Values {
  const {id: transactionId, ...names} = payment
  const event = providerEvent(type, {...names, transactionId, amount: '119.00', ...options})
  return event.payload as Values
}

let last = 0

/** Makes an order of 119.00 with one payment in a state. */
export async function payment(shop: Target, wish: PaymentWish = {}): Promise<Payment> {
  const seed = ++last
  const names = {
    parentPayment: `PAYID-${shop.run.toUpperCase()}${seed}`,
    providerOrderId: `ORDER${shop.run.toUpperCase()}${seed}`,
  }
  const {state = 'open', method = 'any'} = wish
  const both = {
    swag_paypal_order_id: names.providerOrderId,
    swag_paypal_transaction_id: names.parentPayment,
  }
  const id = shop.newId()
  const transaction = {
    id,
    paymentMethodId: await methodId(shop, method),
    stateId: (await stateIds(shop, 'order_transaction'))[state],
    amount: {unitPrice: 119, totalPrice: 119, quantity: 1, calculatedTaxes: [], taxRules: []},
    customFields: wish.customFields === undefined ? both : wish.customFields,
  }
  await shop.make.order({lineItems: [], deliveries: [], transactions: [transaction]})
  return {id, seed, ...names}
}

async function methodId(shop: Target, method: 'any' | 'pay upon invoice'): Promise<string> {
  const isInvoice = {type: 'equals', field: 'technicalName', value: 'swag_paypal_pui'}
  const filter = [method === 'any' ? {type: 'nor', queries: [isInvoice]} : isInvoice]
  const reply = await shop.search('payment-method', {limit: 1, filter})
  return reply.json().data[0].id
}

const known = new WeakMap<Target, Map<Machine, Promise<Record<string, string>>>>()

/** Ids of a machine's states by technical name; looked up once. */
export function stateIds(shop: Target, machine: Machine): Promise<Record<string, string>> {
  const machines = known.get(shop) ?? new Map<Machine, Promise<Record<string, string>>>()
  known.set(shop, machines)
  const ids = machines.get(machine) ?? lookUpStates(shop, machine)
  machines.set(machine, ids)
  return ids
}

async function lookUpStates(shop: Target, machine: Machine): Promise<Record<string, string>> {
  const filter = [{type: 'equals', field: 'stateMachine.technicalName', value: `${machine}.state`}]
  const reply = await shop.search('state-machine-state', {filter, limit: 100})
  const states = reply.json().data as {id: string; technicalName: string}[]
  return Object.fromEntries(states.map(({id, technicalName}) => [technicalName, id]))
}

/** The technical name of the state that something is in now. */
export async function stateOf(
  shop: Target,
  id: string,
  machine: Machine = 'order_transaction',
): Promise<string> {
  const criteria = {ids: [id], associations: {stateMachineState: {}}}
  const reply = await shop.search(machine.replace('_', '-'), criteria)
  return reply.json().data[0].stateMachineState.technicalName
}

/** What the history says of something: `open paid paid` for each step, from, action and to; sorted as text. */
export async function steps(shop: Target, referencedId: string): Promise<string[]> {
  const reply = await shop.search('state-machine-history', {
    filter: [{type: 'equals', field: 'referencedId', value: referencedId}],
    associations: {fromStateMachineState: {}, toStateMachineState: {}},
  })
  interface Step {
    fromStateMachineState: {technicalName: string}
    toStateMachineState: {technicalName: string}
    transitionActionName: string
  }
  const entries = reply.json().data as Step[]
  return entries
    .map(one => [one.fromStateMachineState, one.transitionActionName, one.toStateMachineState])
    .map(words => words.map(word => (typeof word === 'string' ? word : word.technicalName)).join(' '))
    .sort()
}

/** 200 with nothing in it, as html. @see protocol.md §4.2 */
export function expectAccepted(reply: Reply): void {
  expect([reply.status, reply.text]).toEqual([200, ''])
  expect(reply.headers['content-type']).toBe('text/html; charset=UTF-8')
  expect(reply.headers['cache-control']).toBe('no-cache, private')
  expect(reply.headers['x-frame-options']).toBe('deny')
  expect(reply.headers['access-control-allow-origin']).toBe('*')
}

/** 400 with a sentence: by itself from plugin 10 on, an error's detail before. @see protocol.md §4.2 rows 5 and 6 */
export function expectRefused(reply: Reply, sentence: string): void {
  if (EDITION.hasBareRefusals) {
    expect([reply.status, reply.text]).toEqual([400, sentence])
    expect(reply.headers['content-type']).toBe('text/html; charset=UTF-8')
  } else expectErrors(reply, 400, plainEntry(400, sentence))
}

/** 400 with the one text for all that goes wrong in a handler. @see protocol.md §4.2 rows 10 and 11 */
export function expectFailed(reply: Reply): void {
  expectRefused(reply, 'An error occurred during execution of webhook')
}

/** 500 with the text of an exception, which the protocol does not give. @see protocol.md §4.2 rows 8 and 13 */
export function expectException(reply: Reply): void {
  expect([reply.status, reply.headers['content-type']]).toEqual([500, 'application/json'])
  const {errors} = reply.json()
  expect(errors).toHaveLength(1)
  expect(errors[0].detail).toMatch(/\S/)
  expect(reply.text).toBe(plainJson({errors: [plainEntry(500, errors[0].detail)]}))
}

/** Lets a fault of the bundled shop strike while something is done. */
export async function during<T>(shop: Target, rule: string, work: () => Promise<T>): Promise<T> {
  const {faults} = shop.bundled
  if (!faults) throw new Error('This shop was started without faults.')
  const {id} = faults.add(parseFaultRule(rule))
  try {
    return await work()
  } finally {
    faults.remove(id)
  }
}
