import {posix} from 'node:path'
import {importsOf, type Sources} from './sources.js'

/** Own files that a file imports in any way, types and `import()` included. */
type Graph = ReadonlyMap<string, readonly string[]>

function graphOf(sources: Sources): Graph {
  return new Map(
    [...sources].map(([file, text]) => [
      file,
      [...new Set(importsOf(file, text).map(({to}) => to))].filter(to => sources.has(to)),
    ]),
  )
}

/** Files that reach each other, those that are imported before their importers. @see Tarjan 1972 */
function groupsOf(graph: Graph): string[][] {
  const groups: string[][] = []
  const open: string[] = []
  const lowest = new Map<string, number>()
  const closed = new Set<string>()
  const visit = (file: string): number => {
    const index = lowest.size
    lowest.set(file, index)
    open.push(file)
    let low = index
    for (const to of graph.get(file) ?? []) {
      if (!closed.has(to)) low = Math.min(low, lowest.get(to) ?? visit(to))
    }
    lowest.set(file, low)
    if (low === index) {
      const group = open.splice(open.indexOf(file))
      for (const each of group) closed.add(each)
      groups.push(group.sort())
    }
    return low
  }
  for (const file of graph.keys()) if (!lowest.has(file)) visit(file)
  return groups
}

/** Import cycles, each with its files. */
export function cycles(sources: Sources): string[][] {
  return groupsOf(graphOf(sources)).filter(group => group.length > 1)
}

/** The longest way along imports, a cycle counted as one file. */
export function longestChain(sources: Sources): string[] {
  return longestOf([...chainsOf(sources).values()])
}

/** The longest way along imports that begins with a file. */
export function chainBelow(sources: Sources, file: string): string[] {
  return chainsOf(sources).get(file) ?? []
}

/** The sources without what is behind the face of a package: that ends every way that comes to it. */
export function beforeFace(sources: Sources, face: string): Sources {
  const inside = [...sources.keys()].filter(file => file.startsWith(`${posix.dirname(face)}/`))
  const rest = new Map(sources)
  for (const file of inside) rest.delete(file)
  return rest.set(face, '')
}

function chainsOf(sources: Sources): Map<string, string[]> {
  const graph = graphOf(sources)
  const chains = new Map<string, string[]>()
  for (const group of groupsOf(graph)) {
    const below = group.flatMap(file => graph.get(file) ?? []).filter(to => !group.includes(to))
    const chain = [group.join(' ⇄ '), ...longestOf(below.map(to => chains.get(to) ?? []))]
    for (const file of group) chains.set(file, chain)
  }
  return chains
}

function longestOf(chains: readonly string[][]): string[] {
  return chains.reduce((a, b) => (b.length > a.length ? b : a), [])
}

/** Files that import more own files than are allowed. */
export function manyImports(sources: Sources, most: number): string[] {
  return [...graphOf(sources)]
    .filter(([, to]) => to.length > most)
    .map(([file, to]) => `${file} imports ${to.length} files; allowed: ${most}`)
}

/** Folders that hold more files than are allowed. */
export function fullFolders(sources: Sources, most: number): string[] {
  const counts = new Map<string, number>()
  for (const file of sources.keys())
    counts.set(posix.dirname(file), (counts.get(posix.dirname(file)) ?? 0) + 1)
  return [...counts]
    .filter(([, count]) => count > most)
    .map(([folder, count]) => `${folder} holds ${count} files; allowed: ${most}`)
}

/** Files with more lines than are allowed. */
export function longFiles(sources: Sources, most: number): string[] {
  return [...sources]
    .map(([file, text]) => [file, text.split('\n').length - 1] as const)
    .filter(([, lines]) => lines > most)
    .map(([file, lines]) => `${file} has ${lines} lines; allowed: ${most}`)
}

/** Lines of the file in the middle, by size. */
export function medianLines(sources: Sources): number {
  const lines = [...sources.values()]
    .map(text => text.split('\n').length - 1)
    .sort((one, other) => one - other)
  return lines[Math.floor(lines.length / 2)] ?? 0
}
