import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {dirname} from 'node:path'
import {createInterface} from 'node:readline'
import {inject, onTestFinished} from 'vitest'
import type {Started} from '../../src/shop/index.js'
import {temporaryFolder} from '../support/home.js'
import {ended, runProcess, startProcess} from '../support/process.js'
import {capture, type DemoPayment, deliver, rotate} from './notifications.js'

/** A bundled shop in a home of its own, whose provider delivers events. */
export interface DemoShop {
  readonly home: string
  readonly env: Readonly<Record<string, string>>
  readonly started: Started & {readonly credentials: NonNullable<Started['credentials']>}
  /** Delivers events that fail: the token was rotated, or the payment belongs to another shop. */
  deliver(counts: {readonly rotated?: number; readonly foreign?: number}): Promise<void>
}

const OPEN = {type: 'equals', field: 'stateMachineState.technicalName', value: 'open'}
const HOUR_MS = 3_600_000

/** Starts and seeds the shop; the same orders and customers each time. It ends with the test. */
export async function openDemoShop(): Promise<DemoShop> {
  const home = temporaryFolder()
  const env = {STORECTL_HOME: home, TZ: 'UTC'}
  const server = startProcess(['server', 'start', '--port', '0', '-o', 'json', '--log-level', 'silent'], {
    env,
  })
  onTestFinished(async () => {
    const closed = once(server, 'close')
    server.kill('SIGTERM')
    await closed
  })
  if (!server.stdout) throw new Error('a server prints where it is')
  const [line] = await once(createInterface(server.stdout), 'line')
  const started = JSON.parse(line) as DemoShop['started']
  await runProcess(['server', 'seed', '--customers', '100', '--orders', '60'], {env})
  const bearer = (await runProcess(['auth', 'token'], {env})).stdout.trim()
  const open = await findOpenPayments(started.url, bearer)
  const earlier = await rotate(started.url, bearer, started.credentials.webhookToken)
  const send = async (payment: DemoPayment, token: string) => {
    // Every age is "3h", whenever it is read.
    const status = await deliver(
      capture(payment, 3.5 * HOUR_MS - open.length * 1000),
      started.webhookUrl,
      'sw-token',
      token,
    )
    if (status !== 400) throw new Error(`expected the shop to refuse an event, got ${status}`)
  }
  return {
    home,
    env,
    started,
    deliver: async ({rotated = 0, foreign = 0}) => {
      for (const payment of open.splice(0, rotated)) await send(payment, earlier)
      for (let at = 0; at < foreign; at++) await send({id: 'f'.repeat(32)}, started.credentials.webhookToken)
    },
  }
}

/** Payments that wait for their money. */
async function findOpenPayments(url: string, token: string): Promise<DemoPayment[]> {
  const response = await fetch(`${url}/api/search/order-transaction`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      'content-type': 'application/json',
    },
    body: JSON.stringify({limit: 30, filter: [OPEN]}),
  })
  const {data} = (await response.json()) as {data: DemoPayment[]}
  return data
}

/** What a shell without a terminal prints for a command line, stderr included; `storectl` is the installed one. */
export async function runShell(command: string, {home, env}: DemoShop): Promise<string> {
  const path = `${dirname(inject('storectl'))}:${process.env.PATH}`
  const shell = spawn('sh', ['-c', `exec 2>&1\n${command}`], {cwd: home, env: {...env, PATH: path}})
  shell.stdin.end()
  return (await ended(shell)).stdout
}
