import {createScenario} from './scenario.js'
import {listParts, selectParts, shrink} from './shrink.js'
import {type Outcome, simulate} from './simulate.js'

/** What is reported of a seed. */
export interface SeedReport {
  readonly seed: number
  readonly hash: string
  readonly events: number
  readonly sends: number
  readonly faults: number
  readonly crashes: number
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
