import {type AST, RegExpParser} from '@eslint-community/regexpp'

/** What a pattern does, one step at a time. A place is an index of a step. */
type Step =
  | {readonly kind: 'take'; readonly fits: (character: string) => boolean}
  | {readonly kind: 'assert'; readonly holds: (text: string, at: number) => boolean}
  | {readonly kind: 'look'; readonly steps: readonly Step[]; readonly isNegated: boolean}
  | {readonly kind: 'either'; readonly first: number; readonly second: number}
  | {readonly kind: 'jump'; readonly to: number}
  | {readonly kind: 'enter' | 'leave'; readonly group: number}
  | {readonly kind: 'repeat'; readonly group: number}
  | {readonly kind: 'progress'; readonly id: number}
  | {readonly kind: 'match'}

interface State {
  readonly step: number
  readonly at: number
  readonly groups: readonly number[]
  readonly seen: readonly number[]
}

/** What a match took. */
export interface Walked {
  /** `undefined` where it does not match. */
  readonly index: number | undefined
  readonly end: number
  readonly steps: number
}

/**
 * Matches as V8 does, going back where it has to, and counts its steps. Lookbehinds are asked of V8, in one step.
 *
 * @param most the steps after which it gives up, with an error
 */
export class PatternWalker {
  readonly #steps: readonly Step[]
  readonly #isByPoints: boolean
  readonly #isSticky: boolean
  #counted = 0

  constructor(
    pattern: RegExp,
    private readonly most: number,
  ) {
    const {source, flags} = pattern
    this.#isByPoints = /[uv]/.test(flags)
    this.#isSticky = pattern.sticky
    const mode = {unicode: flags.includes('u'), unicodeSets: flags.includes('v')}
    const tree = new RegExpParser().parsePattern(source, 0, source.length, mode)
    this.#steps = [...new Compiler(flags.replace(/[dgy]/g, '')).compile(tree.alternatives), {kind: 'match'}]
  }

