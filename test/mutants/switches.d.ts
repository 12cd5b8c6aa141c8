import type {Mutant} from './operators.js'

export function applyMutant(mutant: Mutant): string
export function addSwitches(file: string, mutants: readonly (Mutant & {readonly id: number})[]): string
