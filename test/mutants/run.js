// `npm run test:mutants`: how many small faults the fast tests notice.
import {readFileSync} from 'node:fs'
import {join, normalize} from 'node:path'
import {readFlags} from '../../bin/build/read-flags.js'
import {createChoice, noteReached} from './reached.js'
import {openResults} from './results.js'
import {tryInRounds} from './rounds.js'
import {chooseSample, hashFiles, MUTANTS} from './sample.js'
import {writeScores} from './scores.js'
import {addSwitches} from './switches.js'
import {openTests} from './test-runs.js'
import {tryAlone} from './try-alone.js'

const root = join(import.meta.dirname, '../..')

const FOLDERS = ['runs', 'webhook', 'order', 'auth', 'records', 'payment', 'providers', 'gateway']

/** The share of mutants that has to be noticed, in percent, and the share that may be called equivalent. */
const AIM = 90
const MOST_EQUIVALENT = 20

/** What every result depends on. */
const COMMON = [...MUTANTS, 'test/mutants/active.ts', 'test/support']

const HELP = `Puts small faults (mutants) into the sources, and counts those that the fast tests notice.

  npm run test:mutants -- --folder runs --sample 100
  npm run test:mutants -- --file src/payment/repair/repair-operation.ts --tests /test/payment/

  --folder NAME   ${FOLDERS.join(', ')}; may be repeated (all)
  --file PATH     all mutants of a file, or of a folder such as src/payment/drift, and no sample; may be repeated
  --sample N      mutants of a folder (100)
  --seed N        which ones (1)
  --only TEXT     those whose name has the text, or "survivors" for the known ones; may be repeated
  --tests PATH    count the tests whose path has this text alone; may be repeated
  --write         put each score into docs/reliability.md, with commit and date
`

const {values} = readFlags(HELP, {
  options: {
    folder: {type: 'string', multiple: true, default: FOLDERS},
    file: {type: 'string', multiple: true},
    sample: {type: 'string', default: '100'},
    seed: {type: 'string', default: '1'},
    only: {type: 'string', multiple: true},
    tests: {type: 'string', multiple: true, default: ['']},
    write: {type: 'boolean'},
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
  const {file: files, seed} = values
  const groups = (files ?? FOLDERS.map(folder => `src/${folder}`)).map(path => normalize(path))
  const sample = files ? Number.POSITIVE_INFINITY : Number(values.sample)
  const {mutants, refused} = chooseSample(root, {groups, sample, seed: Number(seed)})
  const sources = switchSources(mutants)
  const reached = await noteReached(root, mutants, sources, values.tests)
  for (const {file, failed} of reached)
    for (const test of failed) console.log(`fails without a mutant, left out: ${file}: ${test}`)
  const choose = createChoice(root, mutants, reached)
  const tests = await openTests(root, sources, {setup: 'active.ts', maxWorkers: 1, testTimeout: 25_000})
  try {
    let isGood = true
    for (const group of files ? groups : values.folder.map(folder => `src/${folder}`)) {
      const asked = mutants.filter(mutant => mutant.group === group && isAsked(mutant))
      if (asked.length === 0) continue
      const found = await tryGroup(asked, choose, tests)
      isGood = reportGroup(group, found, refused.get(group)) && isGood
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

/** `--only survivors` tries the known ones again, `--only text` those whose name has the text; both may be repeated. */
function isAsked({name}) {
  if (values.only === undefined) return true
  return values.only.some(text => (text === 'survivors' ? known.has(name) : name.includes(text)))
}

/** What came of the mutants of a folder or a file; those that are known from before are not tried again. */
async function tryGroup(mutants, choose, tests) {
  const [{folder}] = mutants
  const results = openResults(root, folder, hashFiles(root, COMMON))
  const choices = new Map(mutants.map(mutant => [mutant, choose(mutant, results.listKillers(mutant))]))
  const found = {killed: [], hangs: [], survived: [], untested: []}
  const keep = (mutant, result) => found[result.result].push(mutant)
  const note = (mutant, result) => {
    results.note(mutant, result, choices.get(mutant).files)
    console.log(
      `${result.result} (${result.tests} tests): ${mutant.name}${result.by ? `\n    by ${result.by}` : ''}`,
    )
    keep(mutant, result)
  }
  const left = mutants.filter(mutant => {
    const before = results.find(mutant, choices.get(mutant).files)
    if (before) keep(mutant, before)
    return !before
  })
  const isAlone = mutant => choices.get(mutant).isAlone
  const listPairs = mutant => choices.get(mutant).pairs
  const together = left.filter(mutant => !isAlone(mutant))
  const missed = await tryInRounds(together, listPairs, tests, note)
  for (const mutant of [...left.filter(isAlone), ...missed])
    note(mutant, await tryAlone(mutant, listPairs(mutant), tests))
  return found
}

/** @returns whether the folder or file meets the aim, and every survivor has its reason */
function reportGroup(group, found, refused) {
  const noticed = [...found.killed, ...found.hangs]
  const survivors = [...found.survived, ...found.untested]
  const all = noticed.length + survivors.length
  for (const {name} of noticed.filter(each => known.has(each.name)))
    console.log(`noticed: take it out of survivors.json: ${name}`)
  const unlisted = survivors.filter(({name}) => !known.has(name))
  for (const {name, line} of unlisted)
    console.log(`not noticed, and not in survivors.json: ${name} (line ${line})`)
  const equivalent = survivors.filter(({name}) => known.get(name)?.equivalent)
  const score = (100 * noticed.length) / (all - equivalent.length)
  console.log(
    [
      `${group}: ${all} mutants that compile (${refused} did not)`,
      `${found.killed.length} killed, ${found.hangs.length} more did not end`,
      `${found.survived.length} survived, ${found.untested.length} untested, ${equivalent.length} of them equivalent`,
      `${score.toFixed(1)} % (aim ${AIM} %), seed ${values.seed}`,
    ].join('; '),
  )
  const tests = values.tests.join(' ') || 'all'
  if (values.write) writeScores([{group, tests, noticed: noticed.length, of: all - equivalent.length, score}])
  return unlisted.length === 0 && score >= AIM && equivalent.length <= (all * MOST_EQUIVALENT) / 100
}
