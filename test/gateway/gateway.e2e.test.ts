import {expect, test} from 'vitest'
import {warmHome} from '../support/home.js'
import {readJsonLines} from '../support/json-lines.js'
import {ended, runProcess, startProcess} from '../support/process.js'
import {until} from '../support/until.js'
import {event, eventId} from '../webhook/support.js'
import {killedUnderLoad} from './killed.js'
import {rawShop, sendTo, TOKEN} from './support.js'

test('a capture that is killed at 4 moments under load: what was answered 2xx is in the inbox, and once', () =>
  killedUnderLoad({connections: 20, kills: 4, answersApart: 150, seed: 5}))

async function started(flags: readonly string[] = []) {
  const shop = await rawShop()
  const env = {STORECTL_HOME: warmHome(), STORECTL_URL: shop.url, STORECTL_WEBHOOK_TOKEN: TOKEN}
  const child = startProcess(['webhook', 'capture', '--listen', '0', ...flags], {env})
  const end = ended(child)
  let said = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr?.on('data', chunk => {
      said += chunk
      const [found] = /https?:\/\/\S+\/execute/.exec(said) ?? []
      if (found) resolve(found)
    })
    void end.then(({stderr}) => reject(new Error(stderr)))
  })
  return {shop, child, url, end, env}
}

test.each(['SIGINT', 'SIGTERM'] as const)('%s is its ordinary end', async signal => {
  const {child, url, end} = await started()
  expect((await sendTo(url, event(1))).status).toBe(200)
  child.kill(signal)
  const {exit, stdout, stderr} = await end
  expect(exit).toBe(0)
  expect(stderr).toContain('1 delivered')
  expect(stdout.trim().split('\n').at(-1)?.split('\t')).toContain('delivered')
})

test('a log that nobody reads any more ends nothing', async () => {
  const {child, url, shop, end} = await started()
  child.stderr?.destroy()
  shop.answer = (_call, response) => void response.writeHead(503).end()
  for (const index of [1, 2, 3]) expect((await sendTo(url, event(index))).status).toBe(503)
  child.kill('SIGTERM')
  expect((await end).exit).toBe(0)
})

test('a result that nobody reads any more finishes what is under way, and ends with 141', async () => {
  const {child, url, end} = await started()
  child.stdout?.destroy()
  for (let index = 1; child.exitCode === null && index < 20; index++) {
    await sendTo(url, event(index)).catch(() => undefined)
  }
  expect((await end).exit).toBe(141)
})

test('a capture that is killed: what it had in flight is named unknown and free for a replay at once', async () => {
  const {child, url, shop, end, env} = await started()
  shop.answer = () => {}
  sendTo(url, event(1)).catch(() => undefined)
  await until('the shop has it', () => shop.arrived.length === 1)
  const replay = (...words: string[]) =>
    runProcess(['webhook', 'replay', '--no-check-state', '--yes', '-o', 'ndjson', ...words], {env})
  const reasons = ({stdout}: {stdout: string}) => readJsonLines(stdout).map(row => row.detail)
  expect(reasons(await replay())).toEqual([expect.stringContaining('in-flight')])
  child.kill('SIGKILL')
  await end
  shop.answer = (_call, response) => void response.end()
  expect(reasons(await replay())).toEqual([expect.stringContaining('unknown-result')])
  const sent = await replay('--include-unknown')
  expect(JSON.parse(sent.stdout)).toMatchObject({id: eventId(1), result: 'accepted'})
  expect(shop.arrived).toHaveLength(2)
})
