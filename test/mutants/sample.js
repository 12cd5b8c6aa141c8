// The mutants of a folder that a seed chooses, or all of a file: the same ones as long as their lines stay as they are.
import {createHash} from 'node:crypto'
import {existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs'
import {dirname, join, relative, sep} from 'node:path'
import {selectCompiling} from './check-types.js'
import {listMutants} from './operators.js'

/** What decides which mutants there are. */
export const MUTANTS = ['src', 'test/mutants/operators.js', 'test/mutants/switches.js']

/**
 * @typedef {import('./operators.js').Mutant & {id: number, group: string, folder: string, name: string}} Sampled
 * @param {string} root
 * @param {{groups: string[], sample: number, seed: number}} asked `groups`: folders and files, such as `src/runs`;
 *   `sample`: how many of each, Infinity for all
 * @returns {{mutants: Sampled[], refused: Map<string, number>}} `refused`: by group, how many drawn ones do not compile
 */
export function chooseSample(root, {groups, sample, seed}) {
  const lists = groups.map(group => orderBySeed(listGroup(root, group), seed))
  const sources = hashFiles(root, [...MUTANTS, 'test/mutants/check-types.js'])
  const chosen = keep(root, ['sample', sources, groups, String(sample), seed], () =>
    selectCompiling(root, lists, sample).map(({compiling, refused}) => ({
      names: compiling.map(({name}) => name),
      refused,
    })),
  )
  const mutants = chosen
    .flatMap(({names}, at) => {
      const byName = new Map(lists[at].map(mutant => [mutant.name, mutant]))
      return names.map(name => byName.get(name))
    })
    .map((mutant, id) => ({...mutant, id}))
  return {mutants, refused: new Map(groups.map((group, at) => [group, chosen[at].refused]))}
}

function listGroup(root, group) {
  const files = group.endsWith('.ts') ? [join(root, group)] : listFiles(join(root, group))
  return files
    .filter(name => name.endsWith('.ts'))
    .flatMap(file => {
      const times = new Map()
      const [, folder] = relative(root, file).split(sep)
      return listMutants(file).map(mutant => {
        const described = `${relative(root, file)}: ${describe(mutant)}`
        const nth = (times.get(described) ?? 0) + 1
        times.set(described, nth)
        return {...mutant, group, folder, name: nth === 1 ? described : `${described} (${nth})`}
      })
    })
}

function describe({context, operator, from, to}) {
  return operator === 'operator' || operator === 'method'
    ? `${shorten(context)} | ${from} → ${to}`
    : `${shorten(context)} | ${operator} ${shorten(from)} → ${shorten(to)}`
}

function shorten(text) {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > 90 ? `${line.slice(0, 89)}…` : line
}

function orderBySeed(mutants, seed) {
  const key = ({name}) => createHash('sha256').update(`${seed} ${name}`).digest('hex')
  return mutants
    .map(mutant => ({mutant, key: key(mutant)}))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({mutant}) => mutant)
}

/** @returns {string[]} absolute, in a fixed order */
export function listFiles(folder) {
  return readdirSync(folder, {recursive: true, withFileTypes: true})
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
}

/** @param {string[]} names files or folders */
export function hashFiles(root, names) {
  const hash = createHash('sha256')
  for (const name of names)
    for (const file of name.includes('.') ? [join(root, name)] : listFiles(join(root, name)))
      hash.update(file).update('\0').update(readFileSync(file))
  return hash.digest('hex')
}

/** Makes something once, as long as what it depends on stays the same. */
export function keep(root, dependsOn, make) {
  const file = keptFile(root, dependsOn)
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  const made = make()
  writeKept(file, made)
  return made
}

export function keptFile(root, dependsOn) {
  const hash = createHash('sha256').update(JSON.stringify(dependsOn)).digest('hex')
  return join(root, 'node_modules/.mutants', `${dependsOn[0]}-${hash.slice(0, 16)}.json`)
}

/** Writes it as a whole or not at all: a run may be interrupted at any moment. */
export function writeKept(file, value) {
  mkdirSync(dirname(file), {recursive: true})
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(value))
  renameSync(`${file}.${process.pid}`, file)
}
