// Small faults that a test should notice, after Stryker's operators: each a place in a source and what stands there instead.
import {readFileSync} from 'node:fs'
import ts from 'typescript'

const BINARY = new Map([
  ['+', ['-']],
  ['-', ['+']],
  ['*', ['/']],
  ['/', ['*']],
  ['%', ['*']],
  ['<', ['<=', '>=']],
  ['<=', ['<', '>']],
  ['>', ['>=', '<=']],
  ['>=', ['>', '<']],
  ['===', ['!==']],
  ['!==', ['===']],
  ['&&', ['||']],
  ['||', ['&&']],
  ['??', ['&&']],
])

const METHODS = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['floor', 'ceil'],
  ['ceil', 'floor'],
])

/**
 * @param {string} file
 * @returns {{file: string, line: number, start: number, end: number, from: string, to: string, operator: string}[]}
 */
export function listMutants(file) {
  const text = readFileSync(file, 'utf8')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const mutants = []
  const add = (operator, node, to) => {
    const start = node.getStart(source)
    const {line} = source.getLineAndCharacterOfPosition(start)
    mutants.push({
      file,
      line: line + 1,
      start,
      end: node.end,
      from: text.slice(start, node.end),
      to,
      operator,
    })
  }
  const visit = node => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || ts.isInterfaceDeclaration(node)) return
    mutateNode(node, source, add)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return mutants
}

function mutateNode(node, source, add) {
  if (ts.isBinaryExpression(node)) {
    for (const to of BINARY.get(node.operatorToken.getText(source)) ?? [])
      add('operator', node.operatorToken, to)
  } else if (node.kind === ts.SyntaxKind.TrueKeyword) add('boolean', node, 'false')
  else if (node.kind === ts.SyntaxKind.FalseKeyword) add('boolean', node, 'true')
  else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    add('negation', node, node.operand.getText(source))
  else if (ts.isIfStatement(node) || ts.isWhileStatement(node)) mutateCondition(node.expression, add)
  else if (ts.isConditionalExpression(node)) mutateCondition(node.condition, add)
  else if (ts.isArrayLiteralExpression(node) && node.elements.length > 0) add('list', node, '[]')
  else if (ts.isBlock(node) && node.statements.length > 0 && isBody(node.parent)) add('block', node, '{}')
  else if (ts.isPropertyAccessExpression(node) && METHODS.has(node.name.text))
    add('method', node.name, METHODS.get(node.name.text))
  else if (ts.isStringLiteral(node) && !ts.isPropertyName(node.parent) && node.text !== '')
    add('text', node, "''")
}

function mutateCondition(condition, add) {
  add('condition', condition, 'true')
  add('condition', condition, 'false')
}

function isBody(parent) {
  return ts.isFunctionLike(parent) || ts.isIfStatement(parent) || ts.isForOfStatement(parent)
}
