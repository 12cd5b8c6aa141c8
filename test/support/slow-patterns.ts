import {analyse} from 'scslre'
import ts from 'typescript'
import {parsed, type Sources} from './sources.js'

/** Patterns that may look at the same text from each of many places, so that their time is not linear. */
export function slowPatterns(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) =>
    listPatterns(file, text)
      .filter(({written}) => isSlow(written))
      .map(({written, line}) => `${file}:${line} ${written}`),
  )
}

function listPatterns(file: string, text: string): {readonly written: string; readonly line: number}[] {
  const tree = parsed(file, text)
  const found: {written: string; line: number}[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      found.push({written: node.text, line: tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1})
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

function isSlow(written: string): boolean {
  const end = written.lastIndexOf('/')
  return analyse({source: written.slice(1, end), flags: written.slice(end + 1)}).reports.length > 0
}
