import type {Pair} from './rounds.js'

interface Chosen {
  readonly id: number
  readonly file: string
  readonly folder: string
  readonly isStatic: boolean
}

interface Reached {
  readonly file: string
  readonly outside: readonly number[]
  readonly tests: readonly {id: string; ms: number; cpuMs: number; reached: readonly number[]}[]
}

export function createChoice(
  root: string,
  mutants: readonly Chosen[],
  reached: readonly Reached[],
): (mutant: Chosen, killers: readonly string[]) => {isAlone: boolean; pairs: Pair[]; files: string[]}
