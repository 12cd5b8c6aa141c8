import type {ChildProcess} from 'node:child_process'
import {Agent, request as httpRequest} from 'node:http'
import {join} from 'node:path'
import {expect, onTestFinished} from 'vitest'
import {openRecords} from '../../src/records/index.js'
import type {InboxEvent} from '../../src/webhook/event/event.js'
import {currentTime} from '../support/clock.js'
import {captureCompleted, type ProviderEvent, providerEvent} from '../support/events.js'
import {freePort} from '../support/free-port.js'
import {temporaryFolder} from '../support/home.js'
import {startProcess} from '../support/process.js'
import {addTransaction, stateOf, type TestShop, testShop} from '../support/shop.js'
import {seeded} from '../webhook/killed.js'

export interface Killed {
  /** Callers that send at the same time, each over a connection of its own. */
  readonly connections: number
  /** How often the capture is killed while they send. */
  readonly kills: number
  /** Answers between two kills, at most. */
  readonly answersApart: number
  readonly seed: number
}

/**
 * Puts a capture in front of the bundled server, under load from a provider that sends each event until it is answered 2xx,
 * kills the capture at moments that the seed chooses, and holds inbox and shop against what was answered.
 */
export async function killedUnderLoad({connections, kills, answersApart, seed}: Killed): Promise<void> {
  const random = seeded(seed)
  const shop = await testShop()
  const payments = await Promise.all(Array.from({length: 60}, () => addTransaction(shop)))
  const home = temporaryFolder()
  const port = await freePort()
  const acknowledged = new Map<string, ProviderEvent>()
  let [killed, answers] = [0, 0]
  let capture = await startCapture(shop, home, port)
  onTestFinished(() => void capture.kill('SIGKILL'))
  const isOver = () => killed >= kills
  const caller = async (index: number) => {
    const agent = new Agent({keepAlive: true, maxSockets: 1})
    for (let turn = 0; !isOver(); turn++) {
      const event = eventOf(index * 100_000 + turn, payments)
      while (!(await isTaken(event, shop, port, agent))) if (isOver()) return agent.destroy()
      acknowledged.set(event.id, event)
      answers++
    }
    agent.destroy()
  }
  const killer = async () => {
    while (!isOver()) {
      const at = answers + Math.ceil(random() * answersApart)
      while (answers < at) await aMoment()
      const gone = new Promise(resolve => capture.once('close', resolve))
      capture.kill('SIGKILL')
      await gone
      killed++
      if (!isOver()) capture = await startCapture(shop, home, port)
    }
  }
  await Promise.all([killer(), ...Array.from({length: connections}, (_, index) => caller(index))])
  expect(acknowledged.size).toBeGreaterThan(kills)
  await expectKept(home, shop, acknowledged)
}

/** Some move a payment, most are of the many types that a shop does nothing with. */
function eventOf(seed: number, payments: readonly string[]): ProviderEvent {
  const transactionId = payments[seed % payments.length] as string
  return seed % 5 === 0
    ? captureCompleted({seed, transactionId})
    : providerEvent('CHECKOUT.ORDER.APPROVED', {seed, transactionId})
}

async function expectKept(
  home: string,
  shop: TestShop,
  acknowledged: Map<string, ProviderEvent>,
): Promise<void> {
  const records = await openRecords(join(home, 'records.db'), currentTime)
  const kept = new Map<string, InboxEvent>()
  let rows = 0
  for await (const event of records.inbox.list(shop.url, {})) {
    kept.set(event.id, event)
    rows++
    expect(event.hasConflict).toBe(false)
  }
  expect(kept.size).toBe(rows)
  const contents = await records.inbox.readContents(shop.url, [...acknowledged.keys()])
  await records.close()
  for (const [id, {body, type, payload}] of acknowledged) {
    expect(kept.get(id)).toMatchObject({status: 'delivered', answer: 200, type})
    expect(Buffer.from(contents.get(id)?.body ?? []).toString()).toBe(body)
    if (type !== 'PAYMENT.CAPTURE.COMPLETED') continue
    expect(await stateOf(shop, (payload.resource as {custom_id: string}).custom_id)).toBe('paid')
  }
}

async function startCapture(shop: TestShop, home: string, port: number): Promise<ChildProcess> {
  const child = startProcess(['webhook', 'capture', '--listen', String(port), '-o', 'id'], {
    env: {
      STORECTL_HOME: home,
      STORECTL_URL: shop.url,
      STORECTL_WEBHOOK_TOKEN: shop.credentials.webhookToken,
    },
  })
  child.stdout?.resume()
  let said = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on('data', chunk => {
      said += chunk
      if (said.includes('Captures')) resolve()
    })
    child.once('close', () => reject(new Error(`the capture ended: ${said}`)))
  })
  return child
}

/** Whether an event was answered 2xx. */
function isTaken(event: ProviderEvent, shop: TestShop, port: number, agent: Agent): Promise<boolean> {
  const path = `/api/_action/paypal/webhook/execute?sw-token=${shop.credentials.webhookToken}`
  return new Promise(resolve => {
    const sent = httpRequest({port, path, method: 'POST', headers: event.headers, agent}, answer => {
      answer.resume()
      answer.once('end', () => resolve(answer.statusCode === 200))
      answer.once('error', () => resolve(false))
    })
    sent.once('error', () => aMoment().then(() => resolve(false)))
    sent.end(event.body)
  })
}

function aMoment(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, 5))
}
