export function readRows(page: string): string[][]

export function mergeRows(before: readonly string[][], now: readonly string[][]): string[][]
