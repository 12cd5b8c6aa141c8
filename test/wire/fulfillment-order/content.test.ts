import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {hashContent, writeCanonicalJson} from '../../../src/wire/fulfillment-order/content-hash.js'

const order = {
  reference: 'SO-1',
  lines: [
    {sku: 'A', quantity: 1},
    {sku: 'B', quantity: 2},
  ],
  shipTo: {name: 'Ada', street: 's', city: 'c', country: 'HK'},
}

describe('canonical JSON', () => {
  test("writes RFC 8785's own example (3.2.2, 3.2.3)", () => {
    const input = `{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
      "literals": [null, true, false]
    }`
    expect(writeCanonicalJson(JSON.parse(input))).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    )
  })

  test('writes what is empty, and sorts names however many there are', () => {
    expect(writeCanonicalJson({b: [], a: {}, c: undefined, d: ''})).toBe('{"a":{},"b":[],"d":""}')
    for (const count of [2, 32, 33, 100]) {
      const names = Array.from({length: count}, (_, at) => `n${(at * 37) % 101}`)
      const written = writeCanonicalJson(Object.fromEntries(names.map(name => [name, name])))
      expect(Object.keys(JSON.parse(written))).toEqual(names.toSorted())
    }
  })

  test('sorts names by UTF-16 units', () => {
    const names = ['\u20ac', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', '\u00f6']
    const written = writeCanonicalJson(Object.fromEntries(names.map(name => [name, 0])))
    expect(Object.keys(JSON.parse(written.replaceAll('"1"', '"one"')))).toEqual([
      '\r',
      'one',
      '\u0080',
      '\u00f6',
      '\u20ac',
      '\u{1f600}',
      '\ufb33',
    ])
  })

  test('says the same whatever order the members come in', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), value => {
        const turned = Object.fromEntries(Object.entries(value).reverse())
        expect(writeCanonicalJson(turned)).toBe(writeCanonicalJson(value))
        expect(JSON.parse(writeCanonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
      {seed: 3},
    )
  })
})

describe('the content hash', () => {
  test('is the same with defaults left out or said, in any order of members', () => {
    const said = {
      fillPolicy: 'all-or-nothing' as const,
      hold: false,
      shippingMethod: 'standard' as const,
      shipTo: order.shipTo,
      lines: [
        {quantity: 1, sku: 'A', reference: '1'},
        {sku: 'B', quantity: 2, reference: '2'},
      ],
      reference: 'SO-1',
    }
    expect(hashContent(said)).toBe(hashContent(order))
    expect(hashContent(order)).toMatch(/^[0-9a-f]{64}$/)
  })

  test('differs with any content, the order of lines included', () => {
    expect(hashContent({...order, hold: true})).not.toBe(hashContent(order))
    expect(hashContent({...order, lines: [...order.lines].reverse()})).not.toBe(hashContent(order))
  })
})
