import {expect, test} from 'vitest'
import {findUrl} from '../../src/language/find-url.js'

test.each([
  ['https://müller.example', undefined, 'https://xn--mller-kva.example/'],
  ['https://日本.example', undefined, 'https://xn--wgv71a.example/'],
  ['/de', 'https://shop.example', 'https://shop.example/de'],
  ['shop.example', undefined, undefined],
  ['https://a b', undefined, undefined],
])('%s (%s) is %s, however often it is asked', (text, base, href) => {
  const found = new Set<string | undefined>()
  for (let at = 0; at < 20_000; at++) found.add(findUrl(text, base)?.href)
  expect([...found]).toEqual([href])
})
