// Small faults that a test should notice, after Stryker's operators, and three of our own (a number, a part of a condition,
// a member of a list, an object or a hash's input): each a place in a source and what stands there instead.
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

/** What becomes of a part or a member. */
const LEFT_OUT = 'left out'

/** Calls whose input is hashed or signed. */
const HASHES = /^(.*\.)?(create)?#?(hash|verify)\b/i

/**
 * A small fault.
 * @typedef {object} Mutant
 * @property {string} file
 * @property {number} line
 * @property {string} context the source's line
 * @property {string} operator
 * @property {string} from what changes, for people
 * @property {string} to
 * @property {'expression' | 'block' | 'method'} kind
 * @property {number} start of the text that is replaced
 * @property {number} end
 * @property {string} text what replaces it
 * @property {boolean} beginsStatement
 * @property {boolean} isStatic it works while its module is loaded, and not in a function
 */

/**
 * @param {string} file
 * @returns {Mutant[]}
 */
export function listMutants(file) {
  const text = readFileSync(file, 'utf8')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const lines = text.split('\n')
  const mutants = []
  const add = (operator, node, change) => {
    const start = node.getStart(source)
    const {line} = source.getLineAndCharacterOfPosition((change.shown ?? node).getStart(source))
    mutants.push({
      ...{file, line: line + 1, context: lines[line].trim(), operator, start, end: node.end},
      from: (change.shown ?? node).getText(source),
      to: change.to,
      text: change.text ?? change.to,
      kind: change.kind ?? 'expression',
      beginsStatement: isAtStatementStart(node, source),
      isStatic: !isInFunction(node),
    })
  }
  const visit = node => {
    if (isLeftOut(node)) return
    mutateNode(node, source, add)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return mutants
}

/** Types, and the names of modules. */
function isLeftOut(node) {
  return (
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) ||
    ts.isTypeNode(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
  )
}

function mutateNode(node, source, add) {
  if (ts.isBinaryExpression(node)) {
    mutateBinary(node, source, add)
    leaveOutParts(node, source, add)
  } else if (ts.isNumericLiteral(node) || ts.isBigIntLiteral(node)) changeNumber(node, add)
  else if (node.kind === ts.SyntaxKind.TrueKeyword) add('boolean', node, {to: 'false'})
  else if (node.kind === ts.SyntaxKind.FalseKeyword) add('boolean', node, {to: 'true'})
  else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    add('negation', node, {to: node.operand.getText(source)})
  else if (ts.isIfStatement(node) || ts.isWhileStatement(node)) mutateCondition(node.expression, add)
  else if (ts.isConditionalExpression(node)) mutateCondition(node.condition, add)
  else if (ts.isArrayLiteralExpression(node) && node.elements.length > 0 && !isAssignedTo(node)) {
    add('list', node, {to: '[]'})
    if (node.elements.length > 1) leaveOutMembers(node, node.elements, '[]', source, add)
  } else if (ts.isObjectLiteralExpression(node) && !isAssignedTo(node))
    leaveOutMembers(node, node.properties, '{}', source, add)
  else if (ts.isCallExpression(node)) leaveOutOfHash(node, source, add)
  else if (ts.isBlock(node) && node.statements.length > 0 && isBody(node.parent))
    add('block', node, {to: '{}', kind: 'block'})
  else if (ts.isPropertyAccessExpression(node) && METHODS.has(node.name.text))
    add('method', node.name, {to: METHODS.get(node.name.text), kind: 'method'})
  else if (ts.isStringLiteral(node) && node.parent.name !== node && node.text !== '')
    add('text', node, {to: "''"})
}

function mutateBinary(node, source, add) {
  const {left, operatorToken, right} = node
  for (const to of BINARY.get(operatorToken.getText(source)) ?? [])
    add('operator', node, {
      to,
      shown: operatorToken,
      text: `(${left.getText(source)}) ${to} (${right.getText(source)})`,
    })
}

/** 0 becomes 1, every other number twice as much: a limit, a time, a row of a table. */
function changeNumber(node, add) {
  if (node.parent.name === node) return
  if (ts.isBigIntLiteral(node)) {
    const number = BigInt(node.text.slice(0, -1))
    return add('number', node, {to: `${number === 0n ? 1n : 2n * number}n`})
  }
  add('number', node, {to: String(2 * Number(node.text) || 1)})
}

/** Each part of `a && b && c` once, whichever way the chain is nested. */
function leaveOutParts(node, source, add) {
  const {left, operatorToken, right} = node
  const kind = operatorToken.kind
  if (kind !== ts.SyntaxKind.AmpersandAmpersandToken && kind !== ts.SyntaxKind.BarBarToken) return
  const isChain = ts.isBinaryExpression(left) && left.operatorToken.kind === kind
  const leaveOut = (part, rest) => add('part', node, {to: LEFT_OUT, shown: part, text: rest.getText(source)})
  leaveOut(right, left)
  if (!isChain) leaveOut(left, right)
}

/** @param {'[]' | '{}'} brackets */
function leaveOutMembers(node, members, [open, close], source, add) {
  for (const member of members) {
    const others = members.filter(each => each !== member).map(each => each.getText(source))
    add('member', node, {to: LEFT_OUT, shown: member, text: `${open}${others.join(', ')}${close}`})
  }
}

/** One `.update()` of a hash, or one value of a template that is hashed. */
function leaveOutOfHash(node, source, add) {
  const callee = node.expression
  if (!HASHES.test(callee.getText(source))) return
  if (ts.isPropertyAccessExpression(callee) && callee.name.text === 'update')
    add('member', node, {to: LEFT_OUT, text: callee.expression.getText(source)})
  for (const template of node.arguments.filter(ts.isTemplateExpression))
    for (const {expression} of template.templateSpans) {
      const at = template.getStart(source)
      const text = template.getText(source)
      const from = expression.getStart(source) - at
      add('member', template, {
        ...{to: LEFT_OUT, shown: expression},
        text: `${text.slice(0, from)}''${text.slice(expression.end - at)}`,
      })
    }
}

function mutateCondition(condition, add) {
  add('condition', condition, {to: 'true'})
  add('condition', condition, {to: 'false'})
}

/** Without the one of the class above, a constructor does not compile. */
function isBody(parent) {
  if (ts.isConstructorDeclaration(parent) && parent.parent.heritageClauses) return false
  return ts.isFunctionLike(parent) || ts.isIfStatement(parent) || ts.isForOfStatement(parent)
}

/** `[one, other] = …` */
function isAssignedTo(node) {
  const {parent} = node
  return (
    ts.isBinaryExpression(parent) &&
    parent.left === node &&
    parent.operatorToken.kind === ts.SyntaxKind.EqualsToken
  )
}

/** A statement that begins with a parenthesis would go on with the line before. */
function isAtStatementStart(node, source) {
  const statement = ts.findAncestor(node, ts.isExpressionStatement)
  return (
    statement !== undefined &&
    statement.getStart(source) === node.getStart(source) &&
    (ts.isBlock(statement.parent) || ts.isSourceFile(statement.parent) || ts.isCaseClause(statement.parent))
  )
}

function isInFunction(node) {
  return (
    ts.findAncestor(
      node.parent,
      each =>
        ts.isFunctionLike(each) ||
        (ts.isPropertyDeclaration(each) &&
          !each.modifiers?.some(({kind}) => kind === ts.SyntaxKind.StaticKeyword)),
    ) !== undefined
  )
}
