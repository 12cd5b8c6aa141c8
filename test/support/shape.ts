import ts from 'typescript'
import {importsOf, parsed, type Sources} from './sources.js'

/** Factories (files directly in `app/`, but for the host) that import another. */
export function factoryImports(sources: Sources): string[] {
  const isFactory = (file: string) => /^app\/[^/]+\.ts$/.test(file) && file !== 'app/host.ts'
  return [...sources]
    .filter(([file]) => isFactory(file))
    .flatMap(([file, text]) =>
      importsOf(file, text)
        .filter(({to}) => isFactory(to))
        .map(({to, line}) => `${file}:${line} imports ${to}`),
    )
}

/** Files that import more own files than `most`, types and dynamic imports included. */
export function crowdedImports(sources: Sources, most: number): string[] {
  return [...sources].flatMap(([file, text]) => {
    const own = new Set(importsOf(file, text).flatMap(({to}) => (sources.has(to) ? [to] : [])))
    return own.size > most ? [`${file} imports ${own.size} files`] : []
  })
}

/** Import cycles, types and dynamic imports included: the files of each, sorted. */
export function importCycles(sources: Sources): string[][] {
  const found: string[][] = []
  const numbers = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const visit = (file: string): void => {
    numbers.set(file, numbers.size)
    lowest.set(file, numbers.get(file) as number)
    stack.push(file)
    for (const {to} of importsOf(file, sources.get(file) as string)) {
      if (!sources.has(to)) continue
      if (!numbers.has(to)) visit(to)
      if (stack.includes(to)) lowest.set(file, Math.min(lowest.get(file) as number, lowest.get(to) as number))
    }
    if (lowest.get(file) !== numbers.get(file)) return
    const cycle = stack.splice(stack.indexOf(file))
    if (cycle.length > 1) found.push(cycle.sort())
  }
  for (const file of sources.keys()) if (!numbers.has(file)) visit(file)
  return found
}

/** What a command file shows to people and to oclif: no part of its code. */
const WORDS = new Set(['summary', 'description', 'examples', 'args', 'flags'])

/** Command files with more lines than `most`, without help, arguments and flags. */
export function longCommands(sources: Sources, most: number): string[] {
  return commands(sources).flatMap(([file, tree, members]) => {
    const words = members.filter(
      member => ts.isPropertyDeclaration(member) && WORDS.has(member.name.getText(tree)),
    )
    const lines = tree.text.trimEnd().split('\n').length
    const code = words.reduce((left, member) => left - linesOf(tree, member), lines)
    return code > most ? [`${file}: ${code} lines`] : []
  })
}

/** Commands whose `run()` has more lines than `most` between its braces. */
export function longRuns(sources: Sources, most: number): string[] {
  return commands(sources).flatMap(([file, tree, members]) =>
    members.flatMap(member => {
      if (!ts.isMethodDeclaration(member) || member.name.getText(tree) !== 'run' || !member.body) return []
      const lines = linesOf(tree, member.body) - 2
      return lines > most ? [`${file}: run() of ${lines} lines`] : []
    }),
  )
}

function commands(sources: Sources): [string, ts.SourceFile, readonly ts.ClassElement[]][] {
  return [...sources]
    .filter(([file]) => file.startsWith('commands/'))
    .map(([file, text]) => {
      const tree = parsed(file, text)
      return [file, tree, tree.statements.filter(ts.isClassDeclaration).flatMap(({members}) => [...members])]
    })
}

function linesOf(tree: ts.SourceFile, node: ts.Node): number {
  const line = (position: number) => tree.getLineAndCharacterOfPosition(position).line
  return line(node.getEnd()) - line(node.getStart(tree)) + 1
}
