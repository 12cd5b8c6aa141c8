import {expect, test} from 'vitest'
import {decodeEntities} from '../../../src/shop/search/term.js'

test.each([
  ['M&uuml;ller &amp; Co', 'Müller & Co'],
  ['&Agrave;&yuml;&nbsp;&szlig;', 'Àÿ\u00a0ß'],
  ['&alpha;&sigmaf;&sigma;&omega;&Alpha;&Sigma;&Omega;', 'αςσωΑΣΩ'],
  ['&OElig;&Scaron;&lt;b&gt;&quot;', 'ŒŠ<b>"'],
  ['&#233;&#xe9;&#XE9;&#128512;', 'ééé😀'],
  ['a&hellip;b&euro;', 'a b '],
  ['&foo; &apos; &#0; &#x110000; & ;', '&foo; &apos; &#0; &#x110000; & ;'],
])('%s reads %s', (written, read) => {
  expect(decodeEntities(written)).toBe(read)
})
