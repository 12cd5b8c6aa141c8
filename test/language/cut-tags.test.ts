import fc from 'fast-check'
import {expect, test} from 'vitest'
import {cutTags} from '../../src/language/cut-tags.js'

test('tags are cut as a pattern cuts them, from the first sign that opens one', () => {
  expect(cutTags('1 < 2 <b>and</b> 3 > 2, a <i', '·')).toBe('1 ·and· 3 > 2, a <i')
  const texts = fc.array(fc.constantFrom('<', '>', 'a', ' ', '$&'), {maxLength: 12})
  fc.assert(
    fc.property(texts, pieces => {
      const text = pieces.join('')
      expect(cutTags(text, '·')).toBe(text.replace(/<[^>]*>/g, '·'))
    }),
  )
})
