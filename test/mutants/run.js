// `npm run test:mutants -- --folder runs --sample 100`: how many small faults the tests notice. Each mutant of a seeded
// sample is put into a copy of the project, has to compile, and is run against the fast tests that import its file.
import {execFileSync, spawnSync} from 'node:child_process'
import {cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {parseArgs} from 'node:util'
import {listMutants} from './operators.js'
import {absolute, createRelatedTests} from './related-tests.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')

/** Tests that a mutant is run against at most, the nearest ones. */
const MOST_TESTS = 6

/** A mutant that keeps its tests going for longer is noticed. */
const TIMEOUT_MS = 180_000

const {values} = parseArgs({
  options: {
    folder: {type: 'string', multiple: true, default: ['runs', 'webhook', 'order', 'auth', 'records']},
    sample: {type: 'string', default: '100'},
    seed: {type: 'string', default: '1'},
  },
})

/** Lists of tests that pass without a mutant. */
const passing = new Set()

const copy = makeCopy()
try {
  for (const folder of values.folder) measureFolder(folder)
} finally {
  rmSync(copy, {recursive: true, force: true})
}

function makeCopy() {
  const made = mkdtempSync(join(tmpdir(), 'storectl-mutants-'))
  const tracked = execFileSync('git', ['ls-files'], {cwd: root, encoding: 'utf8'}).trim().split('\n')
  for (const name of tracked) cpSync(join(root, name), join(made, name), {recursive: true})
  for (const name of ['node_modules', 'dist']) symlinkSync(join(root, name), join(made, name))
  return made
}

function measureFolder(folder) {
  const names = execFileSync('git', ['ls-files', 'src', 'test'], {cwd: root, encoding: 'utf8'})
    .split('\n')
    .filter(name => name.endsWith('.ts'))
  const findTests = createRelatedTests(absolute(copy, names))
  const sources = names.filter(name => name.startsWith(`src/${folder}/`))
  const mutants = shuffle(
    sources.flatMap(name => listMutants(join(copy, name))),
    Number(values.seed),
  )
  const counts = {killed: 0, survived: 0, untested: 0}
  const survivors = []
  for (const mutant of mutants) {
    const tried = counts.killed + counts.survived + counts.untested
    if (tried >= Number(values.sample)) break
    const tests = findTests(mutant.file, MOST_TESTS)
    if (tests.length > 0) requirePassing(tests)
    const result = tryMutant(mutant, tests)
    if (result === 'refused') continue
    counts[result]++
    if (result !== 'killed') survivors.push(`${result}: ${describe(mutant)}`)
    console.log(`${result}: ${describe(mutant)}`)
  }
  const tried = counts.killed + counts.survived + counts.untested
  const score = ((100 * counts.killed) / tried).toFixed(0)
  console.log(`${folder}/: ${counts.killed} of ${tried} mutants killed (${score} %), seed ${values.seed}`)
  for (const survivor of survivors) console.log(`  ${survivor}`)
}

/** Tests that fail anyway would kill every mutant. */
function requirePassing(tests) {
  const key = tests.join(' ')
  if (passing.has(key)) return
  if (!runTests(tests)) throw new Error(`these tests fail without a mutant: ${key}`)
  passing.add(key)
}

function runTests(tests) {
  return run('node_modules/.bin/vitest', ['run', '--bail', '1', '--maxWorkers', '2', ...tests])
}

/** @returns {'killed' | 'survived' | 'untested' | 'refused'} `refused` where it does not compile */
function tryMutant({file, start, end, to}, tests) {
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.slice(0, start) + to + text.slice(end))
  try {
    if (!compiles()) return 'refused'
    if (tests.length === 0) return 'untested'
    return runTests(tests) ? 'survived' : 'killed'
  } finally {
    writeFileSync(file, text)
  }
}

function compiles() {
  const loose = ['--noUnusedLocals', 'false', '--noUnusedParameters', 'false', '--incremental', 'false']
  return run(process.execPath, [
    'node_modules/typescript-native/bin/tsc',
    '-p',
    '.',
    '--tsBuildInfoFile',
    'null',
    ...loose,
  ])
}

function run(command, words) {
  const {status} = spawnSync(command, words, {
    cwd: copy,
    stdio: 'ignore',
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  })
  return status === 0
}

function describe({file, line, from, to, operator}) {
  const short = text => (text.length > 60 ? `${text.slice(0, 57)}…` : text).replaceAll('\n', ' ')
  return `${file.slice(copy.length + 1)}:${line} ${operator}: ${short(from)} → ${short(to)}`
}

/** The same order for the same seed. @see https://en.wikipedia.org/wiki/Mulberry32 */
function shuffle(items, seed) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
  return items
    .map(item => ({item, at: next()}))
    .sort((one, other) => one.at - other.at)
    .map(({item}) => item)
}
