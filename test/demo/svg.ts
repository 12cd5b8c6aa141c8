/** A line of a terminal, and the style codes of each of its characters (`1;31`). */
export interface StyledLine {
  readonly text: string
  readonly styles: readonly string[]
}

const COLUMN = 8.4
const ROW = 19
const MARGIN = 16
const BAR = 30

/** Colours by their code, each readable on the dark window. */
const COLOURS: Readonly<Record<string, string>> = {
  31: '#ff8f87',
  32: '#7ee2a8',
  33: '#f5cd6b',
  34: '#8ab8ff',
  35: '#d9a8ff',
  36: '#79d9e6',
  90: '#9aa6b2',
}

/** Draws lines as a terminal window of `columns`: one file without scripts, fonts or other files. */
export function drawTerminal(title: string, columns: number, lines: readonly StyledLine[]): string {
  const width = Math.ceil(columns * COLUMN) + 2 * MARGIN
  const height = BAR + lines.length * ROW + MARGIN
  const buttons = ['#ff5f57', '#febc2e', '#28c840'].map(
    (colour, at) => `<circle cx="${MARGIN + 5 + at * 18}" cy="16" r="5" fill="${colour}"/>`,
  )
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">`,
    `<title id="title">${escapeXml(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="#14191f"/>`,
    ...buttons,
    '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="#dfe6ee">',
    ...lines.flatMap(({text, styles}, row) => drawLine(text, styles, BAR + (row + 1) * ROW)),
    '</g>',
    '</svg>',
  ].join('\n')}\n`
}

function drawLine(text: string, styles: readonly string[], y: number): string[] {
  const drawn: string[] = []
  for (let from = 0; from < text.length; ) {
    let to = from + 1
    while (to < text.length && (styles[to] ?? '') === (styles[from] ?? '')) to++
    const piece = text.slice(from, to)
    if (piece.trim() !== '') drawn.push(drawPiece(piece, styles[from] ?? '', {column: from, y}))
    from = to
  }
  return drawn
}

/** The length is set, so that every font keeps the columns. */
function drawPiece(piece: string, style: string, {column, y}: {column: number; y: number}): string {
  const shown = piece.trimEnd()
  const codes = style.split(';')
  const colour = codes.map(code => COLOURS[code]).find(Boolean)
  const attributes = [
    ...(colour ? [`fill="${colour}"`] : []),
    ...(codes.includes('1') ? ['font-weight="bold"'] : []),
    ...(codes.includes('2') && !colour ? ['fill="#9aa6b2"'] : []),
  ]
  const x = (MARGIN + column * COLUMN).toFixed(1)
  const length = (shown.length * COLUMN).toFixed(1)
  return `<text x="${x}" y="${y}" textLength="${length}" xml:space="preserve"${attributes.map(each => ` ${each}`).join('')}>${escapeXml(shown)}</text>`
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
