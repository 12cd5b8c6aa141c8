import {createHash} from 'node:crypto'
import {escapeHtml, escapeScriptJson} from '../../../output/escape-html.js'
import style from './page/report.css?raw'
import script from './page/report.js?raw'

/** The head of a page that contacts no other host and runs only its own script. */
export function renderPageHead(title: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${hashContent(style)}; script-src ${hashContent(script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
`
}

/** Names with their values, below each other. */
export function renderFacts(facts: readonly (readonly [string, string])[]): string {
  const lines = facts.map(([name, value]) => {
    const text = name === 'Command' ? `<code>${renderCommand(value)}</code>` : escapeHtml(value)
    return `<div><dt>${escapeHtml(name)}</dt><dd>${text}</dd></div>\n`
  })
  return `<dl class="facts">\n${lines.join('')}</dl>\n`
}

/** A command line whose flags are not broken behind a hyphen. */
function renderCommand(command: string): string {
  return escapeHtml(command).replaceAll(/(?<=^| )-[\w-]+/g, '<span>$&</span>')
}

export function renderTableHeadings(names: readonly string[]): string {
  return names.map(name => `<th scope="col">${name}</th>`).join('')
}

/** @param cells HTML */
export function renderTableRow(headings: readonly string[], cells: readonly string[]): string {
  const all = cells.map((cell, index) => `<td data-label="${headings[index]}">${cell}</td>`)
  return `<tr>${all.join('')}</tr>\n`
}

/** Cells of an item; `null` for what is not known. */
type Cells = readonly (string | number | null)[]

/** A table of items that can be filtered by their first cell and by search. */
export interface ItemTable {
  readonly title: string
  readonly headings: readonly string[]
  /** Values of the first cell. */
  readonly names: readonly string[]
  /** The first items, which are shown even without scripts. */
  readonly first: readonly Cells[]
  readonly total: number
}

/** The table of items; `renderItemLines` has all of them. */
export function renderItemTable({title, headings, names, first, total}: ItemTable): string {
  const boxes = names.map(each => {
    const name = escapeHtml(each)
    return `<label><input type="checkbox" checked data-result="${name}"> ${name}</label>\n`
  })
  const rows = first.map(cells =>
    renderTableRow(
      headings,
      cells.map(cell => escapeHtml(String(cell ?? ''))),
    ),
  )
  return `<section>
<h2>${title}</h2>
<div class="filters" role="group" aria-label="Filter items">
${boxes.join('')}<input type="search" id="find" placeholder="Filter items" aria-label="Filter items">
<span id="count" role="status">${first.length} of ${total}</span>
</div>
<table class="wide" id="items"><thead><tr>${renderTableHeadings(headings)}</tr></thead>
<tbody id="rows">
${rows.join('')}</tbody></table>
<p><button id="more" hidden>Show more</button></p>
<noscript><p>All ${total} items are at the end of this file, one a line.</p></noscript>
</section>
`
}

/** All items, one a line, and the end of the page; memory does not grow with their number. */
export async function* renderItemLines(items: AsyncIterable<Cells>): AsyncGenerator<string, void, void> {
  yield '</main>\n<script type="application/x-ndjson" id="lines">\n'
  for await (const cells of items) yield `${escapeScriptJson(cells)}\n`
  yield `</script>\n<script>${script}</script>\n</body>\n</html>\n`
}

/** The source expression by which a policy allows a text. @see CSP Level 3, 2.3.1 */
function hashContent(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`
}
