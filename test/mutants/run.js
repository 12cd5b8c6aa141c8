// `npm run test:mutants -- --folder runs --sample 100`: how many small faults the fast tests notice.
import {readFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {parseArgs} from 'node:util'
import {createChoice, noteReached} from './reached.js'
import {chooseSample} from './sample.js'
import {addSwitches} from './switches.js'
import {openTests} from './test-runs.js'
import {createTrial} from './try-mutant.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')

/** The share of mutants that has to be noticed, in percent, and the share that may be called equivalent. */
const AIMS = {runs: 90, webhook: 85, order: 85, auth: 85, records: 85}
const MOST_EQUIVALENT = 20

const {values} = parseArgs({
  options: {
    folder: {type: 'string', multiple: true, default: Object.keys(AIMS)},
    sample: {type: 'string', default: '100'},
    seed: {type: 'string', default: '1'},
    only: {type: 'string'},
  },
})

/** Survivors that are known, with the reason: `equivalent`, where nobody could tell the mutant from the source. */
const known = new Map(
  JSON.parse(readFileSync(join(root, 'test/mutants/survivors.json'), 'utf8')).map(each => [
    each.mutant,
    each,
  ]),
)

process.exitCode = (await main()) ? 0 : 1

async function main() {
  const mutants = chooseSample(root, {
    folders: values.folder,
    sample: Number(values.sample),
    seed: Number(values.seed),
  })
  const sources = new Map()
  for (const file of new Set(mutants.map(mutant => mutant.file)))
    sources.set(
      file,
      addSwitches(
        file,
        mutants.filter(mutant => mutant.file === file),
      ),
    )
  const reached = await noteReached(root, mutants, sources)
  for (const {file, failed} of reached.filter(each => each.failed.length > 0))
    console.log(`fails without a mutant, left out: ${file}: ${failed[0]}`)
  const tests = await openTests(root, sources, {bail: 1, maxWorkers: 1, testTimeout: 30_000})
  try {
    const tryMutant = createTrial(tests, createChoice(root, reached))
    let isGood = true
    for (const folder of values.folder) {
      const asked = mutants.filter(mutant => mutant.folder === folder && isAsked(mutant))
      isGood = (await measureFolder(folder, asked, tryMutant)) && isGood
    }
    return isGood
  } finally {
    await tests.close()
  }
}

/** `--only survivors` tries the known ones again, `--only text` those whose name has the text. */
function isAsked({name}) {
  if (values.only === undefined) return true
  return values.only === 'survivors' ? known.has(name) : name.includes(values.only)
}

async function measureFolder(folder, mutants, tryMutant) {
  const survivors = []
  for (const mutant of mutants) {
    const begun = performance.now()
    const {result, by, tests} = await tryMutant(mutant)
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    console.log(`${result} (${tests} tests, ${seconds} s): ${mutant.name}${by && `\n    by ${by}`}`)
    if (result !== 'killed') survivors.push(mutant)
    else if (known.has(mutant.name)) console.log('    take it out of survivors.json')
  }
  const equivalent = survivors.filter(({name}) => known.get(name)?.equivalent)
  const killed = mutants.length - survivors.length
  const score = (100 * killed) / (mutants.length - equivalent.length)
  const unlisted = survivors.filter(({name}) => !known.has(name))
  for (const {name, line} of unlisted)
    console.log(`survived, and not in survivors.json: ${name} (line ${line})`)
  console.log(
    `${folder}/: ${killed} of ${mutants.length} mutants killed, ${equivalent.length} equivalent: ${score.toFixed(1)} % (aim ${AIMS[folder] ?? 85} %), seed ${values.seed}`,
  )
  return (
    unlisted.length === 0 &&
    score >= (AIMS[folder] ?? 85) &&
    equivalent.length <= (mutants.length * MOST_EQUIVALENT) / 100
  )
}
