import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {warmHome} from '../../support/home.js'
import {ended, runProcess, startProcess} from '../../support/process.js'
import {event, ndjson, replay, testShop, transactionId} from '../../webhook/support.js'
import {restoreFile} from './support.js'

const PAYMENTS = 10
const REFUNDS = Array.from({length: PAYMENTS * 3}, (_, index) =>
  event(index, {
    type: 'PAYMENT.CAPTURE.REFUNDED',
    transaction: index % PAYMENTS,
    refunded: String(2 + Math.floor(index / PAYMENTS)),
  }),
)

test.each([
  ['before a replay', 0],
  ['in the middle of a replay', 6],
])('records restored after kill -9 from a backup made %s send no refund twice', async (_, backsUpAt) => {
  const shop = await testShop(
    Object.fromEntries(Array.from({length: PAYMENTS}, (_, index) => [transactionId(index), 'paid'])),
  )
  const home = warmHome()
  const env = {...shop.env, STORECTL_HOME: home}
  const [events, backup] = [join(home, 'events.ndjson'), join(home, 'backup.db')]
  writeFileSync(events, ndjson(REFUNDS))
  expect((await runProcess(['webhook', 'import', events], {env})).exit).toBe(0)
  const backUp = async () => expect((await runProcess(['database', 'backup', backup], {env})).exit).toBe(0)
  if (backsUpAt === 0) await backUp()

  const child = startProcess(['webhook', 'replay', '--yes', '--rate', '0', '--canary', '0'], {env})
  let isBackedUp: Promise<void> | undefined
  shop.intercept = async (_, count) => {
    if (count === backsUpAt) isBackedUp = backUp()
    if (count >= backsUpAt) await isBackedUp
    if (count === 16) child.kill('SIGKILL')
    return undefined
  }
  await ended(child)
  shop.intercept = () => undefined
  const sent = shop.arrived().length
  expect(sent).toBeGreaterThanOrEqual(16)
  expect(sent).toBeLessThan(REFUNDS.length)

  restoreFile(join(home, 'records.db'), backup)
  for (const words of [[], []]) {
    const {stderr} = await replay(shop, words, {home})
    expect(stderr).toContain('restored from a backup')
    const arrived = shop.arrived()
    expect(arrived).toHaveLength(new Set(arrived).size)
  }
})
