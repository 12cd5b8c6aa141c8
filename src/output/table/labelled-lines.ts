import {fitWidths, GAP, isolateDirection, measureWidth, renderGrid, splitByWidth} from './grid.js'
import {dim, paintWord} from './paint.js'

/** Values stay beside their labels while at least so many columns of the terminal are left for them. */
const LEAST_BESIDE = 20

/**
 * A name and a value, free of what a terminal would obey; a value may be several lines. A word that is wider than the
 * terminal is broken only where `isBreakable` says so; where `isWhole` does, not even at blanks.
 */
export type Labelled = readonly [label: string, value: string, isBreakable?: boolean, isWhole?: boolean]

/** How labelled lines are laid out. */
export interface LineOptions {
  /** Columns of the terminal, unlimited by default. */
  readonly limit?: number | undefined
  readonly hasColor?: boolean | undefined
}

/**
 * Values in full beside their labels. Prose that is too long for its line continues below at a word. What people copy, a
 * command and a word without a blank, is never broken: where it is too long, it has the next line to itself.
 */
export function renderAligned(
  values: readonly Labelled[],
  {limit = Number.POSITIVE_INFINITY, hasColor = false}: LineOptions,
): string {
  const beside = Math.max(0, ...values.map(([label]) => measureWidth(label)))
  const left = limit - beside - GAP.length
  if (left < LEAST_BESIDE) return renderUpright(values, limit)
  const rows = values.flatMap(([label, value, , isWhole]) => {
    const lines = wrapLines(value, isWhole ? Number.POSITIVE_INFINITY : left)
    return lines.map((line, at) => [at === 0 ? label : '', line])
  })
  const fitting = rows.filter(([, line = '']) => measureWidth(line) <= left)
  const paint = hasColor ? dim : undefined
  const columns = [
    {width: beside, align: 'left', paint} as const,
    {
      width: fitWidths(fitting, undefined, [])[1] ?? left,
      align: 'left',
      paint: hasColor ? paintWord : undefined,
    } as const,
  ]
  return groupByFit(rows, left)
    .map(group => (isTooWide(group[0], left) ? renderBelow(group, paint) : renderGrid(group, columns)))
    .join('')
}

/** Neighbours that fit stay together, so that they make one grid. */
function groupByFit(rows: readonly string[][], left: number): string[][][] {
  const groups: string[][][] = []
  for (const row of rows) {
    const last = groups.at(-1)
    if (last && !isTooWide(row, left) && !isTooWide(last[0], left)) last.push(row)
    else groups.push([row])
  }
  return groups
}

function isTooWide([, line = '']: readonly string[] = [], left: number): boolean {
  return measureWidth(line) > left
}

/** The value from the first column on: nothing stands before what is copied. */
function renderBelow(rows: readonly string[][], paint = (text: string) => text): string {
  return rows
    .map(([label = '', line = '']) => `${label && `${paint(label)}\n`}${isolateDirection(line)}\n`)
    .join('')
}

/** The same without columns, for the narrowest of terminals: a value that does not fit stands below its label. */
export function renderUpright(values: readonly Labelled[], limit: number): string {
  return values
    .map(([label, value, isBreakable]) => {
      const isOneLine = !value.includes('\n')
      if (isOneLine && measureWidth(label) + GAP.length + measureWidth(value) <= limit) {
        return `${isolateDirection(label)}${GAP}${isolateDirection(value)}`.trimEnd().concat('\n')
      }
      const below = value === '' ? [] : wrapLines(value, limit - GAP.length, isBreakable)
      return [
        ...wrapLines(label, limit, isBreakable).map(line => `${isolateDirection(line)}\n`),
        ...below.map(line => `${GAP}${isolateDirection(line)}\n`),
      ].join('')
    })
    .join('')
}

/** Text in lines of at most `width` columns, broken at blanks; at least one. */
export function wrapLines(text: string, width: number, isBreakable = false): string[] {
  const lines = text
    .split('\n')
    .flatMap(line => (measureWidth(line) <= width ? [line] : wrapWords(line, width)))
  return isBreakable
    ? lines.flatMap(line => (line === '' ? [''] : splitByWidth(line, Math.max(1, width))))
    : lines
}

function wrapWords(text: string, width: number): string[] {
  const indent = /^ */.exec(text)?.[0] ?? ''
  const lines: string[] = []
  let line = indent
  for (const word of text.trim().split(' ')) {
    const next = line.trim() === '' ? line + word : `${line} ${word}`
    if (line.trim() === '' || measureWidth(next) <= width) line = next
    else {
      lines.push(line)
      line = indent + word
    }
  }
  return [...lines, line]
}
