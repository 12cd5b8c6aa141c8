/** What help is printed on. */
export interface HelpLayout {
  /** Width in columns. */
  readonly columns: number
  /** Whether headers can be made bold. */
  readonly bold: boolean
}

const NARROWEST_COLUMN = 24
/** A longer name stands on a line of its own, so that it does not push every meaning aside. */
const LONGEST_NAME = 30

/** A headed part of a help text; nothing when its body is empty. */
export function renderSection(title: string, lines: readonly string[], {bold}: HelpLayout): string {
  if (lines.length === 0) return ''
  return `${bold ? `\u001b[1m${title}\u001b[22m` : title}\n${lines.map(line => `  ${line}`.trimEnd()).join('\n')}\n`
}

/** Sections with an empty line between them; the empty ones are left out. */
export function joinSections(sections: readonly string[]): string {
  return sections.filter(Boolean).join('\n')
}

/**
 * Names on the left, what they mean on the right, in lines no wider than the paper. A name too long for its column
 * stands on a line of its own.
 */
export function renderDefinitions(
  rows: readonly (readonly [string, string])[],
  layout: HelpLayout,
): string[] {
  const widest = Math.min(LONGEST_NAME, Math.floor(layout.columns / 2) - 2)
  const width = Math.max(0, ...rows.map(([name]) => name.length).filter(length => length <= widest))
  return rows.flatMap(([name, meaning]) => {
    const [first = '', ...rest] = wrap(meaning, layout.columns - width - 4)
    const indent = ' '.repeat(width + 2)
    const begin = name.length > width ? [name, `${indent}${first}`] : [`${name.padEnd(width)}  ${first}`]
    return [...begin, ...rest.map(line => indent + line)]
  })
}

/**
 * Breaks text at its spaces only, so that no word, path or flag is ever cut; a longer word stands out of the column. What
 * begins with blanks is indented, and its further lines more than its first.
 *
 * @param columns the width to keep to; a very narrow one is widened so that text stays readable
 */
export function wrap(text: string, columns: number): string[] {
  const width = Math.max(NARROWEST_COLUMN, columns)
  return text.split('\n').flatMap(paragraph => {
    const words = paragraph.trimStart()
    const indent = ' '.repeat(paragraph.length - words.length)
    const lines: string[] = []
    let line = ''
    for (const word of words.split(' ')) {
      const room = width - indent.length - (lines.length > 0 ? indent.length : 0)
      if (line && line.length + 1 + word.length > room) {
        lines.push(line)
        line = word
      } else line = line ? `${line} ${word}` : word
    }
    const [first = '', ...rest] = [...lines, line]
    return [indent + first, ...rest.map(each => indent + indent + each)]
  })
}

/** Text in paragraphs, each in one line however it was written; indented lines stay as they are. */
export function joinParagraphs(text: string): string {
  return text
    .trim()
    .split(/\n\s*\n/)
    .map(paragraph => paragraph.replaceAll(/\n(?! )/g, ' '))
    .join('\n\n')
}

/** A page of the docs in lines of the paper: tables as definitions; code stays as it is, so that it can be copied. */
export function fitPage(page: string, layout: HelpLayout): string {
  return page
    .split(/^(```[\s\S]*?^```$)/m)
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part
            .split('\n\n')
            .map(text => fitProse(text, layout))
            .join('\n\n'),
    )
    .join('')
}

function fitProse(text: string, layout: HelpLayout): string {
  if (text.trimStart().startsWith('|')) return fitTable(text, layout)
  const items = text.split(/\n(?=- |$)/).map(item => {
    const words = item.trimStart()
    const indent = words.startsWith('- ') ? '  ' : ''
    const lines = wrap(words.replaceAll(/\n */g, ' '), layout.columns - indent.length)
    return item.slice(0, item.length - words.length) + lines.join(`\n${indent}`)
  })
  return items.join('\n')
}

/** Rows of two cells below a heading, which is left out. */
function fitTable(text: string, layout: HelpLayout): string {
  const [, , ...rows] = text
    .trim()
    .split('\n')
    .map(row => row.slice(2, -2).split(' | ') as [string, string])
  return renderDefinitions(rows, layout).join('\n')
}
