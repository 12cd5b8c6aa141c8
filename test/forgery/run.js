// `npm run test:forgery`: attacks by seed through every way in, and what the shop got of them.
import process from 'node:process'
import {readFlags} from '../../bin/build/read-flags.js'
import {installed, run} from '../vitest-counts.js'

const HELP = `Draws attacks by seed through every way in, and asks the shop what it got.

  npm run test:forgery -- --seeds 10000

  --seeds N   how many seeds (10000)
  --from N    the first of them (0)
`

const {values} = readFlags(HELP, {
  options: {seeds: {type: 'string', default: '10000'}, from: {type: 'string', default: '0'}},
})
const env = {FORGERY_SEEDS: values.seeds, FORGERY_FROM: values.from}
const holds = await run('forged events', installed('vitest'), ['run', 'test/forgery'], env)
process.exitCode = holds ? 0 : 1
