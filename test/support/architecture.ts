import {posix} from 'node:path'
import ts from 'typescript'
import {type Import, importsOf, parsed, partOf, type Sources} from './sources.js'

/** A row of the table: a folder, its files that other folders may import, and the folders that it may import itself. */
export interface Folder {
  readonly publicFiles: ReadonlySet<string>
  /** Folders that may be imported in any way. */
  readonly value: ReadonlySet<string>
  /** Folders of which only types may be imported. */
  readonly type: ReadonlySet<string>
}

/** The rows of the table, by the folder's path below `src`. */
export type Allowed = ReadonlyMap<string, Folder>

/** Reads the table under "The table" of docs/architecture.md. */
export function allowedBy(document: string): Allowed {
  const [, after = ''] = document.split('## The table')
  const table = after.split('\n## ')[0] ?? ''
  const rows = [...table.matchAll(/^\| `([a-z/-]+)` \|[^|]*\|([^|]*)\|([^|]*)\|$/gm)]
  const folders = rows.map(([, name = '']) => name)
  return new Map(
    rows.map(([, name = '', publicFiles = '', mayImport = '']) => [
      name,
      {publicFiles: new Set(names(publicFiles)), ...allowances(mayImport, folders)},
    ]),
  )
}

function names(cell: string): string[] {
  return [...cell.matchAll(/`([a-z/-]+)`/g)].map(([, name = '']) => name)
}

function allowances(cell: string, folders: readonly string[]): Pick<Folder, 'value' | 'type'> {
  const excepted = cell.trim().startsWith('everything but') ? new Set(names(cell)) : undefined
  if (excepted) return {value: new Set(folders.filter(name => !excepted.has(name))), type: new Set()}
  const entries = cell.split(',')
  const isType = (entry: string) => entry.includes('types of')
  return {
    value: new Set(entries.filter(entry => !isType(entry)).flatMap(names)),
    type: new Set(entries.filter(isType).flatMap(names)),
  }
}

/** Imports that the table does not have, each with its line and what is allowed instead. */
export function strayImports(sources: Sources, allowed: Allowed): string[] {
  return [...sources].flatMap(([file, text]) => {
    const folder = partOf(file)
    const row = allowed.get(folder)
    if (!row) return [`${file}: \`${folder}\` is not in the table`]
    return importsOf(file, text)
      .filter(({to}) => to.endsWith('.ts') && partOf(to) !== folder)
      .flatMap(found => strayImport(`${file}:${found.line}`, found, row, allowed))
  })
}

function strayImport(where: string, {to, kind}: Import, row: Folder, allowed: Allowed): string[] {
  const folder = partOf(to)
  const what = `${where} imports ${kind === 'type' ? 'types of ' : ''}${to}`
  if (!row.value.has(folder) && !(kind === 'type' && row.type.has(folder))) {
    return [
      `${what}; allowed: ${[...row.value, ...[...row.type].map(name => `types of ${name}`)].join(', ') || 'nothing'}`,
    ]
  }
  const {publicFiles = new Set<string>()} = allowed.get(folder) ?? {}
  const name = posix.basename(to, '.ts')
  // A package with an opener is opened through it; what lies in one of its own subfolders may use all of it.
  const isInside = where.startsWith(`${folder}/`)
  if (publicFiles.has('index') && !isInside && name !== 'index')
    return [`${what}; public in ${folder}: index`]
  return publicFiles.has(name) ? [] : [`${what}; public in ${folder}: ${[...publicFiles].join(', ')}`]
}

/** The one file of the bundled shop that others may import. */
export const SHOP_FACE = 'shop/index.ts'

/** Who may import the face, and the folders that the shop may import itself: none that knows of commands or records. */
const SHOP_USERS = /^(app|server)\//
const BELOW_SHOP = /^(shop|errors|http|language|platform|providers|shopware|storage|wire)[/.]/

/** Imports that make the bundled shop less than a package of its own, each with what is allowed instead. */
export function shopImports(sources: Sources, most: {importers: number}): string[] {
  const users = new Set<string>()
  const found = [...sources].flatMap(([file, text]) =>
    importsOf(file, text)
      .filter(({to}) => to.endsWith('.ts'))
      .flatMap(({line, to}) => {
        const what = `${file}:${line} imports ${to}`
        if (file.startsWith('shop/'))
          return BELOW_SHOP.test(to) ? [] : [`${what}; the shop knows nothing of it`]
        if (!to.startsWith('shop/')) return []
        if (to !== SHOP_FACE) return [`${what}; allowed: ${SHOP_FACE}`]
        users.add(file)
        return SHOP_USERS.test(file) ? [] : [`${what}; allowed: src/app, src/server`]
      }),
  )
  if (users.size > most.importers)
    found.push(`${SHOP_FACE} has ${users.size} importers; allowed: ${most.importers}`)
  return found
}

