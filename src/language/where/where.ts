import {suggestNearest} from '../nearest-word.js'
import {
  type Comparison,
  type Condition,
  type ConditionValue,
  LIST_OPERATORS,
  type ListOperator,
  SINGLE_OPERATORS,
  type SingleOperator,
} from './condition.js'
import {computeColumn, createWhereError, type Token, tokenize} from './tokenizer.js'

/** Words that cannot be a field. */
const RESERVED = ['and', 'or', 'not', 'is', 'true', 'false', 'null', ...SINGLE_OPERATORS, ...LIST_OPERATORS]

/** Deeper than a person nests, and far from what would exhaust the stack here or in the shop. */
const DEEPEST = 50

/**
 * Reads a condition: `orderCount >= 5 and (email ends "@example.com" or company = null)`.
 *
 * @throws StorectlError `usage.where`, pointing at the column, for anything that is none
 * @see docs/where.md for the grammar, whose rules the methods below are named for
 */
export function parseWhere(text: string): Condition {
  return new Parser(text).parseWhole()
}

class Parser {
  readonly #tokens: Token[]
  #next = 0
  #depth = 0

  constructor(private readonly text: string) {
    this.#tokens = tokenize(text)
  }

  parseWhole(): Condition {
    const condition = this.#parseCondition()
    const rest = this.#peek()
    if (rest.kind === ')') this.#fail(rest, 'unmatched ")".')
    if (rest.kind !== 'end') this.#fail(rest, `expected "and" or "or", got ${describeToken(rest)}.`)
    return condition
  }

  #parseCondition(): Condition {
    return this.#parseJoined('or', () => this.#parseJoined('and', () => this.#parsePart()))
  }

  #parseJoined(kind: 'and' | 'or', part: () => Condition): Condition {
    const first = part()
    const parts = [first]
    while (this.#takeWord(kind)) parts.push(part())
    return parts.length === 1 ? first : {kind, parts}
  }

  #parsePart(): Condition {
    if (++this.#depth > DEEPEST) {
      this.#fail(this.#peek(), `conditions may be nested ${DEEPEST - 1} levels deep at most.`)
    }
    const part = this.#parseNegatedOrGroup() ?? this.#parseComparison()
    this.#depth--
    return part
  }

  #parseNegatedOrGroup(): Condition | undefined {
    if (this.#takeWord('not')) return {kind: 'not', part: this.#parsePart()}
    const open = this.#peek()
    if (open.kind !== '(') return undefined
    this.#next++
    const inner = this.#parseCondition()
    const close = this.#take()
    if (close.kind !== ')') {
      this.#fail(close, `missing ")" for the "(" in column ${computeColumn(this.text, open.at)}.`)
    }
    return inner
  }

  #parseComparison(): Condition {
    const token = this.#take()
    if (token.kind !== 'word' || RESERVED.includes(token.text.toLowerCase())) {
      this.#fail(token, `expected a field, got ${describeToken(token)}.`)
    }
    const field = {name: token.text, at: token.at}
    if (this.#takeWord('is')) return this.#parseIsNull(field)
    const negated = this.#takeWord('not')
    const operator = this.#parseOperator()
    if (isListOperator(operator)) {
      return negateIf(negated, {kind: 'list', field, operator, values: this.#list()})
    }
    return negateIf(negated, {kind: 'single', field, operator, value: this.#parseValue()})
  }

  /** `is null`, `is not null` */
  #parseIsNull(field: Comparison['field']): Condition {
    const negated = this.#takeWord('not')
    const value = this.#take()
    if (value.kind !== 'word' || value.text.toLowerCase() !== 'null')
      this.#fail(value, `expected null, got ${describeToken(value)}.`)
    return negateIf(negated, {kind: 'single', field, operator: '=', value: {kind: 'null', at: value.at}})
  }

  #parseOperator(): SingleOperator | ListOperator {
    const token = this.#take()
    const text = token.text.toLowerCase()
    const known = [...SINGLE_OPERATORS, ...LIST_OPERATORS]
    const operator = known.find(each => each === text)
    if (operator === undefined || (token.kind !== 'word' && token.kind !== 'operator')) {
      const words = known.filter(each => /[a-z]/.test(each))
      const guess = token.kind === 'word' ? suggestNearest(token.text, words) : ''
      this.#fail(token, `expected one of ${known.join(' ')}, got ${describeToken(token)}.${guess}`)
    }
    return operator as SingleOperator | ListOperator
  }

  #list(): ConditionValue[] {
    const open = this.#take()
    if (open.kind !== '(') this.#fail(open, `expected a list such as ("a", "b"), got ${describeToken(open)}.`)
    const values = [this.#parseValue()]
    while (true) {
      const token = this.#take()
      if (token.kind === ')') return values
      if (token.kind !== ',') this.#fail(token, `expected "," or ")", got ${describeToken(token)}.`)
      values.push(this.#parseValue())
    }
  }

  #parseValue(): ConditionValue {
    const token = this.#take()
    const {kind, text, at} = token
    if (kind === 'text' || kind === 'bare') return {kind, text, at}
    const word = kind === 'word' ? text.toLowerCase() : ''
    if (word === 'true' || word === 'false') return {kind: 'boolean', value: word === 'true', at}
    if (word === 'null') return {kind: 'null', at}
    const quotes = kind === 'word' ? ` Quote text: "${text}".` : ''
    return this.#fail(token, `expected a value, got ${describeToken(token)}.${quotes}`)
  }

  #peek(): Token {
    return this.#tokens[this.#next] as Token
  }

  /** The last token is never passed. */
  #take(): Token {
    const token = this.#peek()
    if (token.kind !== 'end') this.#next++
    return token
  }

  #takeWord(word: string): boolean {
    const token = this.#peek()
    const is = token.kind === 'word' && token.text.toLowerCase() === word
    if (is) this.#next++
    return is
  }

  #fail(token: Token, problem: string): never {
    throw createWhereError(this.text, token.at, problem)
  }
}

function negateIf(negated: boolean, part: Comparison): Condition {
  return negated ? {kind: 'not', part} : part
}

function isListOperator(operator: string): operator is ListOperator {
  return (LIST_OPERATORS as readonly string[]).includes(operator)
}

function describeToken({kind, text}: Token): string {
  return kind === 'end' ? 'the end' : JSON.stringify(text)
}
