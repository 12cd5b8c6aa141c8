// `npm run test:forgery -- --seeds 10000`, or `--from N` to begin with another seed.
import {spawn} from 'node:child_process'
import process from 'node:process'
import {parseArgs} from 'node:util'

const {values} = parseArgs({
  options: {seeds: {type: 'string', default: '10000'}, from: {type: 'string', default: '0'}},
})
const env = {...process.env, STORECTL_FORGERY_SEEDS: values.seeds, STORECTL_FORGERY_FROM: values.from}
spawn('npx', ['vitest', 'run', 'test/forgery'], {env, stdio: 'inherit'}).on('close', code => {
  process.exitCode = code ?? 1
})
