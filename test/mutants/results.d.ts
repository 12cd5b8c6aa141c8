import type {Result} from './rounds.js'

interface Named {
  readonly name: string
  readonly file: string
}

export function openResults(
  root: string,
  folder: string,
  common: string,
): {
  find(mutant: Named, files: readonly string[]): Result | undefined
  listKillers(mutant: Named): string[]
  note(mutant: Named, result: Result, files: readonly string[]): void
}
