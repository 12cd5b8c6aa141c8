import fc from 'fast-check'
import {expect, test} from 'vitest'
import {StorectlError} from '../../../src/errors.js'
import {
  type Condition,
  type ConditionValue,
  LIST_OPERATORS,
  SINGLE_OPERATORS,
} from '../../../src/language/where/condition.js'
import {parseWhere} from '../../../src/language/where/where.js'
import {anyText} from '../../support/any-text.js'
import {printWhere} from '../../support/print-where.js'
import {sized} from '../../support/sized.js'

const word = fc
  .stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}(\.[A-Za-z0-9_]{1,6}){0,2}$/)
  .filter(name => !/^(and|or|not|true|false|null|contains|starts|ends|in|all)$/i.test(name))
  .map(name => ({name, at: 0}))

const value: fc.Arbitrary<ConditionValue> = fc.oneof(
  fc.string({unit: 'grapheme'}).map(text => ({kind: 'text' as const, text, at: 0})),
  fc.stringMatching(/^-?\d[0-9A-Za-z:+.-]{0,12}$/).map(text => ({kind: 'bare' as const, text, at: 0})),
  fc.boolean().map(flag => ({kind: 'boolean' as const, value: flag, at: 0})),
  fc.constant({kind: 'null' as const, at: 0}),
)

const comparison = fc.oneof(
  fc.record({
    kind: fc.constant('single' as const),
    field: word,
    operator: fc.constantFrom(...SINGLE_OPERATORS),
    value,
  }),
  fc.record({
    kind: fc.constant('list' as const),
    field: word,
    operator: fc.constantFrom(...LIST_OPERATORS),
    values: fc.array(value, {minLength: 1, maxLength: 4}),
  }),
)

const {condition} = fc.letrec<{condition: Condition}>(tie => {
  const parts = fc.array(tie('condition'), {minLength: 2, maxLength: 4})
  return {
    condition: fc.oneof(
      {maxDepth: 5, withCrossShrink: true},
      comparison,
      fc.record({kind: fc.constant('not' as const), part: tie('condition')}),
      fc.record({kind: fc.constantFrom('and' as const, 'or' as const), parts}),
    ),
  }
})

/** The tree without places, which differ once it was printed. */
function bare(tree: unknown): unknown {
  return JSON.parse(JSON.stringify(tree, (key, each) => (key === 'at' ? undefined : each)))
}

test('what is printed is read as the same tree', () => {
  fc.assert(
    fc.property(condition, tree => {
      expect(bare(parseWhere(printWhere(tree)))).toEqual(bare(tree))
    }),
    {numRuns: sized(100, 500)},
  )
})

test('garbage is a usage error with a column, never a crash', () => {
  const piece = fc.constantFrom(
    'and',
    'or',
    'not',
    '(',
    ')',
    ',',
    '=',
    '!=',
    '<',
    '>=',
    'in',
    'all',
    'contains',
    'email',
    'a.b',
    '"x"',
    "'",
    '"',
    '5',
    '-',
    'null',
    'true',
    ' ',
    '\n',
    '\\',
    '😀',
    '%',
    '&&',
    '\u0000',
  )
  const garbage = fc.oneof(
    anyText({maxLength: 40}),
    fc.array(piece, {maxLength: 25}).map(pieces => pieces.join(' ')),
  )
  fc.assert(
    fc.property(garbage, text => {
      try {
        expect(bare(parseWhere(printWhere(parseWhere(text))))).toEqual(bare(parseWhere(text)))
      } catch (error) {
        expect(error).toBeInstanceOf(StorectlError)
        expect((error as StorectlError).exit).toBe(2)
        expect((error as StorectlError).message).toMatch(/^--where, column \d+: /)
      }
    }),
    {numRuns: sized(250, 2000)},
  )
})

test('nesting that no person types is refused instead of exhausting the stack', () => {
  for (const text of ['('.repeat(100_000), `${'not '.repeat(100_000)}a = 1`]) {
    expect(() => parseWhere(text)).toThrow('nested 49 levels deep at most')
  }
  const nested = (levels: number) => `${'('.repeat(levels)}a = 1${')'.repeat(levels)}`
  expect(() => parseWhere(nested(50))).toThrow()
  expect(() => parseWhere(nested(49))).not.toThrow()
})

test.each([
  ['', 1, 'expected a field, got the end.'],
  ['email', 6, 'expected one of = != < <= > >= contains starts ends in all, got the end.'],
  ['email contians "x"', 7, 'Did you mean "contains"?'],
  ['email = bob', 9, 'Quote text: "bob".'],
  ['email = "bob', 9, 'is never closed'],
  ['(email = "a"', 13, 'for the "(" in column 1.'],
  ['email = "a")', 12, 'unmatched ")".'],
  ['email = "a" company = "b"', 13, 'expected "and" or "or"'],
  ['email = "a" && company = "b"', 13, 'write "and"'],
  ['email in "a"', 10, 'expected a list such as ("a", "b")'],
  ['email = "ü😀" und', 14, 'expected "and" or "or", got "und".'],
])('%s points at column %i', (text, column, problem) => {
  const message = messageOf(() => parseWhere(text))
  expect(message).toContain(`--where, column ${column}: `)
  expect(message).toContain(problem)
})

test('the mark stands under the mistake', () => {
  expect(messageOf(() => parseWhere('email = bob'))).toBe(
    '--where, column 9: expected a value, got "bob". Quote text: "bob".\n' +
      '  email = bob\n' +
      '          ^',
  )
})

test('and binds more tightly than or, not most tightly', () => {
  expect(printWhere(parseWhere('a = 1 or b = 2 and not c = 3'))).toBe('a = 1 or b = 2 and not c = 3')
  expect(parseWhere('a = 1 or b = 2 and c = 3')).toMatchObject({
    kind: 'or',
    parts: [{kind: 'single'}, {kind: 'and'}],
  })
  expect(printWhere(parseWhere('(a = 1 or b = 2) and not (c = 3 and d = 4)'))).toBe(
    '(a = 1 or b = 2) and not (c = 3 and d = 4)',
  )
})

test('words may be written in capitals and either quote may be used', () => {
  expect(printWhere(parseWhere(`Email NOT IN ('a"b', "it's") AND active = TRUE`))).toBe(
    `not Email in ("a\\"b", "it's") and active = true`,
  )
})

function messageOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('nothing was thrown')
}
