import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import {request} from 'node:http'
import {join} from 'node:path'
import {afterAll, describe, expect, test} from 'vitest'
import {noteFigures} from '../../figures.js'
import {signedInTo} from '../../support/customer-pages.js'
import {freePort} from '../../support/free-port.js'
import {presumeLostAtOnce, temporaryFolder} from '../../support/home.js'
import {sentAgainWithoutALook} from '../../support/killed-submit.js'
import {orderShop, ordersOf} from '../../support/order-shop.js'
import {ended} from '../../support/process.js'
import {expectSentOnceOrNamed} from '../../support/sent-once.js'
import {nameOf} from '../../support/skipped.js'
import {storectl} from '../../support/storectl.js'
import {
  chooseFault,
  copyHome,
  hasStrace,
  makeTemplate,
  type SystemFault,
  startWithFault,
} from '../../support/system-calls.js'
import {until} from '../../support/until.js'
import {mixed, seeded} from '../../webhook/killed.js'
import {ndjson, testShop} from '../../webhook/support.js'

const RUNS = Number(process.env.STORECTL_FAULT_RUNS ?? 500)
const KINDS = ['replay', 'submit', 'capture'] as const
const isMissing = !hasStrace()

interface Met {
  /** Whether the fault was met. */
  readonly injected: boolean
  readonly exit: number
}

const summary = new Map<string, {runs: number; injected: number; exits: Set<number>}>()

function count(kind: string, fault: SystemFault, {injected, exit}: Met): void {
  const key = `${kind} ${fault.call} ${fault.kind}`
  const entry = summary.get(key) ?? {runs: 0, injected: 0, exits: new Set()}
  summary.set(key, entry)
  entry.runs++
  if (injected) entry.injected++
  entry.exits.add(exit)
}

const COMMANDS = {replay: 'webhook replay', submit: 'order submit', capture: 'webhook capture'} as const

afterAll(() => {
  const rows = KINDS.map(kind => {
    const counted = [...summary].filter(([key]) => key.startsWith(kind)).map(([, entry]) => entry)
    const sum = (member: 'runs' | 'injected') => counted.reduce((total, entry) => total + entry[member], 0)
    return [`\`${COMMANDS[kind]}\``, sum('runs'), sum('injected')]
  })
  if (rows.every(([, runs]) => runs !== 0))
    noteFigures('system-calls', 'test/storage/sqlite/system-calls', ['command', 'runs', 'faults met'], rows)
})

describe.skipIf(isMissing)(nameOf('system calls that fail', isMissing && 'strace'), () => {
  test.each(KINDS)('%s: no promise is broken', async kind => {
    const template = await makeTemplate()
    const runs = Math.ceil(RUNS / KINDS.length)
    for (let seed = 1; seed <= runs; seed++) {
      const fault = chooseFault(seed * KINDS.length + KINDS.indexOf(kind))
      const words = `${kind}, seed ${seed}: ${fault.kind} at ${fault.call} ${fault.at}`
      count(kind, fault, await TRIES[kind](copyHome(template), fault, words, seed))
    }
    const rows = [...summary].filter(([key]) => key.startsWith(kind))
    for (const [key, {runs: tried, injected, exits}] of rows)
      process.stdout.write(`${key}: ${tried} runs, ${injected} met, exits ${[...exits].sort().join(' ')}\n`)
    expect(rows.reduce((sum, [, {injected}]) => sum + injected, 0)).toBeGreaterThan(runs / 5)
  })
})

const TRIES = {replay: tryReplay, submit: trySubmit, capture: tryCapture}

function wasInjected(log: string): boolean {
  return existsSync(log) && /INJECTED|DELAYED/.test(readFileSync(log, 'utf8'))
}

