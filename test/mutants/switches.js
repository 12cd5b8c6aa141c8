// Puts mutants into a source: one alone, or many behind switches that are asked at run time.
import {readFileSync} from 'node:fs'

/** What a switch calls; without it, nothing is mutated. */
const SWITCH = 'globalThis.isMutant'

/** @param {import('./operators.js').Mutant} mutant */
export function applyMutant({file, start, end, text, kind, beginsStatement}) {
  const source = readFileSync(file, 'utf8')
  const changed = kind === 'expression' ? `${beginsStatement ? ';' : ''}(${text})` : text
  return source.slice(0, start) + changed + source.slice(end)
}

/**
 * The source of a file with all its mutants, each of which works where `globalThis.isMutant(id)` says so.
 *
 * @param {string} file
 * @param {(import('./operators.js').Mutant & {id: number})[]} mutants of the file
 */
export function addSwitches(file, mutants) {
  const source = readFileSync(file, 'utf8')
  const ordered = [...mutants].sort((one, other) => one.start - other.start || other.end - one.end)
  return renderRange(source, {start: 0, end: source.length}, ordered)
}

function renderRange(source, {start, end}, mutants) {
  let text = ''
  let at = start
  for (let next = 0; next < mutants.length; ) {
    const first = mutants[next]
    const inside = mutants.slice(next).filter(each => each.start < first.end)
    const here = inside.filter(each => each.start === first.start && each.end === first.end)
    // What begins a statement inside a switch follows a parenthesis.
    const nested = inside
      .filter(each => !here.includes(each))
      .map(each => (each.start === first.start ? {...each, beginsStatement: false} : each))
    const before = source.slice(at, first.start)
    // `list.some()` becomes `list[…]()`, `list?.some()` becomes `list?.[…]()`.
    text += first.kind === 'method' && !before.endsWith('?.') ? before.slice(0, -1) : before
    text += renderSwitch(here, renderRange(source, first, nested))
    at = first.end
    next += inside.length
  }
  return text + source.slice(at, end)
}

function renderSwitch(mutants, original) {
  const [{kind, beginsStatement}] = mutants
  const ask = ({id}) => `${SWITCH}?.(${id})`
  if (kind === 'block') return mutants.reduce((inner, each) => `{ if (!${ask(each)}) ${inner} }`, original)
  const quote = kind === 'method' ? text => `'${text}'` : text => `(${text})`
  const choice = mutants.reduceRight(
    (rest, each) => `${ask(each)} ? ${quote(each.text)} : ${rest}`,
    quote(original),
  )
  if (kind === 'method') return `[${choice}]`
  return `${beginsStatement ? ';' : ''}(${choice})`
}
