import {expect, test} from 'vitest'
import {LineReader, LONGEST_PIECE} from '../../src/language/lines/line-reader.js'

const CHUNK = 64 * 1024

/** Chunks of one line, and another line behind it. */
async function* longLine(count: number) {
  for (let at = 0; at < count; at++) yield Buffer.alloc(CHUNK, 97 + (at % 26))
  yield Buffer.from('\nnext\n')
}

test('a line longer than any event comes in the parts that were read, byte for byte', async () => {
  const count = LONGEST_PIECE / CHUNK + 40
  const reader = new LineReader(longLine(count))
  const digits: Buffer[] = []
  const parts: {size: number; isFirst: boolean; isLast: boolean; line: number}[] = []
  for (let next = await reader.readLine(); next; next = await reader.readLine()) {
    parts.push({size: next.bytes.length, isFirst: next.isFirst, isLast: next.isLast, line: next.line})
    digits.push(next.bytes)
  }
  expect(parts.at(-1)).toEqual({size: 4, isFirst: true, isLast: true, line: 2})
  expect(parts.filter(({isFirst}) => isFirst)).toHaveLength(2)
  expect(parts.filter(({isLast}) => isLast)).toHaveLength(2)
  expect(Math.max(...parts.map(({size}) => size))).toBeLessThanOrEqual(2 * CHUNK)
  const chunks: Buffer[] = []
  for await (const chunk of longLine(count)) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString('latin1').replaceAll('\n', '')
  expect(Buffer.concat(digits).toString('latin1') === text).toBe(true)
  expect(reader.first?.length).toBe(16 * 1024)
})

test('a line of the longest event comes whole', async () => {
  const reader = new LineReader(longLine(LONGEST_PIECE / CHUNK))
  const next = await reader.readLine()
  expect(next).toMatchObject({isFirst: true, isLast: true})
  expect(next?.bytes.length).toBe(LONGEST_PIECE)
})
