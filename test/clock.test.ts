import ts from 'typescript'
import {expect, test} from 'vitest'
import {parsed, type Sources, sourcesBelow} from './support/sources.js'

/** What measures speed, runs the demo or fuzzes for minutes is about time; `support/` has the clocks. */
const OTHERS = /^(bench|demo|support)\/|\.long\.test\.ts$/

const READINGS = new Set(['Date.now', 'performance.now', 'process.hrtime', 'process.hrtime.bigint'])

/** Without any of it a file need not be parsed. */
const HINT = /Date\.now|new Date\(\)|performance\.now|hrtime/

/** Where the machine's clock is read: `run/x.test.ts:3 Date.now`. */
function clockReadings(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) => {
    if (OTHERS.test(file) || !HINT.test(text)) return []
    const tree = parsed(file, text)
    const found: string[] = []
    const visit = (node: ts.Node): void => {
      const reading = readingOf(node)
      const {line} = tree.getLineAndCharacterOfPosition(node.getStart(tree))
      if (reading) found.push(`${file}:${line + 1} ${reading}`)
      ts.forEachChild(node, visit)
    }
    visit(tree)
    return found
  })
}

function readingOf(node: ts.Node): string | undefined {
  if (ts.isNewExpression(node))
    return node.expression.getText() === 'Date' && !node.arguments?.length ? 'new Date()' : undefined
  if (!ts.isCallExpression(node)) return undefined
  const name = node.expression.getText()
  return READINGS.has(name) ? name : undefined
}

test('no test reads the machine’s clock: it is given one, or asks test/support/clock.ts', () => {
  const tests = sourcesBelow(import.meta.dirname)
  expect(tests.size).toBeGreaterThan(200)
  expect(clockReadings(tests)).toEqual([])
})

test.each([
  ['const begun = performance.now()', 'a/x.test.ts:1 performance.now'],
  ['\nconst at = Date.now()', 'a/x.test.ts:2 Date.now'],
  ['const at = new Date()', 'a/x.test.ts:1 new Date()'],
  ['process.hrtime.bigint()', 'a/x.test.ts:1 process.hrtime.bigint'],
])('a planted reading is found: %s', (code, finding) => {
  expect(clockReadings(new Map([['a/x.test.ts', code]]))).toEqual([finding])
})

test('a moment that is given, and a text, are no readings', () => {
  const code = "const at = new Date('2026-11-21T12:00:00Z'); const text = 'Date.now()'"
  expect(clockReadings(new Map([['a/x.test.ts', code]]))).toEqual([])
})
