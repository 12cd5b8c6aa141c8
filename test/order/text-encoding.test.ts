import {expect, test} from 'vitest'
import {decodeInput, detectEncoding} from '../../src/order/draft/text-encoding.js'

test.each([
  ['a mark', [0xef, 0xbb, 0xbf, 0x61], 'utf-8', true],
  ['nothing', [], 'utf-8', false],
  ['plain text', [0x61, 0x62], 'utf-8', false],
  ['one byte', [0x61], 'utf-8', false],
  ['a mark of UTF-16, low half first', [0xff, 0xfe, 0x61, 0], 'utf-16le', true],
  ['a mark of UTF-16, high half first', [0xfe, 0xff, 0, 0x61], 'utf-16be', true],
  ['a character in UTF-16, low half first', [0x61, 0], 'utf-16le', false],
  ['a character in UTF-16, high half first', [0, 0x61], 'utf-16be', false],
  ['two bytes of zero, which are no character of ours', [0, 0, 0x61, 0], 'utf-8', false],
  ['one byte of zero', [0], 'utf-8', false],
])('an input that begins with %s', async (_, bytes, encoding, isMarked) => {
  async function* read() {
    yield Buffer.from(bytes)
  }
  expect(await detectEncoding({name: 'f', read})).toEqual({encoding, isMarked})
})

test('a text that shows that it is UTF-8 is read so, whatever encoding was named', async () => {
  async function* read() {
    yield Buffer.from('Jürgen')
  }
  const pieces: string[] = []
  for await (const piece of decodeInput({name: 'f', encoding: 'windows-1252', read}))
    pieces.push(String(piece))
  expect(pieces.join('')).toBe('Jürgen')
})
