import fc from 'fast-check'

const SURROGATES = {first: 0xd800, count: 0x800}
const LAST = 0x10ffff

/** Any character of Unicode as it may stand in a text: one or two units, and no half of a pair. */
const anyCharacter = fc
  .integer({min: 0, max: LAST - SURROGATES.count})
  .map(code => String.fromCodePoint(code < SURROGATES.first ? code : code + SURROGATES.count))

/** Texts of any characters; fast-check's own of that kind first lists all of Unicode, which takes over a second. */
export function anyText(limits: {minLength?: number; maxLength?: number} = {}): fc.Arbitrary<string> {
  return fc.string({...limits, unit: anyCharacter})
}
