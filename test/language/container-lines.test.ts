import {expect, test} from 'vitest'
import {ContainerLines} from '../../src/language/lines/container-lines.js'
import {type Lines, LONGEST_PIECE, type RawLine} from '../../src/language/lines/line-reader.js'

const MIB = 1024 * 1024
const CRI_PART = Buffer.concat([Buffer.from('2026-11-20T10:11:12.1Z stdout P '), Buffer.alloc(MIB, 'a')])

/** The same line again and again. */
class SameLines implements Lines {
  readonly first = undefined
  #left: number

  constructor(
    private readonly bytes: Buffer,
    count: number,
  ) {
    this.#left = count
  }

  pushBack(): void {
    this.#left++
  }

  async readLine(): Promise<RawLine | undefined> {
    if (this.#left-- <= 0) return undefined
    return {bytes: this.bytes, line: 1, isFirst: true, isLast: true}
  }
}

test('parts of a line that never ends are handed on before they fill the memory, none lost', async () => {
  const lines = new ContainerLines(new SameLines(CRI_PART, 40))
  const sizes: number[] = []
  for (let next = await lines.readLine(); next; next = await lines.readLine()) sizes.push(next.bytes.length)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(LONGEST_PIECE + MIB)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(40 * MIB)
})

test.each([
  ['ends', '{"log":"a \\"b\\"\\n","stream":"stderr","time":"x"}'],
  ['has another member behind it', '{"log":"a\\n","stream":"stdout","attrs":{"b":"c"}}'],
])('a line of Docker that %s is one line, byte for byte', async (_, line) => {
  const lines = new ContainerLines(new SameLines(Buffer.from(line), 2))
  expect((await lines.readLine())?.bytes.toString()).toBe(line)
  expect((await lines.readLine())?.bytes.toString()).toBe(line)
  expect(await lines.readLine()).toBeUndefined()
})

test('a text that Docker cut is joined with what follows it on its stream', async () => {
  const part = Buffer.from('{"log":"a","stream":"stdout","time":"x"}')
  const lines = new ContainerLines(new SameLines(part, 3))
  expect((await lines.readLine())?.bytes.toString()).toBe('aaa')
})