  match(text: string, from: number): Walked {
    this.#counted = 0
    for (
      let at = from;
      at <= text.length;
      at = this.#isSticky ? text.length + 1 : at + this.#widthAt(text, at)
    ) {
      const end = this.#walk(this.#steps, text, at)
      if (end !== undefined) return {index: at, end, steps: this.#counted}
    }
    return {index: undefined, end: text.length, steps: this.#counted}
  }

  #widthAt(text: string, at: number): number {
    return this.#isByPoints && (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  }

  /** @returns where it ends, if it matches at this place */
  #walk(steps: readonly Step[], text: string, from: number): number | undefined {
    const left: State[] = [{step: 0, at: from, groups: [], seen: []}]
    for (let state = left.pop(); state; state = left.pop()) {
      const end = this.#follow(steps, text, state, left)
      if (end !== undefined) return end
    }
    return undefined
  }

  #follow(steps: readonly Step[], text: string, state: State, left: State[]): number | undefined {
    let {step, at, groups, seen} = state
    for (;;) {
      if (++this.#counted > this.most) return at
      const next = steps[step++] as Step
      switch (next.kind) {
        case 'match':
          return at
        case 'take': {
          const width = this.#widthAt(text, at)
          if (at >= text.length || !next.fits(text.slice(at, at + width))) return undefined
          at += width
          break
        }
        case 'assert':
          if (!next.holds(text, at)) return undefined
          break
        case 'look':
          if ((this.#walk(next.steps, text, at) !== undefined) === next.isNegated) return undefined
          break
        case 'either':
          left.push({step: next.second, at, groups, seen})
          step = next.first
          break
        case 'jump':
          step = next.to
          break
        case 'enter':
        case 'leave': {
          const changed = [...groups]
          changed[next.group * 2 + (next.kind === 'enter' ? 0 : 1)] = at
          groups = changed
          break
        }
        case 'repeat': {
          const part = text.slice(groups[next.group * 2] ?? 0, groups[next.group * 2 + 1] ?? 0)
          if (!text.startsWith(part, at)) return undefined
          this.#counted += part.length
          at += part.length
          break
        }
        case 'progress': {
          if (seen[next.id] === at) return undefined
          const changed = [...seen]
          changed[next.id] = at
          seen = changed
        }
      }
    }
  }
}

/** Steps of a pattern. */
class Compiler {
  #loops = 0

  constructor(private readonly flags: string) {}

  compile(alternatives: readonly AST.Alternative[], from = 0): Step[] {
    const [first, ...rest] = alternatives
    const head = first ? this.#compileAll(first.elements, from + (rest.length > 0 ? 1 : 0)) : []
    if (rest.length === 0) return head
    const second = from + head.length + 2
    const tail = this.compile(rest, second)
    return [
      {kind: 'either', first: from + 1, second},
      ...head,
      {kind: 'jump', to: second + tail.length},
      ...tail,
    ]
  }

  #compileAll(elements: readonly AST.Element[], from: number): Step[] {
    const steps: Step[] = []
    for (const element of elements) steps.push(...this.#compileOne(element, from + steps.length))
    return steps
  }

  #compileOne(element: AST.Element, from: number): Step[] {
    switch (element.type) {
      case 'Group':
        return this.compile(element.alternatives, from)
      case 'CapturingGroup': {
        const group = this.#numberOf(element)
        const inner = this.compile(element.alternatives, from + 1)
        return [{kind: 'enter', group}, ...inner, {kind: 'leave', group}]
      }
      case 'Backreference':
        return [{kind: 'repeat', group: this.#numberOf([element.resolved].flat()[0] as AST.CapturingGroup)}]
      case 'Assertion':
        return [this.#compileAssertion(element)]
      case 'Quantifier':
        return this.#compileQuantifier(element, from)
      default:
        return [{kind: 'take', fits: createFits(element.raw, this.flags)}]
    }
  }

  readonly #numbers = new Map<AST.CapturingGroup, number>()

  #numberOf(group: AST.CapturingGroup): number {
    const number = this.#numbers.get(group) ?? this.#numbers.size
    this.#numbers.set(group, number)
    return number
  }

  #compileAssertion(element: AST.Assertion): Step {
    if (element.kind === 'lookahead') {
      const steps: Step[] = [...this.compile(element.alternatives), {kind: 'match'}]
      return {kind: 'look', steps, isNegated: element.negate}
    }
    const pattern = new RegExp(element.raw, `${this.flags}y`)
    const holds = (text: string, at: number) => {
      pattern.lastIndex = at
      return original.exec.call(pattern, text) !== null
    }
    return {kind: 'assert', holds}
  }

  #compileQuantifier({element, min, max, greedy}: AST.Quantifier, from: number): Step[] {
    const steps: Step[] = []
    const addOne = () => steps.push(...this.#compileOne(element as AST.Element, from + steps.length))
    for (let count = 0; count < min; count++) addOne()
    const split = (body: number, end: number): Step =>
      greedy ? {kind: 'either', first: body, second: end} : {kind: 'either', first: end, second: body}
    if (max === Number.POSITIVE_INFINITY) {
      const start = from + steps.length
      const id = this.#loops++
      const inner = this.#compileOne(element as AST.Element, start + 2)
      const end = start + inner.length + 3
      steps.push(split(start + 1, end), {kind: 'progress', id}, ...inner, {kind: 'jump', to: start})
      return steps
    }
    const begin = from + steps.length
    const size = this.#compileOne(element as AST.Element, begin).length + 1
    const end = begin + (max - min) * size
    for (let at = begin; at < end; at += size)
      steps.push(split(at + 1, end), ...this.#compileOne(element as AST.Element, at + 1))
    return steps
  }
}

/** V8's own, whatever a test makes of it. */
const original = {exec: RegExp.prototype.exec}

function createFits(raw: string, flags: string): (character: string) => boolean {
  const pattern = new RegExp(`^(?:${raw})$`, flags.replace('m', ''))
  const known = new Map<string, boolean>()
  return character => {
    const found = known.get(character) ?? original.exec.call(pattern, character) !== null
    known.set(character, found)
    return found
  }
}
