import {readdirSync, readFileSync} from 'node:fs'
import {join, posix} from 'node:path'
import ts from 'typescript'

/** TypeScript sources by their path below `src`. */
export type Sources = ReadonlyMap<string, string>

export interface Import {
  /** A path below `src` with its extension, or the name of a package. */
  readonly to: string
  readonly kind: 'static' | 'dynamic' | 'type'
  /** Of the statement, from 1. */
  readonly line: number
}

/** The sources as they are on disk, of which `kind` fits the name. */
export function sourcesBelow(folder: string, kind = /\.ts$/): Sources {
  const files = readdirSync(folder, {recursive: true, encoding: 'utf8'})
  return new Map(
    files
      .filter(file => kind.test(file) && !file.endsWith('.d.ts'))
      .sort()
      .map(file => [file.replaceAll('\\', '/'), readFileSync(join(folder, file), 'utf8')]),
  )
}

/** The folder of a file below `src`, or the file's own name: `auth/token`, `errors`. All commands are one folder. */
export function partOf(file: string): string {
  if (file.startsWith('commands/')) return 'commands'
  return file.includes('/') ? posix.dirname(file) : file.replace(/\.ts$/, '')
}

const trees = new Map<string, {readonly text: string; readonly tree: ts.SourceFile}>()

const PARSING = {
  languageVersion: ts.ScriptTarget.Latest,
  // No rule is about docstrings.
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
}

/** The syntax tree of a file, parsed once for all rules. */
export function parsed(file: string, text: string): ts.SourceFile {
  const known = trees.get(file)
  if (known?.text === text) return known.tree
  const tree = ts.createSourceFile(file, text, PARSING, true)
  trees.set(file, {text, tree})
  return tree
}

const imports = new WeakMap<ts.SourceFile, Import[]>()

/** Every import and re-export of a file, type imports and `import()` told apart. */
export function importsOf(file: string, text: string): Import[] {
  const tree = parsed(file, text)
  const known = imports.get(tree)
  if (known) return known
  const found = collectImports(file, tree)
  imports.set(tree, found)
  return found
}

function collectImports(file: string, tree: ts.SourceFile): Import[] {
  const found: Import[] = []
  const add = (specifier: ts.Node | undefined, kind: Import['kind']) => {
    if (!specifier || !ts.isStringLiteral(specifier)) return
    const line = tree.getLineAndCharacterOfPosition(specifier.getStart(tree)).line + 1
    found.push({to: resolved(file, specifier.text), kind, line})
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      add(node.moduleSpecifier, isTypeOnly(node.importClause) ? 'type' : 'static')
    } else if (ts.isExportDeclaration(node)) {
      add(node.moduleSpecifier, node.isTypeOnly ? 'type' : 'static')
    } else if (ts.isImportTypeNode(node)) {
      add(ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined, 'type')
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], 'dynamic')
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

/** `import type {…}`, or braces in which every name is a type: the compiler drops both. */
function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false
  if (clause.isTypeOnly) return true
  const names = clause.namedBindings
  if (clause.name || !names || !ts.isNamedImports(names)) return false
  return names.elements.length > 0 && names.elements.every(element => element.isTypeOnly)
}

function resolved(file: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier
  return posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts')
}