/** An event is sent once, and what was not is unknown, or held behind what is; the audit log of every run is whole. */
async function tryReplay(home: string, fault: SystemFault, words: string, seed: number): Promise<Met> {
  const {states, events} = mixed(8, seeded(seed))
  const shop = await testShop(states)
  const [file, log] = [join(home, 'events.ndjson'), join(temporaryFolder(), 'strace')]
  writeFileSync(file, ndjson(events))
  const argv = ['webhook', 'replay', file, '--yes', '--rate', '0', '--canary', '0', '-o', 'ndjson']
  const first = await ended(startWithFault(argv, fault, {home, env: shop.env, log}))
  expect(first.stderr, words).not.toMatch(/internal\.bug| {4}at /)
  const again = await storectl(argv, {home, env: shop.env})
  expectSentOnceOrNamed(events, shop.arrived(), again.stdout, words)
  const verified = await storectl(['run', 'list', '-o', 'id'], {home, env: shop.env})
  for (const run of verified.stdout.split('\n').filter(Boolean))
    expect((await storectl(['run', 'verify', run], {home, env: shop.env})).exit, words).toBe(0)
  return {injected: wasInjected(log), exit: first.exit}
}

/** Every order exists once, and none is sent again before it was looked up. */
async function trySubmit(home: string, fault: SystemFault, words: string): Promise<Met> {
  const shop = await orderShop()
  presumeLostAtOnce(home, shop.url)
  const [file, log] = [join(home, 'orders.json'), join(temporaryFolder(), 'strace')]
  writeFileSync(file, JSON.stringify(ordersOf(6)))
  const argv = ['order', 'submit', file, '--yes', '-o', 'ndjson']
  const env = signedInTo(shop.url)
  const first = await ended(startWithFault(argv, fault, {home, env, log}))
  expect(first.stderr, words).not.toMatch(/internal\.bug| {4}at /)
  const again = await storectl(argv, {home, env})
  expect([again.exit, shop.orders.size], words).toEqual([0, 6])
  expect(sentAgainWithoutALook(shop), words).toEqual([])
  expect(shop.sent(), words).toHaveLength(6)
  return {injected: wasInjected(log), exit: first.exit}
}

/** What was answered 2xx is in the inbox, once. */
async function tryCapture(home: string, fault: SystemFault, words: string, seed: number): Promise<Met> {
  const {states, events} = mixed(6, seeded(seed))
  const shop = await testShop(states)
  const log = join(temporaryFolder(), 'strace')
  const port = await freePort()
  const argv = ['webhook', 'capture', '--listen', String(port), '-o', 'id']
  const child = startWithFault(argv, fault, {home, env: shop.env, log})
  let said = ''
  child.stderr?.on('data', chunk => {
    said += chunk
  })
  const end = ended(child)
  await until('the capture listens', () => said.includes('Captures') || child.exitCode !== null)
  const taken: string[] = []
  if (child.exitCode === null) {
    const token = new URL(
      `http://x/?${new URLSearchParams({'sw-token': shop.env.STORECTL_WEBHOOK_TOKEN as string})}`,
    )
    const path = `/api/_action/paypal/webhook/execute${token.search}`
    for (const event of events) {
      for (let tries = 0; tries < 3; tries++) {
        const status = await post(port, path, JSON.stringify(event))
        if (status >= 200 && status < 300) taken.push(event.id)
        if (status < 500) break
      }
    }
    child.kill('SIGTERM')
  }
  const {exit} = await end
  expect(said, words).not.toMatch(/internal\.bug| {4}at /)
  const listed = await storectl(['webhook', 'list', '-o', 'id'], {home, env: shop.env})
  const kept = listed.stdout.split('\n').filter(Boolean)
  expect(new Set(kept).size, words).toBe(kept.length)
  expect(
    taken.filter(id => !kept.includes(id)),
    words,
  ).toEqual([])
  return {injected: wasInjected(log), exit}
}

/** @returns the status, 599 where there is no response */
function post(port: number, path: string, body: string): Promise<number> {
  return new Promise(resolve => {
    const sent = request(
      {port, path, method: 'POST', headers: {'content-type': 'application/json'}},
      answer => {
        answer.resume()
        answer.on('end', () => resolve(answer.statusCode ?? 599))
      },
    )
    sent.on('error', () => resolve(599))
    sent.end(body)
  })
}
