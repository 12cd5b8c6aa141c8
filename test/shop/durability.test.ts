import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {rolldown} from 'rolldown'
import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest'
import type {ShopCredentials} from '../../src/shop/runtime/credentials.js'
import {streamDeliveries} from '../../src/shop/store/deliveries.js'
import {findOrderByReference} from '../../src/shop/store/fulfillment-orders.js'
import {captureCompleted} from '../support/events.js'
import {temporaryFolder} from '../support/home.js'
import {addTransaction, stateOf, testShop} from '../support/shop.js'
import {sized} from '../support/sized.js'

const ROOT = join(import.meta.dirname, '../..')

/** The shop as one file, where Node still finds the packages that it imports. */
let script: string
beforeAll(async () => {
  const folder = mkdtempSync(join(ROOT, 'node_modules', '.shop-process-'))
  script = join(folder, 'shop.mjs')
  const bundle = await rolldown({
    input: join(ROOT, 'test/support/shop-process.ts'),
    external: /^[^./]/,
    logLevel: 'silent',
  })
  await bundle.write({file: script, format: 'esm', codeSplitting: false})
})
afterAll(() => rmSync(join(script, '..'), {recursive: true, force: true}))

async function startProcess(dataFolder: string): Promise<{url: string; child: ChildProcess}> {
  const child = spawn(process.execPath, [script, dataFolder], {stdio: ['ignore', 'pipe', 'inherit']})
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = await once(child.stdout as NodeJS.ReadableStream, 'data')
  return {url: String(line).trim(), child}
}

/** Sends until the server is gone; tells what was answered 200. @param onAnswer told of each of these */
async function sendUntilKilled(
  clients: number,
  send: (turn: number) => Promise<Response>,
  onAnswer: () => void,
): Promise<Set<number>> {
  const answered = new Set<number>()
  let turn = 0
  const client = async () => {
    for (;;) {
      const mine = turn++
      try {
        const answer = await send(mine)
        await answer.arrayBuffer()
        if (answer.status !== 200) throw new Error(`answered ${answer.status}`)
        answered.add(mine)
        onAnswer()
      } catch {
        return
      }
    }
  }
  await Promise.all(Array.from({length: clients}, client))
  return answered
}

const KILLED_AT = [300, 40].slice(0, sized(1, 2))

test.each(KILLED_AT)('everything answered 200 is on disk after kill -9 at answer %i', async killAt => {
  const dataFolder = temporaryFolder('storectl-killed')
  const before = await testShop({dataFolder})
  const transactions = await Promise.all(Array.from({length: 300}, () => addTransaction(before)))
  await before.stop()

  const {url, child} = await startProcess(dataFolder)
  const {webhookToken, clientId, clientSecret} = JSON.parse(
    readFileSync(join(dataFolder, 'credentials'), 'utf8'),
  ) as ShopCredentials
  const json = {'content-type': 'application/json', accept: 'application/json'}
  const grant = {grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret}
  const token = await fetch(`${url}/api/oauth/token`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(grant),
  })
  const {access_token} = (await token.json()) as {access_token: string}

  const deliver = (turn: number) => {
    const event = captureCompleted({
      seed: turn,
      transactionId: transactions[turn % transactions.length] as string,
    })
    const address = `${url}/api/_action/paypal/webhook/execute?sw-token=${webhookToken}`
    return fetch(address, {method: 'POST', body: event.body, headers: event.headers})
  }
  const submit = (turn: number) => {
    const order = {
      reference: `R-${turn}`,
      lines: [{sku: 'A', quantity: 1}],
      shipTo: {name: 'n', street: 's', city: 'c', country: 'HK'},
    }
    const headers = {...json, authorization: `Bearer ${access_token}`}
    return fetch(`${url}/api/fulfillment/order`, {method: 'POST', body: JSON.stringify(order), headers})
  }
  let answers = 0
  const count = () => {
    answers += 1
    if (answers === killAt) child.kill('SIGKILL')
  }
  const [delivered, submitted] = await Promise.all([
    sendUntilKilled(8, deliver, count),
    sendUntilKilled(8, submit, count),
  ])

  const after = await testShop({dataFolder})
  const kept = new Set<string | null>()
  for await (const {eventId} of streamDeliveries(after.db.reads)) kept.add(eventId)
  expect(delivered.size).toBeGreaterThan(5)
  expect(submitted.size).toBeGreaterThan(5)
  for (const turn of delivered) {
    const transactionId = transactions[turn % transactions.length] as string
    expect(kept).toContain(captureCompleted({seed: turn, transactionId}).id)
    expect(await stateOf(after, transactionId)).toBe('paid')
  }
  for (const turn of submitted) {
    expect(await findOrderByReference(after.db.reads, `R-${turn}`)).toBeDefined()
  }
})
