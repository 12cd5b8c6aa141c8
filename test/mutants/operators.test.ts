import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, expect, test} from 'vitest'
import {listMutants} from './operators.js'
import {applyMutant} from './switches.js'

const folder = mkdtempSync(join(tmpdir(), 'storectl-operators-'))

afterAll(() => rmSync(folder, {recursive: true}))

/** What a source becomes by each mutant of an operator. */
function listChanged(operator: string, source: string): string[] {
  const file = join(folder, 'source.ts')
  writeFileSync(file, source)
  return listMutants(file)
    .filter(mutant => mutant.operator === operator)
    .map(applyMutant)
}

test.each([
  ['wait(30_000)', ['wait((60000))']],
  ['wait(0)', ['wait((1))']],
  ['wait(-1)', ['wait(-(2))']],
  ['wait(0.5)', ['wait((1))']],
  ['wait(7n, 0n)', ['wait((14n), 0n)', 'wait(7n, (1n))']],
  ['wait({404: 1})', ['wait({404: (2)})']],
  ['type Status = 200', []],
])('a number is changed: %s', (source, changed) => {
  expect(listChanged('number', source)).toEqual(changed)
})

test.each([
  ['f(a && b)', ['f((a))', 'f((b))']],
  ['f(a || b || c)', ['f((a || b))', 'f((b) || c)', 'f((a) || c)']],
  ['f(a && (b || c))', ['f((a))', 'f(((b || c)))', 'f(a && ((b)))', 'f(a && ((c)))']],
  ['f(a ?? b, a + b)', []],
])('each part of a condition is left out once: %s', (source, changed) => {
  expect(listChanged('part', source).sort()).toEqual(changed.sort())
})

test.each([
  ['f([a, ...b, 3])', ['f(([...b, 3]))', 'f(([a, 3]))', 'f(([a, ...b]))']],
  ['f([a])', []],
  ['f({a, b: 1})', ['f(({b: 1}))', 'f(({a}))']],
  ['f({a})', ['f(({}))']],
  ['x = [a, b]', ['x = ([b])', 'x = ([a])']],
  ['[a, b] = x; ({a, b} = x); const {c, d} = x', []],
  [
    "createHash('sha256').update(a).update(b)",
    [";(createHash('sha256')).update(b)", ";(createHash('sha256').update(a))"],
  ],
  ['this.#hash.update(a)', [';(this.#hash)']],
  ['file.update(a)', []],
  [`x = hash(\`\${a}-\${b}\`)`, [`x = hash((\`\${''}-\${b}\`))`, `x = hash((\`\${a}-\${''}\`))`]],
  [`print(\`\${a}-\${b}\`)`, []],
])('each member of a list, an object or a hash is left out once: %s', (source, changed) => {
  expect(listChanged('member', source).sort()).toEqual(changed.sort())
})
