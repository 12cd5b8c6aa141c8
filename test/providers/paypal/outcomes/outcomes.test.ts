import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import type {ForecastPayment} from '../../../../src/providers/effects.js'
import {readTraits} from '../../../../src/providers/paypal/event-traits.js'
import {deriveEffect} from '../../../../src/providers/paypal/notification/handler-effects.js'
import {findHandler} from '../../../../src/providers/paypal/notification/handlers.js'
import {OUTCOMES, STATES} from '../../../../src/providers/paypal/outcomes/outcome-table.js'
import {EDITIONS, listStateMachines} from '../../../../src/shopware/editions.js'
import {applyActions} from '../../../../src/shopware/state-machines.js'
import type {ShopVersions} from '../../../../src/shopware/versions/version-range.js'
import type {InboxEvent} from '../../../../src/webhook/event/event.js'
import {judgeByState, type Known} from '../../../../src/webhook/plan/action.js'
import {type Forecast, findApplied, forecast} from '../../../../src/webhook/plan/forecast.js'
import type {Rules} from '../../../../src/webhook/plan/judged.js'

const PAYMENT: ForecastPayment = {state: 'open', amountTotal: 119, payUponInvoice: false, resourceId: 'AUTH1'}

/** The body of a kind of event, as `measured.txt` names it. */
function bodyOf(kind: string) {
  const [, version, type = kind, detail = ''] = /^(v[12]) (\S+) ?(.*)$/.exec(kind) ?? []
  const isVault = type.startsWith('VAULT')
  const resource = {
    id: detail === 'of another' ? 'AUTH2' : 'AUTH1',
    ...(isVault ? {metadata: {order_id: 'O1'}} : {}),
  }
  if (version === 'v1') {
    return {
      ...{event_type: type, resource_type: type.includes('SALE') ? 'sale' : 'authorization'},
      resource_version: '1.0',
      resource: {...resource, parent_payment: 'PAY-1', sale_id: 'S1'},
    }
  }
  const value = detail === 'part' ? '19.00' : '119.00'
  const part = type.split('.')[1]?.toLowerCase()
  return {
    event_type: type,
    resource_version: isVault ? '3.0' : '2.0',
    resource_type: isVault ? 'payment_token' : /REFUNDED|REVERSED/.test(type) ? 'refund' : part,
    resource: {
      ...resource,
      custom_id: '0'.repeat(32),
      final_capture: detail !== 'part',
      seller_payable_breakdown: {total_refunded_amount: {currency_code: 'EUR', value}},
    },
  }
}

function foretell(kind: string, state: string, versions: ShopVersions, payment = PAYMENT): string[] {
  const body = bodyOf(kind)
  const handler = findHandler(body.event_type)
  if (!handler) return ['=']
  const traits = readTraits(handler, body)
  if (traits.key.by === 'fault') return ['400']
  return listResults(forecast({type: body.event_type, traits}, {...payment, state}, versions), state)
}

function listResults(expected: Forecast, state: string): string[] {
  const name = (result: string) => (result === state ? '=' : result === 'refused' ? '400' : result)
  if (expected.kind === 'moves') return [expected.to, ...expected.or].map(name)
  if (expected.kind === 'stays') return ['=', ...expected.or.map(name)]
  if (expected.kind === 'backwards') return [expected.to]
  return expected.kind === 'refused' ? ['400'] : [expected.kind]
}

interface Measured {
  readonly versions: ShopVersions
  readonly kind: string
  readonly cells: readonly string[]
}

function* readMeasured(): Generator<Measured> {
  let versions: ShopVersions | undefined
  for (const line of readFileSync(join(import.meta.dirname, 'measured.txt'), 'utf8').split('\n')) {
    const [, shop, plugin] = /^## Shopware (\S+), plugin (\S+)/.exec(line) ?? []
    if (shop && plugin) versions = {shop, plugin, from: 'shop'}
    const [kind, cells] = line.split(': ')
    if (versions && cells && !line.startsWith('#'))
      yield {versions, kind: kind ?? '', cells: cells.split(' ')}
  }
}

test('the forecast meets every cell of what running shops did', () => {
  let cellCount = 0
  const asked = new Map<string, Set<string>>()
  for (const {versions, kind, cells} of readMeasured()) {
    for (const [index, state] of STATES.entries()) {
      const results = foretell(kind, state, versions)
      const where = `${kind} of ${state} in ${versions.shop}`
      expect(results, where).toContain(cells[index])
      if (!kind.includes(' says ')) expect(results, where).toHaveLength(1)
      const key = `${kind.split(' says ')[0]} of ${state}`
      const seen = asked.get(key) ?? asked.set(key, new Set()).get(key)
      if (kind.includes(' says ')) seen?.add(cells[index] as string)
      cellCount++
    }
  }
  expect(cellCount).toBe((22 + 22 + 18) * 12)
  // What depends on the provider's answer is foretold with all that it may come to, and with no more.
  const versions = {shop: '6.5.8.14', plugin: '8.6.2', from: 'shop'} as const
  for (const state of STATES) {
    const kind = 'v1 PAYMENT.SALE.REFUNDED'
    const seen = asked.get(`${kind} of ${state}`) ?? new Set()
    expect(new Set(foretell(`${kind} says refunded`, state, versions)), state).toEqual(seen)
  }
})

