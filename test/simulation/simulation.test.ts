import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {beforeAll, expect, test} from 'vitest'
import {bundleSimulation} from './bundle.js'
import {MUTATIONS} from './mutations.js'
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

test('no promise is broken whatever goes wrong', async () => {
  const broken: string[] = []
  let shared = 0
  for (let seed = 0; seed < 300; seed++) {
    const report = await simulation.runSeed(seed)
    if (report.workers >= 4) shared++
    if (report.broken.length > 0) broken.push(`npm run test:sim -- --seed ${seed}: ${report.broken[0]}`)
  }
  expect(broken).toEqual([])
  expect(shared).toBeGreaterThan(240)
}, 600_000)
