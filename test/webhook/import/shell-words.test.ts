import fc from 'fast-check'
import {expect, test} from 'vitest'
import {ShellSplitter} from '../../../src/webhook/import/formats/shell/shell-words.js'

const PART = fc.string({unit: fc.constantFrom(...'\'"\\$\r\n #|<;ax4', "$'"), maxLength: 30})

test('a command in lines is what it is as one', () => {
  fc.assert(fc.property(fc.array(PART, {minLength: 1}), expectSame))
})

function expectSame(lines: readonly string[]): void {
  const whole = new ShellSplitter()
  const open = whole.add(lines.join('\n'))
  const parts = new ShellSplitter()
  const opens = lines.map((line, at) => parts.add(at === 0 ? line : `\n${line}`))
  expect([opens.at(-1), parts.tokens]).toEqual([open, whole.tokens])
}

test.each([
  ['a\\\r\nb', ['ab']],
  ['a \\\r\n  b', ['a', 'b']],
  ['a#b #c d\ne', ['a#b', 'e']],
  ['"\\`\\$\\a"', ['`$\\a']],
  ["$'\\501\\x41\\u00e4'", ['AA\u00c3\u00a4']],
])('%j has the words %j', (line, words) => {
  const splitter = new ShellSplitter()
  expect(splitter.add(line)).toBeUndefined()
  expect(splitter.tokens.map(({text}) => text)).toEqual(words)
})
