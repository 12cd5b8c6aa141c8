import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import type {RunRow} from '../../../src/runs/journal/run-store.js'
import {type JoinParts, joinReplay} from '../../../src/webhook/replay/join-replay.js'
import {ENGINES, type Engine} from '../../support/engines.js'
import {readJsonLines} from '../../support/json-lines.js'
import {event, FAST, ndjson, type TestShop, testShop, transactionId} from '../../webhook/support.js'
import {homeOn} from './support.js'

const PAYMENTS = 20

/** Three refunds of each of 20 payments: all of them partial, or the last of the whole. */
const REFUNDS = Array.from({length: PAYMENTS * 3}, (_, index) => {
  const transaction = index % PAYMENTS
  const isLast = index >= PAYMENTS * 2
  const refunded = isLast && transaction % 2 === 0 ? '10.00' : String(2 + Math.floor(index / PAYMENTS))
  return event(index, {type: 'PAYMENT.CAPTURE.REFUNDED', transaction, refunded})
})

function paidPayments(): Record<string, string> {
  return Object.fromEntries(
    Array.from({length: PAYMENTS}, (_, index) => [transactionId(index), 'paid'] as const),
  )
}

function countArrivals({arrived}: TestShop): number[] {
  const counts = new Map<string, number>()
  for (const id of arrived()) counts.set(id, (counts.get(id) ?? 0) + 1)
  return [...counts.values()]
}

async function homeWithRefunds(engine: Engine) {
  const shop = await testShop(paidPayments())
  const home = await homeOn(engine)
  await home.run(['webhook', 'import', '-'], shop.env, ndjson(REFUNDS))
  const replay = async (...words: string[]) => {
    const {stdout, stderr, exit} = await home.run(['webhook', 'replay', ...FAST, ...words], shop.env)
    const rows = readJsonLines(stdout)
    const count = (result: string) => rows.filter(row => row.result === result).length
    return {rows, stderr, exit, count}
  }
  return {...home, shop, replay}
}

describe.each(ENGINES)('on $name', engine => {
  test('records restored from a backup of before a replay send none of 60 refunds again', async () => {
    const {shop, replay, backUp} = await homeWithRefunds(engine)
    const restore = await backUp()
    const first = await replay()
    expect(first.count('applied') + first.count('unchanged')).toBe(60)

    await restore()
    for (const words of [[], [], ['--include-out-of-order']]) {
      const again = await replay(...words)
      expect(again.stderr.match(/restored from a backup: this home has seen row/g)).toHaveLength(1)
      expect(countArrivals(shop)).toEqual(REFUNDS.map(() => 1))
    }
  })

  test('of records restored after half of the payments, the others are sent', async () => {
    const {run, shop, replay, backUp} = await homeWithRefunds(engine)
    const restore = await backUp()
    const ids = REFUNDS.filter((_, index) => index % PAYMENTS < 10).map(({id}) => id)
    await replay(...ids)
    expect(shop.arrived()).toHaveLength(30)
    await restore()
    const again = await replay()
    expect(again.count('applied') + again.count('unchanged')).toBe(30)
    expect(countArrivals(shop)).toEqual(REFUNDS.map(() => 1))
    const held = again.rows.filter(({detail}) => /^unknown-result: the records were restored/.test(detail))
    expect(held.length).toBeGreaterThan(0)

    const dry = await run(['webhook', 'replay', '--dry-run', '-o', 'ndjson'], shop.env)
    expect(dry.stderr).toContain('storectl database restored --checked --reason TEXT')
    const one = held[0].id
    expect((await replay(one, '--include-unknown')).count('unchanged')).toBe(1)
    expect(shop.arrived().filter(id => id === one)).toHaveLength(2)
  })
})

test('the opening of a run is noted before anything is sent, and its workers until it has ended', async () => {
  const {home, run, shop, replay} = await homeWithRefunds(ENGINES[0] as Engine)
  const readSeen = () => JSON.parse(readFileSync(join(home, 'seen-records.json'), 'utf8'))['records.db']
  const noted: unknown[] = []
  shop.intercept = () => {
    noted.push(readSeen())
    return undefined
  }
  await replay(REFUNDS[0]?.id as string)
  expect(noted).toMatchObject([{number: 1}])
  expect(Object.values(readSeen().workers)).toHaveLength(1)
  await run(['run', 'list'])
  expect(readSeen()).toMatchObject({number: 2, workers: {}})
})

test('without the state check, nothing of restored records is sent', async () => {
  const {shop, replay, backUp} = await homeWithRefunds(ENGINES[0] as Engine)
  const restore = await backUp()
  await replay()
  await restore()
  const again = await replay('--no-check-state')
  expect(again.count('held')).toBe(60)
  expect(shop.arrived()).toHaveLength(60)
})

test('a plan of before a restore is refused, and diagnose names what no state shows', async () => {
  const {home, run, shop, replay, backUp} = await homeWithRefunds(ENGINES[0] as Engine)
  const plan = `${home}/monday.plan`
  await run(['webhook', 'replay', '--plan', plan], shop.env)
  const restore = await backUp()
  await replay('--max', '100')
  await restore()
  const applied = await run(['webhook', 'replay', '--apply', plan, ...FAST], shop.env)
  expect([applied.exit, applied.stdout]).toEqual([7, ''])
  expect(applied.stderr).toContain('restored from a backup')
  const diagnosed = await run(['webhook', 'diagnose', '-o', 'ndjson'], shop.env)
  expect(diagnosed.stdout).toContain('"cause":"unknown-result"')
  expect(shop.arrived()).toHaveLength(60)
})

test('nobody joins a run that began before the records were restored', async () => {
  const run = {id: '01kb8z', options: {options: {}}} as unknown as RunRow
  const joined = joinReplay(run, undefined, {isRestored: true} as unknown as JoinParts)
  await expect(joined).rejects.toMatchObject({
    code: 'stopped.restored',
    nextSteps: ['storectl run resume 01kb8z   (with a plan of now)'],
  })
})
