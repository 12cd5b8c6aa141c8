/** The usual delimiters. */
const DELIMITERS = [',', ';', '\t', '|']

/** Most lines above a header. */
const MOST_LINES = 30

/** The delimiter that is most frequent in a line outside quotes. @param text a line, and perhaps more of the table */
export function detectDelimiter(text: string): string {
  const header = (/^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text)?.[0] ?? '').replace(/"(?:[^"]|"")*"/g, '')
  const [best = ','] = DELIMITERS.map(each => [each, header.split(each).length] as const)
    .sort((a, b) => b[1] - a[1])
    .map(([each]) => each)
  return best
}

/**
 * The line among the first of a table that is most likely its header; the first of several.
 *
 * @param start the beginning of the table
 * @param countKnown how many of a line's cells are names of columns
 * @returns the line, from 1; `undefined` if no line has two
 */
export function findHeaderLine(
  start: string,
  countKnown: (names: readonly string[]) => number,
): {line: number; names: readonly string[]} | undefined {
  let best: ReturnType<typeof findHeaderLine>
  let most = 1
  for (const [at, text] of start.split(/\r\n|\n|\r/, MOST_LINES).entries()) {
    const names = splitCells(text)
    const count = countKnown(names)
    if (count > most) best = {line: at + 1, names}
    most = Math.max(most, count)
  }
  return best
}

/** Where the cells of a row begin, UTF-16 units from 0. @param from behind the blank lines before it */
export function listCellStarts(row: string, delimiter: string, from = 0): number[] {
  const starts = [from]
  let quoted = false
  for (let at = from; at < row.length; at++) {
    if (row[at] === '"') quoted = !quoted
    else if (row[at] === delimiter && !quoted) starts.push(at + 1)
  }
  return starts
}

/** Names of columns hold no line breaks. */
function splitCells(line: string): string[] {
  const starts = listCellStarts(line, detectDelimiter(line))
  const unquote = (cell: string) =>
    cell
      .trim()
      .replace(/^"(.*)"$/s, '$1')
      .replaceAll('""', '"')
      .trim()
  return starts.map((start, at) => unquote(line.slice(start, (starts[at + 1] ?? line.length + 1) - 1)))
}
