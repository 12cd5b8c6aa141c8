import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {fold, foldInside} from '../../src/shopware/fold-text.js'

describe('fold', () => {
  test.each([
    ['Müller', 'MULLER '],
    ['Łódź', 'łodz'],
    ['Œuvre', 'oeuvre'],
    ['Straße', 'STRASSE'],
    ['Ængstrøm', 'æNGSTRØM'],
    ['Ёлка', 'елка'],
    ['İstanbul', 'istanbul'],
    ['Ισημερινός', 'ΙΣΗΜΕΡΙΝΟΣ'],
    ['Nguyễn', 'nguyen'],
    ['ﬁne', 'fine'],
  ])('%s equals %s', (one, other) => {
    expect(fold(one)).toBe(fold(other))
  })

  test.each([
    ['佐藤', '佐籐'],
    ['ก็', 'ก'.concat('า')],
    ['a', 'b'],
    ['Łódź', 'lodz'],
    ['ø', 'o'],
    ['æ', 'ae'],
    ['йога', 'иога'],
    [' a', 'a'],
  ])('%s differs from %s', (one, other) => {
    expect(fold(one)).not.toBe(fold(other))
  })

  test('folding twice is folding once, and the beginning of a word folds to the beginning of its fold', () => {
    fc.assert(
      fc.property(fc.string({unit: 'grapheme'}), fc.string({unit: 'grapheme-ascii'}), (text, end) => {
        expect(fold(fold(text))).toBe(fold(text))
        expect(foldInside(`${text}${end}`)).toBe(foldInside(text) + foldInside(end))
      }),
      {seed: 7},
    )
  })
})
