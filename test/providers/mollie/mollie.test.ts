import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {runCapture} from '../../gateway/support.js'
import {timeAgo} from '../../support/clock.js'
import type {Received, Reply} from '../../support/endpoint.js'
import {providerEvent} from '../../support/events.js'
import {readJsonLines} from '../../support/json-lines.js'
import {runReceiver} from '../receiver.js'

const FORM = ['Content-Type', 'application/x-www-form-urlencoded']
const [A, B, C, D, E] = ['a', 'b', 'c', 'd', 'e'].map(letter => letter.repeat(32)) as [
  string,
  string,
  string,
  string,
  string,
]
const STEPS: Readonly<Record<string, readonly string[]>> = {
  open: ['paid', 'failed', 'cancelled'],
  paid: ['refunded'],
}

/** What the plugin does: it asks Mollie for the payment, and takes the step to its state where that is possible. */
function answer(states: Map<string, string>, payments: Readonly<Record<string, string>>) {
  return ({url, body}: Received): Reply => {
    const [, transaction = ''] = /^\/(?:api\/)?mollie\/webhook\/([^/?]+)$/.exec(url) ?? []
    const payment = new URLSearchParams(body).get('id') ?? ''
    const state = states.get(transaction)
    const to = payments[payment]
    if (state === undefined || to === undefined) return refuse(422, 'TRANSACTION_NOT_FOUND')
    if (STEPS[state]?.includes(to)) states.set(transaction, to)
    return {status: 200, body: {status: 'success', apiAlias: 'webhook.route.success'}}
  }
}

function refuse(status: number, code: string): Reply {
  return {status, body: {errors: [{status: String(status), code, title: 'Error', detail: `It is ${code}`}]}}
}

async function captureOutage() {
  const shop = await runReceiver('mollie')
  shop.answer = () => ({status: 503, body: 'down'})
  const capture = await runCapture(undefined, ['--profile', 'shop'], {home: shop.home, env: shop.env})
  const notify = async (transaction: string, payment: string, before = '/api') => {
    const target = `${before}/mollie/webhook/${transaction}`
    const {status} = await capture.send(`id=${payment}`, {target, headers: FORM})
    return status
  }
  return {shop, capture, notify}
}

test('notifications that Mollie sent during an outage are captured, explained, and sent again once each', async () => {
  const {shop, capture, notify} = await captureOutage()
  for (const [transaction, payment] of [
    [A, 'tr_a'],
    [B, 'tr_b'],
    [B, 'tr_b'],
    [D, 'tr_d'],
  ] as const)
    expect(await notify(transaction, payment)).toBe(503)
  expect(await notify(C.toUpperCase(), 'tr_c', '')).toBe(503)
  expect(await notify('subscription/x', 'tr_x')).toBe(404)
  expect(shop.calls.map(call => call.url)).toContain(`/mollie/webhook/${C.toUpperCase()}`)
  capture.interrupt()
  await capture.ended
  for (const id of [A, B, C]) shop.states.set(id, 'open')
  shop.states.set(D, 'refunded')
  shop.answer = answer(shop.states, {tr_a: 'paid', tr_b: 'failed', tr_c: 'paid', tr_d: 'paid'})

  const events = await shop.rows('webhook', 'list', '--all')
  expect(new Set(events.map(({id}) => id)).size).toBe(5)
  expect(events.every(({id, type}) => /^tr_.@\d{4}-/.test(String(id)) && type === 'payment.changed')).toBe(
    true,
  )
  expect(new Set(events.map(({sender}) => sender))).toEqual(new Set(['not-needed']))
  const diagnoses = await shop.rows('webhook', 'diagnose', '--no-summary')
  expect(diagnoses.map(({cause}) => cause)).toEqual(Array(5).fill('shop-unavailable'))
  expect(diagnoses[0]?.evidence).toContain('leads to: depends on the provider')

  const results = await shop.rows('webhook', 'replay', '--yes', '--rate', 'none')
  const found = results.map(({id, result, detail}) => [String(id).slice(0, 4), result, detail]).sort()
  expect(found).toEqual([
    ['tr_a', 'applied', 'open → paid'],
    ['tr_b', 'applied', 'open → failed'],
    ['tr_b', 'unchanged', 'is still failed'],
    ['tr_c', 'applied', 'open → paid'],
    ['tr_d', 'unchanged', 'is still refunded'],
  ])
  const [sent] = shop.calls.slice(-5)
  expect(sent?.url).toMatch(/^\/api\/mollie\/webhook\/[a-d]{32}$/)
  expect(sent?.headers['content-type']).toBe('application/x-www-form-urlencoded')
  const report = await shop.run('run', 'export', 'last', '--format', 'markdown')
  expect(report.stdout).toContain(`| id:${B} | open → failed | applied · payment.changed; unchanged`)
  expect((await shop.run('webhook', 'replay', '--yes')).stderr).toContain('nothing was sent')
})

