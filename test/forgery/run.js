// `npm run test:forgery`: attacks by seed through every way in, and what the shop got of them.
import {spawn} from 'node:child_process'
import process from 'node:process'
import {readFlags} from '../../bin/build/read-flags.js'

const HELP = `Draws attacks by seed through every way in, and asks the shop what it got.

  npm run test:forgery -- --seeds 10000

  --seeds N   how many seeds (10000)
  --from N    the first of them (0)
`

const {values} = readFlags(HELP, {
  options: {seeds: {type: 'string', default: '10000'}, from: {type: 'string', default: '0'}},
})
const env = {...process.env, FORGERY_SEEDS: values.seeds, FORGERY_FROM: values.from}
spawn('npx', ['vitest', 'run', 'test/forgery'], {env, stdio: 'inherit'}).on('close', code => {
  process.exitCode = code ?? 1
})
