import {once} from 'node:events'
import {readFile, stat, writeFile} from 'node:fs/promises'
import {connect} from 'node:net'
import {join} from 'node:path'
import {sql} from 'kysely'
import {beforeEach, expect, test} from 'vitest'
import type {Interceptor} from '../../src/shop/http/http.js'
import {resetCredentials} from '../../src/shop/open-shop.js'
import {findServer} from '../../src/shop/runtime/announcement.js'
import {readCredentials, type ShopCredentials} from '../../src/shop/runtime/credentials.js'
import {embedShop, startServer} from '../../src/shop/shop.js'
import {openShopStore} from '../../src/shop/store/store.js'
import {temporaryFolder} from '../support/home.js'
import {homeWithShop} from '../support/prepared-shop.js'
import {until} from '../support/until.js'
import {HandClock, serverWorld} from './running-shop.js'

const clock = new HandClock()
const world = serverWorld(clock)

/** Of a shop that is there: only tests of a first start have to wait for one. */
let dataFolder: string
beforeEach(async () => {
  dataFolder = join(await homeWithShop(clock.now()), 'shop')
})

/** Of a shop that is not. */
const emptyFolder = () => {
  dataFolder = join(temporaryFolder(), 'shop')
}

const credentials = () => readCredentials(dataFolder, world.files) as ShopCredentials
const announcement = () => join(dataFolder, 'server.json')
const other = (pid: number) => ({...world, process: {pid, start: '0'}})

test('announces itself in a private file while it listens, and then removes it', async () => {
  const server = await startServer({dataFolder}, world)
  expect(findServer(dataFolder, world)).toMatchObject({url: server.url, pid: process.pid})
  expect((await stat(announcement())).mode & 0o777).toBe(0o600)
  await server.stop()
  expect(findServer(dataFolder, world)).toBeUndefined()
  await expect(stat(announcement())).rejects.toMatchObject({code: 'ENOENT'})
  await expect(fetch(server.url)).rejects.toThrow()
})

test('a second server on the folder is refused, with the first one named', async () => {
  const server = await startServer({dataFolder}, world)
  const second = startServer({dataFolder}, {...other(1), isRunning: () => true})
  await expect(second).rejects.toMatchObject({
    code: 'conflict.server_running',
    exit: 8,
    message: expect.stringContaining(server.url),
  })
  expect(findServer(dataFolder, world)?.pid).toBe(process.pid)
  await server.stop()
})

test('of two servers that start at once, one is refused', async () => {
  emptyFolder()
  const alive = {isRunning: () => true}
  const starts = [other(1), other(2)].map(one => startServer({dataFolder}, {...one, ...alive}))
  const outcomes = await Promise.allSettled(starts)
  expect(outcomes.map(outcome => outcome.status).sort()).toEqual(['fulfilled', 'rejected'])
  for (const outcome of outcomes) if (outcome.status === 'fulfilled') await outcome.value.stop()
})

test.each([
  ['a dead process', JSON.stringify({url: 'http://127.0.0.1:1', pid: 2 ** 30, start: '1'})],
  ['a broken file', '{"url'],
])('what %s left behind is ignored', async (_, text) => {
  await (await embedShop({dataFolder}, world)).stop()
  await writeFile(announcement(), text)
  expect(findServer(dataFolder, world)).toBeUndefined()
  const server = await startServer({dataFolder}, world)
  expect(findServer(dataFolder, world)?.url).toBe(server.url)
  await server.stop()
})

test('a shop inside a command never announces itself, and shares the data of the one that listens', async () => {
  const server = await startServer({dataFolder}, world)
  const embedded = await embedShop({dataFolder}, other(1))
  expect(findServer(dataFolder, world)?.url).toBe(server.url)
  const {clientId, clientSecret} = credentials()
  const answer = await fetch(`${embedded.url}/api/oauth/token`, {
    method: 'POST',
    body: JSON.stringify({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    }),
    headers: {'content-type': 'application/json'},
  })
  const {access_token} = (await answer.json()) as {access_token: string}
  const version = await fetch(`${server.url}/api/_info/version`, {headers: {authorization: access_token}})
  expect(version.status).toBe(200)
  await embedded.stop()
  await server.stop()
})

