import fc from 'fast-check'
import {expect, test} from 'vitest'
import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  DEEPEST,
  JsonTokenizer,
  NONE,
  OPEN_LIST,
  OPEN_OBJECT,
  TEXT,
  WORD,
} from '../../src/language/json-tokenizer.js'
import {JsonFault, locateValues} from '../../src/order/read/json-positions.js'
import {sized} from '../support/sized.js'

interface Found {
  readonly kind: number
  readonly start: number
  readonly end: number
  readonly depth: number
  readonly line: number
  readonly excerpt: string
}

function tokensOf(chunks: readonly Uint8Array[], shown = Number.POSITIVE_INFINITY): Found[] {
  const tokenizer = new JsonTokenizer()
  tokenizer.shown = shown
  const found: Found[] = []
  const add = (kind: number) => {
    const {start, end, depth, startLine, excerpt} = tokenizer
    found.push({kind, start, end, depth, line: startLine, excerpt})
  }
  for (const chunk of chunks) {
    tokenizer.push(chunk)
    for (let kind = tokenizer.readToken(); kind !== NONE; kind = tokenizer.readToken()) add(kind)
  }
  const last = tokenizer.finish()
  if (last !== NONE) add(last)
  return found
}

/** The value that tokens are of. @throws SyntaxError where they are of none */
function parse(tokens: readonly Found[], bytes: Buffer): unknown {
  let at = 0
  const kind = () => tokens[at]?.kind ?? NONE
  const take = (expected: number) => {
    if (kind() !== expected) throw new SyntaxError(`not ${expected}`)
    return JSON.parse(bytes.toString('utf8', tokens[at]?.start, tokens[at++]?.end))
  }
  const pass = (expected: number) => {
    if (kind() !== expected) throw new SyntaxError(`not ${expected}`)
    at++
  }
  const passMembers = (close: number, member: () => void) => {
    at++
    if (kind() !== close) {
      member()
      while (kind() === COMMA) {
        at++
        member()
      }
    }
    pass(close)
  }
  const value = (): unknown => {
    if (kind() === OPEN_LIST) {
      const list: unknown[] = []
      passMembers(CLOSE_LIST, () => list.push(value()))
      return list
    }
    if (kind() !== OPEN_OBJECT) return take(kind() === TEXT ? TEXT : WORD)
    const members: [string, unknown][] = []
    passMembers(CLOSE_OBJECT, () => {
      const name = take(TEXT) as string
      pass(COLON)
      members.push([name, value()])
    })
    return Object.fromEntries(members)
  }
  const whole = value()
  pass(NONE)
  return whole
}

/** What a text is worth, `undefined` for what is no JSON. */
function orNone(read: () => unknown): {readonly value: unknown} | undefined {
  try {
    return {value: read()}
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof JsonFault) return undefined
    throw error
  }
}

const json = fc.oneof(
  fc.json({stringUnit: 'binary'}),
  fc
    .tuple(fc.jsonValue(), fc.constantFrom(1, '\t', ' \r\n'))
    .map(([value, indent]) => JSON.stringify(value, null, indent)),
)
const atom = fc.constantFrom(
  ...['{', '}', '[', ']', ',', ':', '"', '\\', '\n', ' ', '\u0001', '\ufeff', '\u00a0', 'é'],
  ...['"a"', '"\\u00e9\\""', '"\\x"', '"\\u12"', '"\\\\"', '{"a":1}', '[1,2]', '"a":'],
  ...['0', '-1.5e+3', '01', '1.', '-', '.5', '1e', 'true', 'nul', 'null', 'NaN'],
)
const garbage = fc.array(atom, {maxLength: 12}).map(atoms => atoms.join(''))
const damaged = fc.tuple(json, fc.nat(), fc.oneof(atom, fc.constant(''))).map(([text, place, other]) => {
  const at = place % (text.length + 1)
  return text.slice(0, at) + other + text.slice(at + 1)
})
const document = fc.oneof(json, damaged, garbage)

function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = []
  for (let at = 0, index = 0; at < bytes.length; index++) {
    const size = sizes[index % sizes.length] as number
    chunks.push(bytes.subarray(at, at + size))
    at += size
  }
  return chunks
}
const sizes = fc
  .array(fc.integer({min: 0, max: 9}), {minLength: 1, maxLength: 5})
  .filter(list => list.some(Boolean))

test('its tokens make the value that JSON.parse reads, or none where JSON.parse reads none', () => {
  fc.assert(
    fc.property(document, sizes, (text, lengths) => {
      const bytes = Buffer.from(text)
      const expected = orNone(() => JSON.parse(bytes.toString('utf8')))
      expect(orNone(() => parse(tokensOf(cut(bytes, lengths)), bytes))).toEqual(expected)
      expect(orNone(() => locateValues(bytes.toString('utf8'))) !== undefined).toBe(expected !== undefined)
    }),
    {numRuns: sized(150, 1000)},
  )
})

test('the tokens of any bytes are the same however they are cut', () => {
  const bytes = fc.oneof(
    document.map(text => Buffer.from(text)),
    fc.uint8Array().map(all => Buffer.from(all)),
  )
  fc.assert(
    fc.property(bytes, sizes, fc.constantFrom(0, 1, 2, 9), (all, lengths, shown) => {
      const whole = tokensOf([all], shown)
      expect(tokensOf(cut(all, lengths), shown)).toEqual(whole)
      for (const {kind, start, end, line, excerpt} of whole) {
        expect(excerpt).toBe(all.toString('latin1', start, Math.min(end, start + 32)))
        expect(line).toBe(all.toString('latin1', 0, start).split('\n').length)
        expect([WORD, all[start]]).toContain(kind)
      }
    }),
    {numRuns: sized(150, 1000)},
  )
})

test('what is hidden is the same as what is shown, left out', () => {
  fc.assert(
    fc.property(json, fc.integer({min: 0, max: 3}), (text, shown) => {
      const bytes = Buffer.from(text)
      const isShown = ({kind, depth}: Found) =>
        (kind === OPEN_LIST || kind === OPEN_OBJECT ? depth - 1 : depth) <= shown
      expect(tokensOf([bytes], shown)).toEqual(tokensOf([bytes]).filter(isShown))
    }),
  )
})

test('brackets are counted however many there are, and more than are reasonable are noticed', () => {
  const tokenizer = new JsonTokenizer()
  tokenizer.shown = 0
  const depths = [DEEPEST, DEEPEST + 1, 1_000_000].map(levels => {
    tokenizer.isTooDeep = false
    tokenizer.push(Buffer.from('['.repeat(levels) + ']'.repeat(levels)))
    const kinds = [tokenizer.readToken(), tokenizer.readToken(), tokenizer.readToken()]
    return [kinds, tokenizer.depth, tokenizer.isTooDeep]
  })
  const kinds = [OPEN_LIST, CLOSE_LIST, NONE]
  expect(depths).toEqual([
    [kinds, 0, false],
    [kinds, 0, true],
    [kinds, 0, true],
  ])
})
