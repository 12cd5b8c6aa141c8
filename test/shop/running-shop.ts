import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {
  makePrivateFolder,
  readTextIfThere,
  removeIfThere,
  writeWhole,
} from '../../src/platform/files/files.js'
import {isRunning, startOf} from '../../src/platform/processes.js'
import type {FaultInjector} from '../../src/shop/faults/active-faults.js'
import {readCredentials, type ShopCredentials} from '../../src/shop/runtime/credentials.js'
import type {ServerHost} from '../../src/shop/runtime/runtime.js'
import {embedShop, type RunningShop, type StartOptions} from '../../src/shop/shop.js'
import {giveCredentials, prepareShop} from '../support/prepared-shop.js'

/** A clock that stands still until a test moves it. */
export class HandClock {
  #ms: number

  constructor(start = '2026-03-04T05:06:07.089Z') {
    this.#ms = Date.parse(start)
  }

  now = (): Date => new Date(this.#ms)

  pass(seconds: number): void {
    this.#ms += seconds * 1000
  }
}

export function serverWorld(clock: HandClock): ServerHost {
  return {
    now: clock.now,
    files: {makePrivateFolder, readTextIfThere, removeIfThere, writeWhole},
    process: {pid: process.pid, start: startOf(process.pid)},
    isRunning,
  }
}

/** A shop of its own, listening on a loopback port, in a folder that goes when it stops. */
export interface TestShop extends RunningShop {
  clock: HandClock
  dataFolder: string
  /** Those of the options. */
  faults: FaultInjector | undefined
  credentials: ShopCredentials
  /** Asks for a token with the given members as JSON. */
  askForToken(body: object, headers?: Record<string, string>): Promise<Response>
  /** A bearer token of the administrator's integration. */
  signIn(): Promise<string>
  /** The token of the administrator in person, who may write roles, integrations and users. */
  signInVerified(): Promise<string>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>
}

/** @param options what the shop is like; with a `dataFolder`, the shop that is there */
export async function runShop(options: Partial<StartOptions> = {}): Promise<TestShop> {
  const clock = new HandClock()
  const dataFolder = await mkdtemp(join(tmpdir(), 'shop-'))
  const password = await prepareShop(dataFolder, clock.now())
  const world = serverWorld(clock)
  const running = await embedShop({dataFolder, ...options}, world)
  await giveCredentials(running.db, {dataFolder, password, now: clock.now()})
  const credentials = readCredentials(dataFolder, world.files) as ShopCredentials
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${running.url}${path}`, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: {'content-type': 'application/json', accept: 'application/json', ...headers},
    })
  const askForToken = (body: object, headers = {}) => post('/api/oauth/token', body, headers)
  const {clientId, clientSecret} = credentials
  return {
    ...running,
    clock,
    dataFolder,
    faults: options.faults,
    credentials,
    post,
    askForToken,
    signInVerified: async () => {
      const {username, password} = credentials
      const body = {
        grant_type: 'password',
        client_id: 'administration',
        scope: 'user-verified',
        username,
        password,
      }
      const {access_token} = (await (await askForToken(body)).json()) as {access_token: string}
      return access_token
    },
    signIn: async () => {
      const body = {grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret}
      const {access_token} = (await (await askForToken(body)).json()) as {access_token: string}
      return access_token
    },
    stop: async () => {
      await running.stop()
      await rm(dataFolder, {recursive: true, force: true})
    },
  }
}