const UNKNOWN: ShopVersions = {shop: null, plugin: null, from: null}

test('an unknown version is foretold where all measured versions agree, and held where they differ', () => {
  const differing = new Set<string>()
  for (const {kind} of readMeasured())
    for (const state of STATES)
      if (foretell(kind, state, UNKNOWN).includes('unknown-version')) differing.add(`${kind} of ${state}`)
  expect([...differing].filter(each => !each.includes('of another'))).toEqual([
    ...['v1 PAYMENT.AUTHORIZATION.VOIDED of failed', 'v2 PAYMENT.AUTHORIZATION.VOIDED of failed'],
    ...['v2 PAYMENT.CAPTURE.COMPLETED final of reminded', 'v2 PAYMENT.CAPTURE.COMPLETED part of reminded'],
    'v2 PAYMENT.CAPTURE.DENIED of failed',
    ...['v1 PAYMENT.SALE.COMPLETED of reminded', 'v1 PAYMENT.SALE.COMPLETED of paid_partially'],
    'v1 PAYMENT.SALE.DENIED of failed',
  ])
  const newer: ShopVersions = {shop: '6.8.0.0', plugin: '11.0.0', from: 'shop'}
  expect(foretell('v2 PAYMENT.CAPTURE.DENIED', 'failed', newer)).toEqual(['unknown-version'])
  expect(foretell('v2 PAYMENT.CAPTURE.COMPLETED final', 'open', newer)).toEqual(['paid'])
  const noPlugin: ShopVersions = {shop: '6.7.1.0', plugin: null, from: 'shop'}
  expect(foretell('v2 PAYMENT.CAPTURE.DENIED', 'failed', noPlugin)).toEqual(['400'])
})

/** @see shop-6.5.md 2.2 */
const INVOICE: readonly (readonly [state: string, results: readonly string[]])[] = [
  ['open', ['paid', '400', 'refused and authorized', 'refused and failed']],
  ['in_progress', ['paid', '400', 'refused and authorized', 'refused and failed']],
  ['authorized', ['paid', '400', 'refused and failed']],
  ['reminded', ['400']],
  ['paid_partially', ['400']],
  ['paid', ['=', '400']],
  ['refunded_partially', ['400']],
  ['refunded', ['400']],
  ['cancelled', ['paid', '400']],
  ['failed', ['paid', '400']],
]

test.each(INVOICE)('a capture upon invoice of a payment that is %s', (state, results) => {
  const payment = {...PAYMENT, payUponInvoice: true}
  const kind = 'v2 PAYMENT.CAPTURE.COMPLETED final'
  const measured: ShopVersions = {shop: '6.5.8.14', plugin: '8.6.2', from: 'shop'}
  expect(foretell(kind, state, measured, payment)).toEqual(results)
  expect(foretell(kind, state, {...measured, plugin: '8.2.0'}, payment)).toEqual(results)
  expect(foretell(kind, state, {shop: '6.6.7.1', plugin: '9.2.0', from: 'shop'}, payment)).toEqual(results)
  expect(foretell(kind, state, measured, {...payment, hasInstructions: true})).toEqual(['='])
})

test('plugins before 8.2 and 9.2 take a capture upon invoice for any other', () => {
  const payment = {...PAYMENT, payUponInvoice: true}
  for (const [shop, plugin] of [
    ['6.5.8.14', '8.1.0'],
    ['6.5.0.0', '7.4.0'],
    ['6.6.0.0', '9.1.1'],
  ]) {
    const versions: ShopVersions = {shop: shop ?? null, plugin: plugin ?? null, from: 'shop'}
    expect(foretell('v2 PAYMENT.CAPTURE.COMPLETED final', 'open', versions, payment), plugin).toEqual([
      'paid',
    ])
  }
})

test('a void of another authorization does nothing from plugin 10.6.2 on, and cancels before', () => {
  const kind = 'v2 PAYMENT.AUTHORIZATION.VOIDED of another'
  expect(foretell(kind, 'open', {shop: '6.7.5.0', plugin: '10.6.2', from: 'shop'})).toEqual(['='])
  expect(foretell(kind, 'open', {shop: '6.7.5.0', plugin: '10.6.1', from: 'shop'})).toEqual(['cancelled'])
  expect(foretell(kind, 'open', {shop: '6.6.7.1', plugin: '9.6.2', from: 'shop'})).toEqual(['cancelled'])
  const noId = {...PAYMENT, resourceId: undefined}
  expect(foretell(kind, 'open', {shop: '6.7.5.0', plugin: '10.6.2', from: 'shop'}, noId)).toEqual([
    'cancelled',
  ])
})

