import {expect, test} from 'vitest'
import {noteFigures} from '../../figures.js'
import {temporaryFolder} from '../../support/home.js'
import {sized} from '../../support/sized.js'
import {bundleSimulation} from '../bundle.js'
import {checkCrashState, listCrashStates} from './crash-states.js'

/** One state of so many is opened. */
const EVERY = sized(195, 1)

const STATES_COUNTED = ['crash states', 'opened, resumed and checked', 'broken promises']

test('a power cut at any moment of a replay, a submit and a capture takes nothing back', async () => {
  const {recordFiles}: typeof import('../entry.js') = await import(
    /* @vite-ignore */ await bundleSimulation('files')
  )
  const folder = temporaryFolder()
  const recorded = await recordFiles(11, folder)
  const states = listCrashStates(recorded).filter((_, at) => at % EVERY === 0)
  const broken: string[] = []
  for (const bytes of states)
    for (const problem of await checkCrashState(folder, recorded, bytes))
      broken.push(`${bytes} bytes: ${problem}`)
  process.stdout.write(`crash states of the records: ${states.length} opened, resumed and checked\n`)
  const row = ['a replay, a submit and a capture', states.length, broken.length]
  noteFigures('crash-states', 'test/simulation/files/crash-states', STATES_COUNTED, [row])
  expect(broken).toEqual([])
  expect(states.length).toBeGreaterThan(10)
  const early = {...recorded, facts: recorded.facts.map(fact => ({...fact, syncedBytes: 0}))}
  expect(await checkCrashState(folder, early, states[1] as number)).not.toEqual([])
}, 3_600_000)