const HEAVY =
  /^(undici|conf|inquirer|@inquirer\/.*|kysely|@photostructure\/sqlite|node:sqlite|jose|csv-parse|csv-stringify|yaml|pino|pg|prom-client|cli-progress|cli-table3|string-width|@sinclair\/typebox|@modelcontextprotocol\/.*)(\/|$)/

/** Heavy packages that a command's static imports reach, with the way there. */
export function eagerLoads(sources: Sources): string[] {
  return [...sources.keys()]
    .filter(file => file.startsWith('commands/'))
    .flatMap(file => heavyBelow(file, sources, [file], new Set([file])))
}

function heavyBelow(file: string, sources: Sources, way: readonly string[], seen: Set<string>): string[] {
  const found: string[] = []
  for (const {to, kind} of importsOf(file, sources.get(file) ?? '')) {
    if (kind !== 'static' || seen.has(to)) continue
    seen.add(to)
    if (HEAVY.test(to)) found.push([...way, to].join(' → '))
    else if (sources.has(to)) found.push(...heavyBelow(to, sources, [...way, to], seen))
  }
  return found
}

const BANNED_NAMES = new Set(['utils', 'util', 'helpers', 'helper', 'common', 'services', 'service', 'core'])

/** Files whose name says nothing, or is not in kebab-case. */
export function badNames(sources: Sources): string[] {
  return [...sources.keys()].filter(file =>
    file.split('/').some(name => {
      const stem = name.replace(/\.ts$/, '')
      return BANNED_NAMES.has(stem) || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(stem)
    }),
  )
}

/** Where a provider may be named: its definition, what is known of a shop with its plugin, the shop that plays it, and the default setting. */
const OF_PROVIDERS = /^(providers|shop|shopware|config)\//

/** Lines that name a payment provider where any provider is meant. */
export function providerNames(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) =>
    OF_PROVIDERS.test(file)
      ? []
      : [file, ...text.split('\n')].flatMap((line, index) =>
          /paypal|mollie/i.test(line) ? [`${file}:${index} names a provider; allowed: src/providers`] : [],
        ),
  )
}

const MACHINE = /^(platform\/|storage\/sqlite\/|app\/host\.ts$|cli\/base-command\.ts$)/

/** Uses of the machine outside the files that are there for it. */
export function machineUses(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) => (MACHINE.test(file) ? [] : machineUsesIn(file, text)))
}

function machineUsesIn(file: string, text: string): string[] {
  const uses: string[] = []
  for (const {to, kind} of importsOf(file, text)) {
    if (kind !== 'type' && /^node:(fs(\/promises)?|process)$/.test(to)) uses.push(`${file}: ${to}`)
  }
  const visit = (node: ts.Node): void => {
    const use = machineUse(node)
    if (use) uses.push(`${file}: ${use}`)
    ts.forEachChild(node, visit)
  }
  visit(parsed(file, text))
  return uses
}

function machineUse(node: ts.Node): string | undefined {
  if (ts.isNewExpression(node) && node.expression.getText() === 'Date' && !node.arguments?.length)
    return 'new Date()'
  if (ts.isPropertyAccessExpression(node) && node.getText() === 'Date.now') return 'Date.now'
  const isName = ts.isIdentifier(node) && ['process', 'console', 'fetch'].includes(node.text)
  return isName && isGlobal(node) ? node.text : undefined
}

/** Whether a name stands for the global of that name, and not for a property, a member or a type of the same name. */
function isGlobal(node: ts.Identifier): boolean {
  const {parent} = node
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) return false
  if (ts.isQualifiedName(parent) || ts.isTypeReferenceNode(parent)) return false
  return !('name' in parent && parent.name === node)
}

/** `await` outside every function, and `import.meta`. */
export function notForCommonJs(sources: Sources): string[] {
  const found: string[] = []
  for (const [file, text] of sources) {
    const visit = (node: ts.Node): void => {
      if (ts.isMetaProperty(node)) found.push(`${file}: import.meta`)
      const waits = ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier)
      if (waits && !ts.findAncestor(node, ts.isFunctionLike)) found.push(`${file}: await at the top`)
      ts.forEachChild(node, visit)
    }
    visit(parsed(file, text))
  }
  return found
}