test('a void of another authorization is skipped for what it is, not as applied already', () => {
  const body = bodyOf('v2 PAYMENT.AUTHORIZATION.VOIDED of another')
  const traits = readTraits(findHandler(body.event_type), body)
  const judge = (state: string, plugin: string) => {
    const versions: ShopVersions = {shop: '6.7.5.0', plugin, from: 'shop'}
    const known = {transaction: {...PAYMENT, state}, isUnsure: false, deliveredUpTo: undefined}
    return judgeByState(
      {type: body.event_type, traits} as InboxEvent,
      {checkState: true, versions} as Rules,
      known as unknown as Known,
    )
  }
  expect(judge('authorized', '10.6.2')).toMatchObject({action: 'skip', reason: 'other-authorization'})
  expect(judge('failed', '10.6.2')).toMatchObject({action: 'skip', reason: 'other-authorization'})
  expect(judge('authorized', '10.6.1')).toMatchObject({action: 'send', leadsTo: 'cancelled'})
  expect(judge('cancelled', '10.6.1')).toMatchObject({action: 'skip', reason: 'already-applied'})
})

test.each([
  // What a 400 of the plugin from 10.4.2 on may hide: the payment is paid.
  ['v2 PAYMENT.CAPTURE.COMPLETED final', 'open', 'paid', false, 'applied'],
  ['v1 PAYMENT.SALE.REFUNDED says any', 'paid', 'refunded_partially', false, 'applied'],
  ['v1 PAYMENT.SALE.REFUNDED says any', 'paid', 'refunded', false, 'applied'],
  ['v1 PAYMENT.SALE.REFUNDED says any', 'refunded_partially', 'refunded_partially', false, 'cannot-tell'],
  ['v1 PAYMENT.SALE.REFUNDED says any', 'paid', 'paid', false, 'not-applied'],
  ['v2 PAYMENT.CAPTURE.COMPLETED final', 'open', 'paid', true, 'applied'],
  ['v2 PAYMENT.CAPTURE.COMPLETED final', 'open', 'authorized', true, 'not-applied'],
  ['v2 PAYMENT.CAPTURE.COMPLETED final', 'open', 'open', true, 'not-applied'],
] as const)('%s: from %s to %s (invoice %s) is %s', (kind, before, now, payUponInvoice, expected) => {
  const body = bodyOf(kind)
  const traits = readTraits(findHandler(body.event_type), body)
  const versions: ShopVersions = {shop: '6.6.7.1', plugin: '9.6.2', from: 'shop'}
  const payment = {...PAYMENT, payUponInvoice, state: now}
  expect(findApplied({type: body.event_type, traits}, payment, before, versions)).toBe(expected)
})

test('each cell of the table names its source', () => {
  for (const {kind, pairs, cells} of OUTCOMES) {
    expect(cells, kind).toHaveLength(STATES.length)
    for (const {source} of pairs) expect(source, kind).toMatch(/^measured: |@|first form/)
  }
})

/** What the rules of the bundled server make of a kind of event; `undefined` where they are not asked. */
function play(kind: string, state: string, edition: keyof typeof EDITIONS): string | undefined {
  const body = bodyOf(kind)
  const handler = findHandler(body.event_type)
  const traits = handler && readTraits(handler, body)
  if (!handler || !traits || traits.key.by === 'fault' || kind.includes('of another')) return undefined
  const {finalCapture, refunded} = traits
  const totalRefunded = refunded ? {value: refunded.value, currency: refunded.currency} : undefined
  const members = {finalCapture, ...(totalRefunded === undefined ? {} : {breakdown: {totalRefunded}})}
  const said = {saleState: kind.split(' says ')[1] ?? 'refunded'}
  const effect = deriveEffect(handler.rule, members, {...PAYMENT, state}, said)
  if (effect.kind === 'missing') return undefined
  const machine = listStateMachines(EDITIONS[edition]).order_transaction
  const end = applyActions(
    machine,
    state,
    effect.actions.map(action => renameFor(edition, action)),
  )
  if (end.kind === 'refused') return '400'
  return end.state === state ? '=' : end.state
}

function renameFor(edition: keyof typeof EDITIONS, action: string): string {
  return edition === '6.7' && action === 'do_pay' ? 'process' : action
}

test('the rules of the bundled server agree with the table, for each version that it plays', () => {
  let played = 0
  for (const {kind} of readMeasured())
    for (const edition of ['6.5', '6.6', '6.7'] as const)
      for (const state of STATES) {
        const result = play(kind, state, edition)
        if (result === undefined) continue
        const {version: shop, pluginVersion: plugin} = EDITIONS[edition]
        expect(
          foretell(kind, state, {shop, plugin, from: 'shop'}),
          `${kind} of ${state} in ${edition}`,
        ).toContain(result)
        played++
      }
  expect(played).toBeGreaterThan(900)
})
