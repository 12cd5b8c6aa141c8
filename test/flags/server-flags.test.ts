import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest'
import {testContext} from '../support/context.js'
import {homeWithShop} from '../support/prepared-shop.js'
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

test('server seed --seed and --data say what is made where', async () => {
  const words = ['--customers', '1', '--orders', '0', '--seed', '7', '--data', other]
  const {stdout} = await run('server', 'seed', ...words, '-o', 'json')
  expect(JSON.parse(stdout)).toMatchObject({seed: 7, data: other})
})

test('server start --shop-version plays another version, and --log-level says less', async () => {
  const words = ['--shop-version', '6.5', '--log-level', 'warn']
  const {home, stop, err} = await startServer(await homeWithShop(), ...words)
  onTestFinished(async () => void (await stop()))
  const {stdout} = await storectl(['api', 'GET', '/api/_info/version'], {home})
  expect(JSON.parse(stdout).version).toMatch(/^6\.5\./)
  expect(err()).not.toContain('answered')
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
