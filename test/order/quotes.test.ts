import {expect, test} from 'vitest'
import {findBadQuote} from '../../src/order/read/quotes.js'

test.each(['\n', '\r', '\r\n'])('a cell after the line end %j may begin with a quote', lineEnd => {
  const text = `a;b${lineEnd}"c";"d"x;e`
  expect(text.slice(findBadQuote(text, ';'))).toMatch(/^"x;e|^x;e|^"d"x;e/)
  expect(findBadQuote(text, ';')).toBeGreaterThan(text.indexOf('"c"') + 2)
})
