import {createRequire} from 'node:module'
import {expect, test} from 'vitest'

const {asciiOnly} = createRequire(import.meta.url)('../../../bin/build/ascii.js')

function written(code: string): string {
  const chunk = {type: 'chunk', fileName: 'part.cjs', code}
  asciiOnly().generateBundle({}, {'part.cjs': chunk})
  return chunk.code
}

test.each(['"zł"', '`…│`', '"😀".length', '/[😀◌]/u.exec("a😀")[0]', '({zł: 1}).zł', '"a" // …'])(
  '%s means the same in ASCII',
  code => {
    const ascii = written(code)
    expect(ascii).toMatch(/^[\0-\x7f]*$/)
    // biome-ignore lint/security/noGlobalEval: the code is the test's own
    expect(globalThis.eval(ascii)).toEqual(globalThis.eval(code))
  },
)

test.each(['"\\…"', 'String.raw`…`'])('%s is refused, as its escape would mean something else', code => {
  expect(() => written(code)).toThrow('part.cjs has a character that no escape can say')
})
