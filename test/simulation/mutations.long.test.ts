import {afterAll, expect, test} from 'vitest'
import {noteFigures} from '../figures.js'
import {bundleSimulation} from './bundle.js'
import {MUTATIONS} from './mutations.js'

const MOST_SEEDS = 2000

const found: [name: string, seed: number][] = []

afterAll(() => {
  if (found.length < MUTATIONS.length) return
  noteFigures('mutations', 'test/simulation/mutations', ['mutation', 'first seed that finds it'], found)
})

test.each(MUTATIONS)('finds that $name', async ({name, changes, seeds = MOST_SEEDS}) => {
  const bundle = await bundleSimulation(
    `mutation-${MUTATIONS.findIndex(each => each.name === name)}`,
    changes,
  )
  const {runSeed}: typeof import('./entry.js') = await import(/* @vite-ignore */ bundle)
  for (let seed = 0; seed < seeds; seed++) {
    const {broken} = await runSeed(seed)
    if (broken.length === 0) continue
    process.stdout.write(`${name}: seed ${seed}, ${broken[0]}\n`)
    found.push([name, seed])
    return
  }
  expect.unreachable(`no promise is broken in ${seeds} seeds`)
})
