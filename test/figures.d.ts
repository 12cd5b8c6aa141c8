export const WRITE: string

export function replaceFigures(page: string, name: string, stamp: string, table: string): string | undefined

export function cutFigures(page: string): string

export function renderFigures(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string

export function writeFigures(name: string, command: string, table: string): void

export function noteFigures(
  name: string,
  file: string,
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): void

export function findCommit(): string
