import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {beforeAll, expect, test} from 'vitest'
import {currentTime} from '../support/clock.js'
import {bundleSimulation} from './bundle.js'
import {MUTATIONS} from './mutations.js'
import {createOutages} from './outages.js'
import {createScenario} from './scenario.js'

/** In a bundle no module is loaded while the event loop is a virtual one. */
let simulation: typeof import('./entry.js')

beforeAll(async () => {
  simulation = await import(/* @vite-ignore */ await bundleSimulation('tests'))
})

test('the same seed comes to the same trace', async () => {
  const {runSeed} = simulation
  const [once, again, other] = [await runSeed(7), await runSeed(7), await runSeed(8)]
  expect(once.trace).toEqual(again.trace)
  expect(once.hash).toBe(again.hash)
  expect(once.hash).not.toBe(other.hash)
})

test('each mutation is of a text that its source holds', () => {
  const root = join(import.meta.dirname, '../..')
  const changes = MUTATIONS.flatMap(({changes}) => changes)
  const gone = changes.filter(({file, from}) => !readFileSync(join(root, file), 'utf8').includes(from))
  expect(gone).toEqual([])
})

test('every seed has enough to go wrong', () => {
  for (let seed = 0; seed < 300; seed++) {
    const {transactions, events, orders, commands, faults, crash} = createScenario(seed)
    expect(transactions.size).toBe(8)
    expect(events.length).toBeGreaterThanOrEqual(30)
    expect(orders).toHaveLength(10)
    expect(faults.length).toBeGreaterThanOrEqual(3)
    expect(crash).toBeDefined()
    for (const operator of ['ada', 'bea'])
      expect(commands.filter(each => each.operator === operator).map(({kind}) => kind)).toEqual(
        expect.arrayContaining(['replay', 'submit']),
      )
    expect(commands.filter(({kind}) => kind === 'join')).toHaveLength(3)
  }
})

/** The first seed of the day. */
const findFirstOfDay = () => Number(currentTime().toISOString().slice(0, 10).replaceAll('-', '')) * 100

/** `npm run test:sim -- --seeds N --from M` runs others, and repeats these. */
test.each([
  ['100 seeds', 100, 0],
  ['50 seeds of the day', 50, findFirstOfDay()],
] as const)('no promise is broken whatever goes wrong in %s', {timeout: 600_000}, async (_, seeds, from) => {
  process.stdout.write(`npm run test:sim -- --seeds ${seeds} --from ${from}\n`)
  const broken: string[] = []
  let shared = 0
  for (let seed = from; seed < from + seeds; seed++) {
    const report = await simulation.runSeed(seed)
    if (report.workers >= 4) shared++
    if (report.broken.length > 0) broken.push(`npm run test:sim -- --seed ${seed}: ${report.broken[0]}`)
  }
  expect(broken).toEqual([])
  expect(shared).toBeGreaterThan(seeds * 0.6)
})

/** Outages of the fast tests are short; `npm run test:sim -- --outages 259200` runs those of days. */
const LONGEST_OUTAGE_MS = 600_000
const SEEDS_OF_OUTAGES = 5

test('no promise of a watch is broken in the outages of some seeds', {timeout: 300_000}, async () => {
  const broken: string[] = []
  let [outages, alerts] = [0, 0]
  for (let seed = 0; seed < SEEDS_OF_OUTAGES; seed++) {
    const report = await simulation.runOutages(seed, LONGEST_OUTAGE_MS)
    outages += report.outages
    alerts += report.alerts
    if (report.broken.length > 0)
      broken.push(
        `npm run test:sim -- --outages ${LONGEST_OUTAGE_MS / 1000} --seed ${seed}: ${report.broken[0]}`,
      )
  }
  expect(broken).toEqual([])
  expect(outages).toBeGreaterThan(SEEDS_OF_OUTAGES)
  expect(alerts).toBeGreaterThan(SEEDS_OF_OUTAGES)
})

test('the outages of 100 seeds are of every kind', () => {
  const all = Array.from({length: 100}, (_, seed) => createOutages(seed, LONGEST_OUTAGE_MS))
  expect(new Set(all.flatMap(({outages}) => outages.map(({kind}) => kind))).size).toBe(9)
  expect(new Set(all.flatMap(({kills}) => kills.map(({what}) => what))).size).toBe(3)
  expect(new Set(all.map(({watchers}) => watchers)).size).toBe(2)
})
