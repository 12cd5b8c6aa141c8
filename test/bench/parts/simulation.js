import {bundleSimulation} from '../../simulation/bundle.js'

export const about = 'the seeds of the simulation, one after the other in one thread'

const SEEDS = 100
const WARM_UP = 10

export async function* bench() {
  const {runSeed} = await import(await bundleSimulation('bench'))
  let begin = 0
  for (let seed = 0; seed < WARM_UP + SEEDS; seed++) {
    if (seed === WARM_UP) begin = performance.now()
    const {broken} = await runSeed(seed)
    if (broken.length > 0) throw new Error(`seed ${seed}: ${broken[0]}`)
  }
  const value = (performance.now() - begin) / SEEDS
  yield {
    title: 'a seed',
    unit: 'ms',
    rows: [{name: `seeds ${WARM_UP} to ${WARM_UP + SEEDS}`, value, note: 'aim ≤ 48 ms'}],
  }
}
