export interface Pair {
  readonly file: string
  readonly id: string
  readonly cpuMs: number
}

export interface Result {
  readonly result: 'killed' | 'hangs' | 'survived' | 'untested'
  readonly by?: string
  readonly file?: string
  readonly tests: number
}

interface Ran {
  readonly testModules: readonly unknown[]
  readonly unhandledErrors: readonly unknown[]
}

export function tryInRounds<M extends {readonly id: number}>(
  mutants: readonly M[],
  listPairs: (mutant: M) => readonly Pair[],
  tests: {
    run(
      asked: readonly {readonly file: string; readonly ids: readonly string[]}[],
      active: {readonly byTest: Readonly<Record<string, number>>; readonly all: number},
    ): Promise<Ran>
  },
  note: (mutant: M, result: Result) => void,
): Promise<M[]>
