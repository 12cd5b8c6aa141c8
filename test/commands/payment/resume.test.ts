import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {testContext} from '../../support/context.js'
import {captureCompleted} from '../../support/events.js'
import {seedPaymentShop} from '../../support/payment-shop.js'
import {storectl} from '../../support/storectl.js'

const DAY_MS = 24 * 3_600_000
const BUSY = 'route=/provider/paypal/v2/checkout,status=429,retry-after=20,count=1'

/** A comparison that is stopped when a call waits. @param busy that call; by default the first about one payment alone */
async function interruptComparison(busy = BUSY) {
  const seeded = await seedPaymentShop(40, 0.25, {faults: [busy]})
  const {home, env, clock, plan} = seeded
  const first = testContext({home, env, clock})
  const {sleep} = clock
  clock.sleep = (ms, signal) => {
    if (ms >= 20_000) first.interruption.stop('SIGINT')
    return sleep.call(clock, ms, signal)
  }
  const words = ['payment', 'reconcile', '--since', '7d', '--plan', plan, '--force']
  const ended = await storectl(words, first)
  const [, resume = '', id = ''] =
    /^to resume: storectl (payment reconcile --plan \S+ --force --resume (\w+))$/m.exec(ended.stderr) ?? []
  const folder = join(home, 'comparisons')
  return {...seeded, ended, resume: resume.split(' '), id, folder}
}

test('interrupted while the report is read, it says that no payment was compared yet', async () => {
  const {ended, id, reconcile} = await interruptComparison(BUSY.replace('v2/checkout', 'v1/reporting'))
  expect([ended.exit, ended.stderr]).toEqual([
    130,
    expect.stringMatching(/^interrupted: 0 movements of the provider read, no payment compared yet$/m),
  ])
  expect((await reconcile('--resume', id)).rows.length).toBe(10)
})

test('after Ctrl-C the message names the command that goes on, which finds and plans everything', async () => {
  const {ended, plan, home, env, clock, reconcile, resume, id, folder} = await interruptComparison()
  expect(ended.exit).toBe(130)
  expect(ended.stderr).toMatch(/^interrupted: \d+ payments compared with \d+ movements of the provider/m)
  expect(existsSync(plan)).toBe(false)
  const {stdout} = await storectl(['status', '-o', 'json'], {home, env, clock})
  expect(JSON.parse(stdout)).toMatchObject({comparison: null})
  const resumed = await storectl([...resume, '-o', 'ndjson'], {home, env, clock})
  expect(resumed.stderr).toContain(`comparison ${id} resumes; it began`)
  expect(resumed.stdout.split('\n').filter(Boolean).length).toBe(10)
  expect([resumed.exit, existsSync(plan)]).toEqual([3, true])
  // What was found is stored; what only a comparison that goes on needs is gone.
  expect(JSON.parse(readFileSync(join(folder, `${id}.json`), 'utf8'))).toMatchObject({
    completedAt: expect.any(String),
  })
  const again = await reconcile('--resume', 'last')
  expect([again.rows.length, again.exit]).toEqual([10, 3])
  expect(again.stderr).toContain('no requests are sent again')
})

test('a comparison that is not complete is named by the next one, and goes after seven days', async () => {
  const {id, folder, reconcile, clock, home, env} = await interruptComparison()
  const next = await reconcile()
  expect(next.stderr).toContain(`comparison ${id}, begun `)
  expect(next.stderr).toContain(`is not complete: --resume ${id}`)
  clock.advance(8 * DAY_MS)
  await reconcile()
  expect(readdirSync(folder).filter(name => name.startsWith(id))).toEqual([])
  // Of those that are complete only the last one stays.
  expect(readdirSync(folder).filter(name => name.endsWith('.db')).length).toBe(1)
  const missing = await storectl(['payment', 'reconcile', '--resume', id], {home, env, clock})
  expect([missing.exit, missing.stderr]).toEqual([9, expect.stringContaining(`No comparison ${id}`)])
})

test('a stored comparison is completed by its id; filters beside it, and files that are none, are refused or left alone', async () => {
  const {id, folder, reconcile, run} = await interruptComparison()
  writeFileSync(join(folder, 'other.json'), '{"id": 1')
  const offered = async (...words: string[]) =>
    (await run('completion', 'candidates', '--', 'payment', 'reconcile', ...words)).stdout.split(/\t?\n/)
  expect(await offered('--resume', '')).toEqual(['last', id, ''])
  expect(await offered('--resume', id.slice(0, 4))).toEqual([id, ''])
  expect(await offered('--where', 'cur')).toEqual(['currency', ''])
  const both = await reconcile('--resume', id, '--since', '2d')
  expect([both.exit, both.stderr]).toEqual([2, expect.stringContaining('--since')])
  expect((await reconcile('--resume', id.slice(0, 12))).exit).toBe(3)
  expect(existsSync(join(folder, 'other.json'))).toBe(true)
})

test('diagnose shows how the payment of an event differed when it was compared', async () => {
  const {reconcile, run, home} = await seedPaymentShop(40, 0.25)
  const {rows} = await reconcile('--where', 'state != "cancelled"')
  const missed = rows.find(({kind}) => kind === 'capture-missed')
  const event = captureCompleted({transactionId: String(missed?.transaction)})
  writeFileSync(join(home, 'event.json'), event.body)
  await run('webhook', 'import', join(home, 'event.json'))
  const {id} = event
  const one = await run('webhook', 'diagnose', id, '-o', 'json')
  expect(JSON.parse(one.stdout)).toMatchObject({
    drift: {kind: 'capture-missed', detail: missed?.detail, comparedAt: expect.any(String)},
    payment: `storectl payment show ${missed?.transaction}`,
  })
  const groups = await run('webhook', 'diagnose', '-o', 'json')
  const all = JSON.parse(groups.stdout) as {differ: number}[]
  expect(all.some(({differ}) => differ > 0)).toBe(true)
})
