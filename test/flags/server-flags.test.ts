import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest'
import {startOf} from '../../src/platform/processes.js'
import {StoppedClock} from '../support/clock.js'
import {testContext} from '../support/context.js'
import {temporaryFolder} from '../support/home.js'
import {homeWithShop, putShop} from '../support/prepared-shop.js'
import {storectl} from '../support/storectl.js'
import {until} from '../support/until.js'

/** A server in this process, in a home with a shop. @returns what it announced, and what it logs */
async function startServer(home: string, ...argv: string[]) {
  const made = testContext({home})
  const ended = storectl(['server', 'start', '--port', '0', '-o', 'json', ...argv], made)
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  await until('the server listens', () => made.out().includes('\n') || isOver)
  const stop = async () => {
    made.interruption.stop('SIGINT')
    return ended
  }
  return {...made, stop, announced: JSON.parse(made.out() || 'null')}
}

const home = mkdtempSync(join(tmpdir(), 'storectl-'))
const other = join(home, 'other')
let server: Awaited<ReturnType<typeof startServer>>
const run = (...argv: string[]) => storectl(argv, {home})

beforeAll(async () => {
  await putShop(home)
  server = await startServer(home)
})
afterAll(async () => {
  await server.stop()
  rmSync(home, {recursive: true, force: true})
})

test.each([
  ['server', 'status'],
  ['server', 'fault', 'list'],
  ['server', 'fault', 'add', 'route=webhook,status=503'],
  ['server', 'fault', 'clear'],
])('%s %s %s --data asks the server of another folder, which does not run', async (...argv) => {
  expect((await run(...argv)).exit).toBe(0)
  expect((await run(...argv, '--data', other)).exit).not.toBe(0)
})

/** A server as its folder announces it, in a process that does not end when it is asked to. */
async function announceStubborn(folder: string) {
  const child = spawn('sh', ['-c', 'trap "" TERM; echo ready; read line'])
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  const {pid = 0} = child
  mkdirSync(folder, {recursive: true})
  const announcement = {pid, start: startOf(pid), url: 'http://127.0.0.1:1'}
  writeFileSync(join(folder, 'server.json'), JSON.stringify(announcement))
}

test('server stop --data asks the server of another folder, and --shutdown-timeout says how long it may take', async () => {
  const [home, clock] = [temporaryFolder(), new StoppedClock()]
  await announceStubborn(join(home, 'other'))
  const words = ['server', 'stop', '--data', join(home, 'other'), '--shutdown-timeout', '200ms']
  const {exit, stderr} = await storectl(words, {home, clock})
  expect([exit, stderr]).toEqual([6, expect.stringContaining('is still running')])
  expect(clock.sleeps.reduce((sum, ms) => sum + ms)).toBe(200)
})

test('server seed --seed and --data say what is made where', async () => {
  const data = join(await homeWithShop(), 'shop')
  const words = ['--customers', '1', '--orders', '0', '--seed', '7', '--data', data]
  const {stdout} = await run('server', 'seed', ...words, '-o', 'json')
  expect(JSON.parse(stdout)).toMatchObject({seed: 7, data})
})

test('server start --shop-version plays another version, and --log-level says less', async () => {
  const words = ['--shop-version', '6.5', '--log-level', 'warn']
  const {home, stop, err} = await startServer(await homeWithShop(), ...words)
  onTestFinished(async () => void (await stop()))
  const {stdout} = await storectl(['api', 'GET', '/api/_info/version'], {home})
  expect(JSON.parse(stdout).version).toMatch(/^6\.5\./)
  expect(err()).not.toContain('answered')
})

test('server start --log json writes its log as JSON lines', async () => {
  const {announced, stop, err} = await startServer(await homeWithShop(), '--log', 'json')
  await fetch(`${announced.url}/api/_info/health-check`)
  await stop()
  expect(JSON.parse(err().split('\n')[0] ?? '')).toMatchObject({path: '/api/_info/health-check', status: 200})
})

test('server start --allow-remote listens on every address', async () => {
  const {announced, stop} = await startServer(await homeWithShop(), '--host', '0.0.0.0', '--allow-remote')
  onTestFinished(async () => void (await stop()))
  expect(announced?.url).toMatch(/^http:/)
})

test('server credentials --confirm with the name of another profile changes nothing', async () => {
  const {exit, stderr} = await run('server', 'credentials', '--reset', '--yes', '--confirm', 'nobody')
  expect([exit, stderr]).toEqual([7, expect.stringContaining('"nobody" does not match')])
})