/**
 * `import.meta.url` but for `createRequire`: the path of an address is another one than the file's where a folder has a
 * blank or an umlaut; `import.meta.dirname` has it as it is.
 */
export function addressesOfFiles(sources: Sources): string[] {
  const found: string[] = []
  for (const [file, text] of sources) {
    if (!text.includes('import.meta.url')) continue
    const tree = parsed(file, text)
    const visit = (node: ts.Node): void => {
      const isAddress = ts.isPropertyAccessExpression(node) && node.getText(tree) === 'import.meta.url'
      const {line} = tree.getLineAndCharacterOfPosition(node.getStart(tree))
      if (isAddress && !isGiven(node, 'createRequire')) found.push(`${file}:${line + 1} import.meta.url`)
      ts.forEachChild(node, visit)
    }
    visit(tree)
  }
  return found
}

/** Whether an expression is what a function is called with. */
function isGiven(node: ts.Node, callee: string): boolean {
  return ts.isCallExpression(node.parent) && node.parent.expression.getText() === callee
}

/** What opens something and builds no feature: a factory may import it. */
const OPENERS = /^app\/(adapters\/|signatures\/|seen\/|alerts\/|host\.ts$)/

/** Files of `app` that import a factory: all of it but what opens. Types count too. */
export function joinedFactories(sources: Sources): string[] {
  return [...sources]
    .filter(([file]) => file.startsWith('app/'))
    .flatMap(([file, text]) =>
      importsOf(file, text)
        .filter(({to}) => to.startsWith('app/') && !OPENERS.test(to))
        .map(({to, line}) => `${file}:${line} imports the factory ${to}`),
    )
}

/** Command files that export anything but one class by default. */
export function oddCommands(sources: Sources): string[] {
  return [...sources]
    .filter(([file]) => file.startsWith('commands/'))
    .filter(([file, text]) => {
      const exported = parsed(file, text).statements.filter(
        node =>
          ts.isExportDeclaration(node) ||
          ts.isExportAssignment(node) ||
          (ts.canHaveModifiers(node) &&
            ts.getModifiers(node)?.some(({kind}) => kind === ts.SyntaxKind.ExportKeyword)),
      )
      const [only] = exported
      const isDefaultClass =
        only !== undefined &&
        ts.isClassDeclaration(only) &&
        only.modifiers?.some(({kind}) => kind === ts.SyntaxKind.DefaultKeyword)
      return exported.length !== 1 || !isDefaultClass
    })
    .map(([file]) => file)
}

/** Lines of a command file without flags and examples, and lines inside of its `run()`, beyond what is allowed. */
export function longCommands(sources: Sources, most: {file: number; run: number}): string[] {
  return [...sources]
    .filter(([file]) => file.startsWith('commands/'))
    .flatMap(([file, text]) => longPartsOf(file, text, most))
}

function longPartsOf(file: string, text: string, most: {file: number; run: number}): string[] {
  const tree = parsed(file, text)
  const members = tree.statements.filter(ts.isClassDeclaration).flatMap(({members}) => [...members])
  const line = (position: number) => tree.getLineAndCharacterOfPosition(position).line + 1
  const linesOf = (member: ts.ClassElement) => line(member.end) - line(member.getStart(tree)) + 1
  const named = (name: string) => members.filter(member => member.name?.getText(tree) === name)
  const left = [...named('flags'), ...named('examples')].reduce((sum, member) => sum + linesOf(member), 0)
  const lines = text.trimEnd().split('\n').length - left
  const [run] = named('run')
  const runLines = run ? linesOf(run) - 2 : 0
  return [
    ...(lines > most.file
      ? [`${file} has ${lines} lines without flags and examples; allowed: ${most.file}`]
      : []),
    ...(run && runLines > most.run
      ? [`${file}:${line(run.getStart(tree))} run() has ${runLines} lines; allowed: ${most.run}`]
      : []),
  ]
}

/** Functions, methods and arrows with more lines than allowed. */
export function longFunctions(sources: Sources, most: number): string[] {
  return [...sources].flatMap(([file, text]) => {
    const tree = parsed(file, text)
    const lineOf = (position: number) => tree.getLineAndCharacterOfPosition(position).line + 1
    const found: string[] = []
    const visit = (node: ts.Node): void => {
      if (ts.isFunctionLike(node) && 'body' in node && node.body) {
        const first = lineOf(node.getStart(tree))
        const lines = lineOf(node.end) - first + 1
        if (lines > most) found.push(`${file}:${first} has a function of ${lines} lines; allowed: ${most}`)
      }
      ts.forEachChild(node, visit)
    }
    visit(tree)
    return found
  })
}
