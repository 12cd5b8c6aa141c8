import {FileDisk, type RecordedFiles} from './files/file-disk.js'
import {createScenario} from './scenario.js'
import {listParts, selectParts, shrink} from './shrink.js'
import {type Outcome, simulate} from './simulate.js'

export {runOutages} from './outages.js'

/** What is reported of a seed. */
export interface SeedReport {
  readonly seed: number
  readonly hash: string
  readonly events: number
  readonly sends: number
  readonly faults: number
  readonly crashes: number
  /** Of the run that most worked on. */
  readonly workers: number
  readonly broken: readonly string[]
}

/** Runs a seed. @param parts what of it; all of it unless given */
export async function runSeed(
  seed: number,
  parts?: readonly string[],
): Promise<SeedReport & {trace: readonly string[]}> {
  const whole = createScenario(seed)
  const outcome = await simulate(parts ? selectParts(whole, parts) : whole)
  return {...report(seed, outcome), trace: outcome.trace}
}

/** The smallest part of a failing seed that still fails, and the command that repeats it. */
export async function explainSeed(seed: number): Promise<string> {
  const scenario = createScenario(seed)
  const {parts, outcome} = await shrink(scenario, await simulate(scenario))
  const faults = selectParts(scenario, parts).faults.map(fault => `  ${JSON.stringify(fault)}`)
  return [
    `seed ${seed} breaks a promise, with ${parts.length} of its ${listParts(scenario).length} parts:`,
    ...outcome.broken.map(({message}) => `  ${message}`),
    ...faults,
    `npm run test:sim -- --seed ${seed} --only ${parts.join(',')}`,
  ].join('\n')
}

function report(seed: number, {hash, broken, counts}: Outcome): SeedReport {
  return {seed, hash, ...counts, broken: broken.map(({message}) => message)}
}

/** Runs a seed without faults on real files, and tells what was written and what others know of by then. */
export async function recordFiles(seed: number, folder: string): Promise<RecordedFiles> {
  const scenario = {...createScenario(seed), faults: [], crash: undefined, longestSyncMs: 1}
  const disk = await FileDisk.create(folder)
  const {broken, facts} = await simulate(scenario, disk)
  if (broken.length > 0) throw new Error(broken.map(({message}) => message).join('\n'))
  return {syncs: disk.syncs, facts, log: disk.log}
}
