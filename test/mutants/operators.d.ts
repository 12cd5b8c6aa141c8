export interface Mutant {
  readonly file: string
  readonly from: string
  readonly [more: string]: unknown
}

export function listMutants(file: string): Mutant[]
