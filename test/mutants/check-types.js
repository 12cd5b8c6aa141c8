// Which mutants compile: each in a file of its own beside its source, all in one run of the compiler.
import {spawnSync} from 'node:child_process'
import {cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, relative} from 'node:path'
import {applyMutant} from './switches.js'

/** Some of the mutants do not compile: so many more are tried than are asked for. */
const MORE = 2

/** Most mutants of a list in one run of the compiler. */
const MOST_AT_ONCE = 400

/**
 * The first mutants of each list that compile. What a mutant does to the types of other files is not looked at.
 *
 * @template {import('./operators.js').Mutant} M
 * @param {string} root
 * @param {M[][]} lists
 * @param {number} sample
 * @returns {{compiling: M[], refused: number}[]} `refused`: how many of the mutants before the last one do not compile
 */
export function selectCompiling(root, lists, sample) {
  const copy = makeCopy(root)
  const found = lists.map(() => [])
  const tried = lists.map(() => 0)
  try {
    for (;;) {
      const windows = lists.map((list, at) => {
        const missing = Math.max(0, sample - found[at].length)
        return list.slice(tried[at], tried[at] + Math.min(missing * MORE, MOST_AT_ONCE))
      })
      if (windows.every(({length}) => length === 0))
        return found.map((list, at) => takeFirst(lists[at], list.slice(0, sample)))
      const refused = findRefused(root, copy, windows.flat())
      for (const [at, window] of windows.entries()) {
        found[at].push(...window.filter(mutant => !refused.has(mutant)))
        tried[at] += window.length
      }
    }
  } finally {
    rmSync(copy, {recursive: true, force: true})
  }
}

function takeFirst(list, compiling) {
  const refused = compiling.length === 0 ? 0 : list.indexOf(compiling.at(-1)) + 1 - compiling.length
  return {compiling, refused}
}

function makeCopy(root) {
  const copy = mkdtempSync(join(tmpdir(), 'storectl-mutants-'))
  cpSync(join(root, 'src'), join(copy, 'src'), {recursive: true})
  cpSync(join(root, 'package.json'), join(copy, 'package.json'))
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const {compilerOptions} = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'))
  const {tsBuildInfoFile: _, ...options} = compilerOptions
  const loose = {...options, noUnusedLocals: false, noUnusedParameters: false, incremental: false}
  writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify({compilerOptions: loose, include: ['src']}))
  return copy
}

function findRefused(root, copy, mutants) {
  const written = new Map()
  for (const [at, mutant] of mutants.entries()) {
    const name = relative(root, mutant.file).replace(/\.ts$/, `.mutant-${at}.ts`)
    writeFileSync(join(copy, name), applyMutant(mutant))
    written.set(name, mutant)
  }
  const {stdout, status} = spawnSync(
    process.execPath,
    ['node_modules/typescript-native/bin/tsc', '-p', '.', '--pretty', 'false'],
    {cwd: copy, encoding: 'utf8', maxBuffer: 2 ** 28},
  )
  for (const name of written.keys()) rmSync(join(copy, name))
  const names = [...stdout.matchAll(/^(\S[^(]*)\(\d+,\d+\): error/gm)].map(([, name]) => name)
  const unexpected = names.filter(name => !written.has(name))
  if (unexpected.length > 0 || (status !== 0 && names.length === 0))
    throw new Error(`without a mutant it does not compile: ${unexpected[0] ?? stdout}`)
  return new Set(names.map(name => written.get(name)))
}
