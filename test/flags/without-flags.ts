import {spawnSync} from 'node:child_process'
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {WITHOUT_FLAGS} from '../support/without-flag.js'
import type {FlagTest} from './flag-tests.js'

const ROOT = join(import.meta.dirname, '../..')

/** What vitest reports of a run. */
interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly TestReport[]
  }[]
}

interface TestReport {
  readonly ancestorTitles: readonly string[]
  readonly title: string
  readonly status: string
}

/** Runs each test without its flag, as if that had no effect. @returns those that did not fail */
export function findPassing(flagTests: readonly FlagTest[]): FlagTest[] {
  return splitRounds(flagTests).flatMap(round => {
    const failed = runWithout(round)
    return round.filter(each => !failed.has(keyOf(each)))
  })
}

/** In a round no test has to do without two flags. */
function splitRounds(flagTests: readonly FlagTest[]): FlagTest[][] {
  const rounds: FlagTest[][] = []
  const counts = new Map<string, number>()
  for (const each of flagTests) {
    const at = counts.get(keyOf(each)) ?? 0
    counts.set(keyOf(each), at + 1)
    rounds[at] = [...(rounds[at] ?? []), each]
  }
  return rounds
}

function keyOf({file, name}: Pick<FlagTest, 'file' | 'name'>): string {
  return `${join(ROOT, file)} > ${name}`
}

/** The tests of a round that fail. */
function runWithout(round: readonly FlagTest[]): Set<string> {
  const folder = mkdtempSync(join(tmpdir(), 'storectl-flags-'))
  const [missing, report] = [join(folder, 'missing.json'), join(folder, 'report.json')]
  const entries = round.map(each => [keyOf(each), {id: each.id, flag: each.flag}])
  writeFileSync(missing, JSON.stringify(Object.fromEntries(entries)))
  const files = [...new Set(round.map(({file}) => file))]
  const names = round.map(({name}) => name.replaceAll(' > ', ' ').replace(/[^\w ]/g, '.')).join('|')
  const words = ['run', ...files, '-t', `^(${names})$`, '--reporter=json', `--outputFile=${report}`]
  const env = {...process.env, VITEST: undefined, VITEST_WORKER_ID: undefined, TEST_SIZE: undefined}
  spawnSync(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...words], {
    ...{cwd: ROOT, env: {...env, [WITHOUT_FLAGS]: missing}},
  })
  const {testResults}: Report = JSON.parse(readFileSync(report, 'utf8'))
  rmSync(folder, {recursive: true, force: true})
  return new Set(
    testResults.flatMap(({name: file, assertionResults}) =>
      assertionResults
        .filter(({status}) => status === 'failed')
        .map(({ancestorTitles, title}) => [file, ...ancestorTitles, title].join(' > ')),
    ),
  )
}
