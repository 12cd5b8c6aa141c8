import type {Value} from './powershell-scanner.js'

/** Names that are kept at most; those that were given first go. */
const MOST_NAMES = 50

interface Named {
  readonly value: Value
  readonly line: number
  isUsed: boolean
}

/** A text that a script has given a name to, and no command has used. */
export interface UnusedText {
  /** That it begins on, from 1. */
  readonly line: number
  readonly text: string
}

/** Values that a script has given names to, by `$name` in any case. */
export class PowerShellVariables {
  readonly #byName = new Map<string, Named>()
  #unused: UnusedText[] = []

  /** @param value `undefined` for one that is of no use */
  set(name: string, value: Value | undefined, line: number): void {
    this.#drop(name.toLowerCase())
    if (value !== undefined) this.#byName.set(name.toLowerCase(), {value, line, isUsed: false})
    if (this.#byName.size > MOST_NAMES) this.#drop([...this.#byName.keys()][0] ?? '')
  }

  /** @returns `undefined` for a name that has no value */
  use(name: string): Value | undefined {
    const named = this.#byName.get(name.toLowerCase())
    if (named) named.isUsed = true
    return named?.value
  }

  /** Texts that no command can use any more, each once. @param isEnd whether the script ends here */
  takeUnused(isEnd: boolean): readonly UnusedText[] {
    if (isEnd) for (const name of [...this.#byName.keys()]) this.#drop(name)
    const unused = this.#unused
    this.#unused = []
    return unused
  }

  #drop(name: string): void {
    const named = this.#byName.get(name)
    this.#byName.delete(name)
    if (named && !named.isUsed && typeof named.value === 'string')
      this.#unused.push({line: named.line, text: named.value})
  }
}
