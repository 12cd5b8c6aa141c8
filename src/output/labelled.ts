import {isolated, padded, pieces, widthOf} from './width.js'

const GAP = '  '

/** Values are kept beside their labels as long as they have so many columns there. */
const LEAST_BESIDE = 20

/** A name and a value, free of what a terminal would obey. */
export type Labelled = readonly [label: string, value: string]

/**
 * Values in full on the lines of their labels, one below the other, no wider than the terminal. What is too long for its
 * line goes on below.
 *
 * @param width `undefined` for unlimited
 */
export function aligned(values: readonly Labelled[], width: number | undefined): string {
  const beside = Math.max(0, ...values.map(([label]) => widthOf(label)))
  const left = width === undefined ? Number.POSITIVE_INFINITY : width - beside - GAP.length
  if (width !== undefined && left < LEAST_BESIDE) return upright(values, width)
  const indent = ' '.repeat(beside)
  return values
    .map(([label, value]) =>
      lines(value, left)
        .map((line, at) => `${at === 0 ? padded(label, beside, false) : indent}${GAP}${line}`.trimEnd())
        .map(line => `${line}\n`)
        .join(''),
    )
    .join('')
}

/** The same without columns, for the narrowest of terminals: a value that does not fit stands below its label. */
export function upright(values: readonly Labelled[], width: number): string {
  return values
    .map(([label, value]) => {
      if (widthOf(label) + GAP.length + widthOf(value) <= width) {
        return `${isolated(label)}${GAP}${isolated(value)}`.trimEnd().concat('\n')
      }
      const below = value === '' ? [] : lines(value, width - GAP.length).map(line => `${GAP}${line}\n`)
      return [...lines(label, width).map(line => `${line}\n`), ...below].join('')
    })
    .join('')
}

/** At least one, each kept apart from what is beside it. */
function lines(text: string, width: number): string[] {
  const all = Number.isFinite(width) ? pieces(text, Math.max(1, width)) : [text]
  return all.length === 0 ? [''] : all.map(isolated)
}
