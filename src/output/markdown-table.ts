import {escapeControls} from './escape-controls.js'

export function renderMarkdownTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  return renderMarkdownHeadings(headings) + rows.map(renderMarkdownLine).join('')
}

export function renderMarkdownHeadings(headings: readonly string[]): string {
  return `${renderMarkdownLine(headings)}${renderMarkdownLine(headings.map(() => '---'))}`
}

export function renderMarkdownLine(cells: readonly string[]): string {
  return `| ${cells.map(escapeMarkdown).join(' | ')} |\n`
}

/** What Markdown or the HTML in it would take for its own is written out. */
export function escapeMarkdown(text: string): string {
  return escapeControls(text)
    .replace(/[\\`*_[\]|~#]/g, char => `\\${char}`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
}
