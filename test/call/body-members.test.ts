import fc from 'fast-check'
import {expect, test} from 'vitest'
import {buildMembers, buildQuery} from '../../src/call/body-members.js'

test.each([
  [
    ['limit=5', 'name=Ada', 'active=true', 'guest=false', 'title=null'],
    {limit: 5, name: 'Ada', active: true, guest: false, title: null},
  ],
  [
    ['number=007', 'price=1.10', 'big=12345678901234567890', 'plus=+1', 'exp=1e3'],
    {number: '007', price: '1.10', big: '12345678901234567890', plus: '+1', exp: '1e3'},
  ],
  [['low=-0.5', 'empty=', 'equation=a=b'], {low: -0.5, empty: '', equation: 'a=b'}],
  [['a[b][c]=1', 'a[b][d]=2', 'a[e]=3'], {a: {b: {c: 1, d: 2}, e: 3}}],
  [['ids[]=x', 'ids[]=y'], {ids: ['x', 'y']}],
  [
    ['sort[][field]=name', 'sort[][order]=DESC', 'sort[][field]=id'],
    {sort: [{field: 'name', order: 'DESC'}, {field: 'id'}]},
  ],
  [['m[][]=1', 'm[][]=2'], {m: [[1, 2]]}],
  [['a=1', 'a=2'], {a: 2}],
])('%j become %j', (words, members) => {
  expect(buildMembers(words)).toEqual(members)
})

test('a raw field is a text whatever it looks like', () => {
  expect(buildMembers(['limit=5'], ['zip=04109', 'flag=true', 'list[]=1'])).toEqual({
    limit: 5,
    zip: '04109',
    flag: 'true',
    list: ['1'],
  })
})

test('a member called __proto__ is a member', () => {
  expect(JSON.stringify(buildMembers(['__proto__[admin]=true']))).toBe('{"__proto__":{"admin":true}}')
  expect(({} as {admin?: boolean}).admin).toBeUndefined()
})

test.each([
  [['limit'], '"limit" is not a field'],
  [['=5'], '"=5" is not a field'],
  [['a[b=5'], '"a[b" is not a key'],
  [['[a]=5'], '"[a]" is not a key'],
  [['a=1', 'a[b]=2'], 'conflicts with another field'],
  [['a[]=1', 'a[b]=2'], 'conflicts with another field'],
  [['a[b]=1', 'a[]=2'], 'conflicts with another field'],
])('%j are refused: %s', (words, message) => {
  expect(() => buildMembers(words)).toThrow(message)
})

test('any texts at any keys come out as they went in', () => {
  const key = fc.stringMatching(/^[a-z][a-z-]{0,8}$/)
  fc.assert(
    fc.property(fc.dictionary(key, fc.dictionary(key, fc.string(), {minKeys: 1})), wanted => {
      const words = Object.entries(wanted).flatMap(([outer, inner]) =>
        Object.entries(inner).map(([name, text]) => `${outer}[${name}]=${text}`),
      )
      expect(buildMembers([], words)).toEqual({...wanted})
    }),
  )
})

test('as a query, keys and values are percent-encoded and keep their order', () => {
  expect(buildQuery(['b=1', 'a[]=x y', 'q=ä&c'])).toBe('b=1&a%5B%5D=x%20y&q=%C3%A4%26c')
})