test('without the state check a 200 is accepted, and a code says whether a refusal is final', async () => {
  const {shop, capture, notify} = await captureOutage()
  for (const [transaction, payment] of [
    [A, 'tr_a'],
    [B, 'tr_b'],
    [C, 'tr_c'],
  ] as const)
    await notify(transaction, payment)
  capture.interrupt()
  await capture.ended
  const codes: Record<string, string> = {tr_b: 'ORDER_WITHOUT_STATE', tr_c: 'ORDER_STATUS_CHANGE_FAILED'}
  shop.answer = ({body}) => {
    const code = codes[body.slice(3)]
    return code === undefined ? {status: 200} : refuse(400, code)
  }
  const before = shop.calls.length
  const flags = ['--yes', '--no-check-state', '--retries', '1', '--rate', 'none']
  const results = await shop.rows('webhook', 'replay', ...flags)
  const found = results.map(row => [String(row.id).slice(0, 4), row.result, row.status, row.attempts]).sort()
  expect(found).toEqual([
    ['tr_a', 'accepted', 200, 1],
    ['tr_b', 'rejected', 400, 1],
    ['tr_c', 'failed', 400, 1],
  ])
  expect(shop.calls.slice(before).every(({url}) => !url.includes('?'))).toBe(true)
})

test('imported requests tell the transaction by their address; a bare body is held, and so is another provider’s event', async () => {
  const shop = await runReceiver('mollie')
  shop.states.set(E, 'open')
  shop.answer = answer(shop.states, {tr_e: 'paid'})
  const [log, bare, other] = ['access.log', 'bare.txt', 'other.json'].map(name => join(shop.home, name))
  const [, day, month, year, time] =
    /(\d+) (\w+) (\d+) (\S+)/.exec(new Date(timeAgo(3_600_000)).toUTCString()) ?? []
  const line = `1.2.3.4 - - [${day}/${month}/${year}:${time} +0000] "POST /mollie/webhook/${E} HTTP/1.1" 500 12 "-" "Mollie HTTP" `
  writeFileSync(log as string, `${line}"id=tr_e"\n`)
  const curl = (id: string) => `curl -X POST https://shop.example/elsewhere -d 'id=${id}'\n`
  writeFileSync(bare as string, curl('tr_f'))
  writeFileSync(other as string, providerEvent('PAYMENT.CAPTURE.COMPLETED', {transactionId: E}).body)
  for (const file of [log, bare, other] as string[]) {
    const {exit, stderr} = await shop.run('webhook', 'import', file)
    expect([file, exit, exit === 0 ? '' : stderr]).toEqual([file, 0, ''])
  }
  const plan = await shop.rows('webhook', 'replay', '--dry-run')
  const found = plan.map(({action, reason, detail}) => [action, reason, detail]).sort()
  expect(found).toEqual([
    [
      'hold',
      'no-transaction',
      'its transaction is named by the address that it was sent to, which is not known',
    ],
    ['hold', 'other-provider', "PayPal sent it, and the profile's provider is Mollie"],
    ['send', null, 'is open; the shop asks the provider for the new state'],
  ])
})

test('a sign-in needs no webhook token, and doctor says that none is expected', async () => {
  const shop = await runReceiver('mollie')
  const {stdout} = await shop.run('doctor', '-o', 'ndjson')
  const checks = readJsonLines(stdout)
  const found = checks.find(({check}) => check === 'webhook token')
  expect(found).toMatchObject({state: 'ok', found: 'Mollie uses none'})
})

test('what asks the provider, its signature or a registration is refused with the reason', async () => {
  const shop = await runReceiver('mollie')
  for (const words of [
    ['webhook', 'verify'],
    ['webhook', 'status'],
    ['webhook', 'import', '--from-provider', '--since', '6h'],
    ['payment', 'reconcile', '--since', '6h'],
  ]) {
    const {exit, stderr} = await shop.run(...words)
    expect([words, exit, /usage\.provider_cannot|Mollie/.test(stderr)]).toEqual([words, 2, true])
  }
})
