// `npm run test:long`: what takes minutes, part after part; `-- PART…` runs these alone, `-- FILE…` files by their path.
import process from 'node:process'
import {readFlags} from '../bin/build/read-flags.js'
import {VERSIONS} from './conformance/flags.js'
import {WRITE} from './figures.js'
import {PARTS} from './long-parts.js'
import {conclude, vitest} from './vitest-counts.js'

const CONFIG = 'test/vitest.long.config.ts'
const SHUFFLES = 10

const HELP = `Runs what takes minutes: every part, or those that are named, or files by their path.

  npm run test:long [-- PART…|FILE…] [--write]

  PART   ${Object.keys(PARTS).join(', ')}

\`shuffled\` runs the fast tests ${SHUFFLES} times, their files and tests shuffled by seeds that begin with the day's,
or with TEST_SEED. \`--write\` puts what they count into docs/, with commit and date. \`conformance\` holds the bundled server of each version against the rows of the interface.
`

const {positionals, values} = readFlags(HELP, {allowPositionals: true, options: {write: {type: 'boolean'}}})
if (values.write) process.env[WRITE] = '1'
const files = positionals.filter(word => !(word in PARTS))
const chosen = positionals.filter(word => word in PARTS)

const results = files.length > 0 ? [await vitest('long', CONFIG, {}, files)] : []
const parts = positionals.length > 0 ? chosen : Object.keys(PARTS)
for (const part of parts) results.push(...(await runPart(part)))
conclude(results)

async function runPart(part) {
  if (part === 'shuffled') return shuffle()
  if (part === 'conformance') return askEachVersion()
  const paths = PARTS[part].map(folder => `test/${folder}/`)
  const others = Object.values(PARTS).flat()
  const words = part === 'rest' ? others.flatMap(folder => ['--exclude', `test/${folder}/**`]) : paths
  return [await vitest(`long: ${part}`, CONFIG, {}, words)]
}

async function askEachVersion() {
  const results = []
  for (const version of VERSIONS) {
    const environment = {CONFORMANCE_VERSION: version}
    results.push(await vitest(`rows of ${version}`, 'test/vitest.conformance.config.ts', environment))
  }
  return results
}

async function shuffle() {
  const first = Number(process.env.TEST_SEED ?? new Date().toISOString().slice(0, 10).replaceAll('-', ''))
  const results = []
  for (let seed = first; seed < first + SHUFFLES; seed++) {
    const order = ['--sequence.shuffle.files', '--sequence.shuffle.tests', `--sequence.seed=${seed}`]
    results.push(await vitest(`shuffled by seed ${seed}`, 'vitest.config.ts', {TEST_SEED: ''}, order))
  }
  return results
}
