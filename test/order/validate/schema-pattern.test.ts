import {Ajv} from 'ajv'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {addLinearFormats} from '../../../src/order/validate/schema-formats.js'
import {createPattern} from '../../../src/order/validate/schema-pattern.js'
import {sized} from '../../support/sized.js'

/** What differs between engines: classes, line ends, blanks, code points, anchors, empty classes. */
const PIECES = [
  ...[String.raw`\s`, String.raw`\S`, String.raw`\d`, String.raw`\D`, String.raw`\w`, String.raw`\W`],
  ...[String.raw`[\s\d]`, String.raw`[^\s]`, String.raw`[^\S]`, String.raw`[\S]`, String.raw`[a-z\]\-]`],
  ...['.', '[^]', '[^a]', '[.]', '^', '$', 'a', 'ü', '😀', '(?:a|b)', '(a|a)*'],
  ...[String.raw`\b`, String.raw`\B`, String.raw`\u00fc`, String.raw`\u{1f600}`, String.raw`\x41`],
  ...[String.raw`\cJ`, String.raw`\/`, String.raw`\.`, String.raw`\t`, String.raw`\v`, String.raw`\0`],
  ...[String.raw`\p{L}`, String.raw`\P{Lu}`, '.{2,3}?', 'a+', 'b?', '|'],
]
const LETTERS = [
  ...['a', 'b', 'A', 'Z', '_', '1', '-', ']', '.', '/', 'ü', '😀', ' ', '\t', '\n', '\r', '\v', '\f', '\0'],
  ...['\u00a0', '\u1680', '\u2003', '\u2028', '\u2029', '\u202f', '\u3000', '\ufeff', '\u200b'],
]

test('a pattern says what it says in JavaScript', () => {
  const pieces = fc.array(fc.constantFrom(...PIECES), {minLength: 1, maxLength: 4})
  const texts = fc.array(fc.constantFrom(...LETTERS), {maxLength: 5}).map(each => each.join(''))
  fc.assert(
    fc.property(pieces, texts, (parts, text) => {
      const source = `(?<name>a)|${parts.join('')}`.slice(parts.length % 2 === 0 ? 11 : 0)
      expect(createPattern(source, 'u').test(text)).toBe(new RegExp(source, 'u').test(text))
    }),
    {numRuns: sized(2000, 100_000)},
  )
})

test.each(['(?=a)', '(?!a)', '(?<=a)', '(?<!a)', String.raw`(a)\1`, String.raw`(?<x>a)\k<x>`, '(', 'a{2,1}'])(
  'the pattern %s is refused before anything is read',
  source => {
    expect(() => createPattern(source, 'u')).toThrow(/./)
  },
)

test('a text that is no address is seen to be none, however it was made', () => {
  const validator = new Ajv({strict: false})
  addLinearFormats(validator)
  const isAddress = validator.compile({format: 'url'})
  expect(isAddress('http://a:b@example.com/x?y')).toBe(true)
  expect(isAddress('http://10.0.0.1/')).toBe(false)
  expect(isAddress(`http://${'a:@'.repeat(100_000)}`)).toBe(false)
})
