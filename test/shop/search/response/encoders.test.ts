import fc from 'fast-check'
import {expect, test} from 'vitest'
import {getTextEncoder} from '../../../../src/shop/search/response/encoders.js'
import {escapeJsonApi, escapePlain} from '../../../../src/shopware/json-escape.js'

test.each([
  ['plain', escapePlain],
  ['json-api', escapeJsonApi],
] as const)('escapes any text in %s as JSON that was written whole is escaped', (form, escapeWhole) => {
  const units = fc.array(fc.integer({min: 0, max: 0xffff})).map(codes => String.fromCharCode(...codes))
  const ascii = fc.string({unit: 'binary-ascii'})
  fc.assert(
    fc.property(fc.oneof(units, ascii, fc.string({unit: 'binary'})), text => {
      const json = getTextEncoder(form)(text)
      expect(json).toBe(escapeWhole(JSON.stringify(text)))
      expect(json).toMatch(/^[\x20-\x7f]*$/)
      expect(JSON.parse(json)).toBe(text)
    }),
  )
})

test.each([
  [
    'Łukasz O’Neill & "Co" <a/b>\\',
    'plain',
    String.raw`"\u0141ukasz O\u2019Neill \u0026 \u0022Co\u0022 \u003Ca\/b\u003E\\"`,
  ],
  ['Łukasz & "Co" <a/b>\\', 'json-api', String.raw`"\u0141ukasz & \"Co\" <a\/b>\\"`],
] as const)('writes %s in %s', (text, form, json) => {
  expect(getTextEncoder(form)(text)).toBe(json)
})
