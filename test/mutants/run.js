// `npm run test:mutants -- --folder runs --sample 100`: how many small faults the fast tests notice.
import {readFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {parseArgs} from 'node:util'
import {createChoice, noteReached} from './reached.js'
import {openResults} from './results.js'
import {chooseSample, hashFiles, MUTANTS} from './sample.js'
import {addSwitches} from './switches.js'
import {openTests} from './test-runs.js'
import {createTrial} from './try-mutant.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')

/** The share of mutants that has to be noticed, in percent, and the share that may be called equivalent. */
const AIMS = {runs: 90, webhook: 85, order: 85, auth: 85, records: 85}
const MOST_EQUIVALENT = 20

/** What every result depends on. */
const COMMON = [...MUTANTS, 'test/mutants/reach.ts', 'test/support']

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
  const {mutants, refused} = chooseSample(root, {
    folders: Object.keys(AIMS),
    sample: Number(values.sample),
    seed: Number(values.seed),
  })
  const sources = switchSources(mutants)
  const reached = await noteReached(root, mutants, sources)
  for (const {file, failed} of reached.filter(each => each.failed.length > 0))
    console.log(`fails without a mutant, left out: ${file}: ${failed[0]}`)
  const choice = createChoice(root, reached)
  const common = hashFiles(root, COMMON)
  const tests = await openTests(root, sources, {bail: 1, maxWorkers: 1, testTimeout: 30_000})
  try {
    const tryMutant = createTrial(tests)
    let isGood = true
    for (const folder of values.folder) {
      const results = openResults(root, folder, common)
      const trial = mutant => tryOnce(mutant, {choice, results, tryMutant})
      const asked = mutants.filter(mutant => mutant.folder === folder && isAsked(mutant))
      isGood = (await measureFolder(folder, asked, refused.get(folder), trial)) && isGood
    }
    return isGood
  } finally {
    await tests.close()
  }
}

function switchSources(mutants) {
  const files = [...new Set(mutants.map(mutant => mutant.file))]
  return new Map(
    files.map(file => [
      file,
      addSwitches(
        file,
        mutants.filter(mutant => mutant.file === file),
      ),
    ]),
  )
}

/** `--only survivors` tries the known ones again, `--only text` those whose name has the text. */
function isAsked({name}) {
  if (values.only === undefined) return true
  return values.only === 'survivors' ? known.has(name) : name.includes(values.only)
}

async function tryOnce(mutant, {choice, results, tryMutant}) {
  const reaching = choice.listReaching(mutant)
  const before = results.find(mutant.name, reaching)
  if (before) return before
  const killers = results.listKillers(mutant)
  const begun = performance.now()
  const result = await tryMutant(mutant, wholeFiles => choice.choose(mutant, killers, wholeFiles))
  results.note(mutant, result, reaching)
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  const by = result.by ? `\n    by ${result.by}` : ''
  console.log(`${result.result} (${result.tests} tests, ${seconds} s): ${mutant.name}${by}`)
  return result
}

async function measureFolder(folder, mutants, refused, trial) {
  const found = {killed: [], hangs: [], survived: [], untested: []}
  for (const mutant of mutants) found[(await trial(mutant)).result].push(mutant)
  const noticed = [...found.killed, ...found.hangs]
  const survivors = [...found.survived, ...found.untested]
  for (const {name} of noticed.filter(each => known.has(each.name)))
    console.log(`noticed: take it out of survivors.json: ${name}`)
  const unlisted = survivors.filter(({name}) => !known.has(name))
  for (const {name, line} of unlisted)
    console.log(`not noticed, and not in survivors.json: ${name} (line ${line})`)
  const equivalent = survivors.filter(({name}) => known.get(name)?.equivalent)
  const score = (100 * noticed.length) / (mutants.length - equivalent.length)
  console.log(
    [
      `${folder}/: ${mutants.length} mutants that compile (${refused} did not)`,
      `${found.killed.length} killed, ${found.hangs.length} more did not end`,
      `${found.survived.length} survived, ${found.untested.length} untested, ${equivalent.length} of them equivalent`,
      `${score.toFixed(1)} % (aim ${AIMS[folder]} %), seed ${values.seed}`,
    ].join('; '),
  )
  return (
    unlisted.length === 0 &&
    score >= AIMS[folder] &&
    equivalent.length <= (mutants.length * MOST_EQUIVALENT) / 100
  )
}