test('makes credentials at the first start, stores them in a private file, and prints them once', async () => {
  emptyFolder()
  const first = await startServer({dataFolder}, world)
  expect(first.firstCredentials).toEqual({
    clientId: expect.stringMatching(/^SWIA[A-Z0-9]{22}$/),
    clientSecret: expect.stringMatching(/^[A-Za-z0-9]{51}$/),
    username: 'admin',
    password: expect.stringMatching(/^[A-Za-z0-9]{24}$/),
    webhookToken: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
    providerClientId: expect.stringMatching(/^A[A-Za-z0-9]{79}$/),
    providerClientSecret: expect.stringMatching(/^E[A-Za-z0-9]{79}$/),
  })
  expect(JSON.parse(await readFile(join(dataFolder, 'credentials'), 'utf8'))).toEqual(first.firstCredentials)
  expect((await stat(join(dataFolder, 'credentials'))).mode & 0o777).toBe(0o600)
  const database = await readFile(join(dataFolder, 'shop.db'), 'latin1')
  const log = await readFile(join(dataFolder, 'shop.db-wal'), 'latin1')
  for (const secret of [first.firstCredentials?.clientSecret, first.firstCredentials?.password]) {
    expect((database + log).includes(secret as string)).toBe(false)
  }
  await first.stop()
  const second = await startServer({dataFolder}, world)
  expect(second.firstCredentials).toBeUndefined()
  await second.stop()
})

test('many commands that open a new shop at once agree on its credentials', async () => {
  emptyFolder()
  const shops = await Promise.all([1, 2, 3, 4].map(pid => embedShop({dataFolder}, other(pid))))
  const first = shops.filter(shop => shop.firstCredentials)
  expect(first).toHaveLength(1)
  expect(readCredentials(dataFolder, world.files)).toEqual(first[0]?.firstCredentials)
  for (const shop of shops) await shop.stop()
})

test('a reset gives other credentials, in the file too', async () => {
  const server = await startServer({dataFolder}, world)
  const before = credentials()
  const reset = await resetCredentials(server.db, dataFolder, world)
  expect(readCredentials(dataFolder, world.files)).toEqual(reset)
  expect(reset.clientId).not.toBe(before.clientId)
  expect(reset.webhookToken).not.toBe(before.webhookToken)
  await server.stop()
})

/** Has the shop's database refuse what is written to a table. */
async function refuseWrites(what: string): Promise<void> {
  const db = await openShopStore(join(dataFolder, 'shop.db'), world.now)
  const trigger = `create trigger refused before ${what} begin select raise(abort, 'refused here'); end`
  await db.writes.run(write => sql.raw(trigger).execute(write))
  await db.close()
}

test('a reset that the database refuses leaves the credentials as they were', async () => {
  const server = await startServer({dataFolder}, world)
  const before = credentials()
  await refuseWrites('insert on integration_account')
  await expect(resetCredentials(server.db, dataFolder, world)).rejects.toThrow('refused here')
  expect(credentials()).toEqual(before)
  await server.stop()
})

test('a shop whose administrator the database refuses is not begun', async () => {
  emptyFolder()
  world.files.makePrivateFolder(dataFolder)
  await refuseWrites('insert on user')
  await expect(startServer({dataFolder}, world)).rejects.toThrow('refused here')
  expect(readCredentials(dataFolder, world.files)).toBeUndefined()
})

test('finishes requests in flight before it stops', async () => {
  let ask = () => {}
  const asked = new Promise<void>(resolve => {
    ask = resolve
  })
  const intercept: Interceptor = (_, handle) => {
    ask()
    return handle()
  }
  const server = await startServer({dataFolder, intercept}, world)
  const {username, password} = credentials()
  const body = {grant_type: 'password', client_id: 'administration', username, password}
  const asking = fetch(`${server.url}/api/oauth/token`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: {'content-type': 'application/json', connection: 'close'},
  })
  await asked
  const [answer] = await Promise.all([asking, server.stop()])
  expect(answer.status).toBe(200)
})

test('stops where a caller keeps its connection after the last answer', async () => {
  let answer = () => {}
  const held = new Promise<void>(resolve => {
    answer = resolve
  })
  let ask = () => {}
  const asked = new Promise<void>(resolve => {
    ask = resolve
  })
  const intercept: Interceptor = async (_, handle) => {
    ask()
    await held
    return handle()
  }
  const server = await startServer({dataFolder, intercept}, world)
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.write('GET /api/_info/health-check HTTP/1.1\r\nHost: x\r\n\r\n')
  await asked
  const stopped = server.stop()
  const isListening = () => fetch(server.url).then(Boolean, () => false)
  await until('nothing listens any more', async () => !(await isListening()))
  answer()
  const [[text]] = await Promise.all([once(socket, 'data'), once(socket, 'close'), stopped])
  expect(String(text)).toMatch(/^HTTP\/1\.1 200 /)
})

test('stops where connections are open over which nothing has come', async () => {
  const server = await startServer({dataFolder}, world)
  const silent = connect(Number(new URL(server.url).port), '127.0.0.1')
  await once(silent, 'connect')
  await (await fetch(`${server.url}/api/_info/health-check`)).text()
  await server.stop()
  await once(silent, 'close')
})
