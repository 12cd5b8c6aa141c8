import ts from 'typescript'
import {parsed, type Sources} from './sources.js'
import {VERBS} from './verbs.js'

/** Words of a private language, singular: docs/glossary.md has the field's word for each. */
const PRIVATE_WORDS = new Set(
  (
    'deed outlet wish teller telling told paper participant mend lane pace chained settle grade conclusion ' +
    'remark upkeep narrowing stretch spot place world door sound flawed breakage strike struck unproven'
  ).split(' '),
)

const PRIVATE_NAMES = new Set(['Company', 'endSilent', 'isSilent', 'silentMs', 'recent.ts'])

/** The words of a name in any case: `parseCSVRow`, `parse-csv-row` and `PARSE_CSV_ROW` have the same three. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z]+/)
    .filter(Boolean)
    .map(word => word.toLowerCase())
}

function isPrivate(name: string): boolean {
  if (PRIVATE_NAMES.has(name)) return true
  return wordsOf(name).some(word => PRIVATE_WORDS.has(word) || PRIVATE_WORDS.has(word.replace(/s$/, '')))
}

/** Declared names and file names with a private word, each with its line: `run/x.ts:3 lane`. */
export function privateNames(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) => {
    const base = file.split('/').find(isPrivate)
    const tree = parsed(file, text)
    const found = declaredNames(tree).filter(({name}) => isPrivate(name))
    return [...(base ? [`${file}:0 ${base}`] : []), ...found.map(({name, line}) => `${file}:${line} ${name}`)]
  })
}

/** Values of another language: the log levels of pino, which has a `silent`. */
const LOG_LEVELS = new Set([
  'platform/terminal/logger.ts',
  'shop/http/request-log.ts',
  'flags/start-flags.ts',
])

/** String literals that were values of results or run states once, each with its line: `runs/x.ts:3 noop`. */
export function formerValues(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) => {
    const tree = parsed(file, text)
    const found: string[] = []
    const visit = (node: ts.Node): void => {
      if (ts.isStringLiteralLike(node) && (node.text === 'noop' || node.text === 'silent')) {
        const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1
        if (!LOG_LEVELS.has(file)) found.push(`${file}:${line} ${node.text}`)
      }
      ts.forEachChild(node, visit)
    }
    visit(tree)
    return found
  })
}

/** Names that a file declares: variables, parameters, members, types. A quoted name belongs to the wire. */
function declaredNames(tree: ts.SourceFile): {name: string; line: number}[] {
  const found: {name: string; line: number}[] = []
  const visit = (node: ts.Node): void => {
    const name = (node as ts.NamedDeclaration).name
    const isDeclared = ts.isBindingElement(node) || !ts.isPropertyAccessExpression(node)
    if (name && isDeclared && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name))) {
      found.push({
        name: name.text.replace(/^#/, ''),
        line: tree.getLineAndCharacterOfPosition(name.getStart(tree)).line + 1,
      })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

/**
 * A function with a name of its own: declared, a method, or a function that a constant or a property holds. A letter
 * and a constant in capitals are keys of a table.
 */
interface NamedFunction {
  readonly name: string
  readonly where: string
}

function namedFunctions(file: string, tree: ts.SourceFile): NamedFunction[] {
  const found: NamedFunction[] = []
  const visit = (node: ts.Node): void => {
    const name = functionName(node)
    if (name) {
      const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1
      found.push({name, where: `${file}:${line}`})
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

function functionName(node: ts.Node): string | undefined {
  const {name} = node as ts.NamedDeclaration
  if (!name || !(ts.isIdentifier(name) || ts.isPrivateIdentifier(name))) return undefined
  const isFunction =
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isMethodSignature(node) ||
    ((ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node) || ts.isPropertyDeclaration(node)) &&
      node.initializer !== undefined &&
      (ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer)))
  const isOrdinary = name.text.length > 1 && !/^[A-Z][A-Z0-9_]*$/.test(name.text)
  return isFunction && isOrdinary ? name.text.replace(/^#/, '') : undefined
}

/** Functions whose name does not begin with a verb, and how many functions there are. */
export function functionsWithoutVerb(sources: Sources): {count: number; without: string[]} {
  const all = [...sources].flatMap(([file, text]) => namedFunctions(file, parsed(file, text)))
  const without = all.filter(({name}) => !VERBS.has(wordsOf(name)[0] ?? ''))
  return {count: all.length, without: without.map(({name, where}) => `${where} ${name}`)}
}

/** Names that two or more files export, each with the files; a re-export is the same name. */
export function repeatedExports(sources: Sources): string[] {
  const files = new Map<string, string[]>()
  for (const [file, text] of sources) {
    for (const name of exportedNames(parsed(file, text))) files.set(name, [...(files.get(name) ?? []), file])
  }
  return [...files]
    .filter(([, where]) => where.length > 1)
    .map(([name, where]) => `${name}: ${where.join(', ')}`)
}

function exportedNames(tree: ts.SourceFile): string[] {
  const names = tree.statements.flatMap(node => {
    if (!ts.canHaveModifiers(node)) return []
    const kinds = ts.getModifiers(node)?.map(({kind}) => kind) ?? []
    if (!kinds.includes(ts.SyntaxKind.ExportKeyword) || kinds.includes(ts.SyntaxKind.DefaultKeyword))
      return []
    if (ts.isVariableStatement(node))
      return node.declarationList.declarations.map(({name}) => name.getText(tree))
    const {name} = node as ts.DeclarationStatement
    return name ? [name.text] : []
  })
  return [...new Set(names)]
}
