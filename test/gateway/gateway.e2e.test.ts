import {expect, test} from 'vitest'
import {temporaryFolder} from '../support/home.js'
import {ended, startProcess} from '../support/process.js'
import {event} from '../webhook/support.js'
import {killedUnderLoad} from './killed.js'
import {rawShop, sendTo, TOKEN} from './support.js'

test('a capture that is killed at 4 moments under load: what was answered 2xx is in the inbox, and once', () =>
  killedUnderLoad({connections: 20, kills: 4, answersApart: 150, seed: 5}))

async function started(flags: readonly string[] = []) {
  const shop = await rawShop()
  const child = startProcess(['webhook', 'capture', '--listen', '0', ...flags], {
    env: {STORECTL_HOME: temporaryFolder(), STORECTL_URL: shop.url, STORECTL_WEBHOOK_TOKEN: TOKEN},
  })
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
  return {shop, child, url, end}
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
