import {createHash} from 'node:crypto'
import type {JournalEntry} from '../journal/journal-entry.js'
import type {RunStore} from '../journal/run-store.js'
import style from './page/report.css?raw'
import script from './page/report.js?raw'
import type {ReportSummary, Timeline} from './report-summary.js'
import {toResultRow} from './run-view.js'

const HEADINGS = ['Time', 'Outcome', 'Item', 'Status', 'Attempts', 'Response', 'Before', 'After', 'SHA-256']

/**
 * A page that needs nothing but itself: the run, its results over time, and a table that narrows by result, by words
 * and by a bar of the chart. It asks no other host, and runs no script but its own.
 *
 * @returns pieces of HTML; memory does not grow with the number of results
 */
export async function* renderHtmlReport(
  sheet: ReportSummary,
  runs: Pick<RunStore, 'listResults'>,
): AsyncGenerator<string, void, void> {
  const {run} = sheet.verified
  yield renderBeginning(`${run.kind === 'replay' ? 'Replay' : 'Submit'} ${run.id}`, sheet)
  yield '<script type="application/x-ndjson" id="lines">\n'
  for await (const record of runs.listResults(run.id)) yield `${escapeScriptJson(listCells(record))}\n`
  yield `</script>\n<script>${script}</script>\n</body>\n</html>\n`
}

function listCells(record: JournalEntry): (string | number | null)[] {
  const {at, result, item, status, attempts, detail, facts, contentHash} = toResultRow(record)
  return [
    at,
    result,
    item,
    status,
    attempts,
    detail,
    toText(facts?.before),
    toText(facts?.after),
    contentHash,
  ]
}

function toText(value: unknown): string | null {
  if (value === undefined || value === null) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function renderBeginning(title: string, sheet: ReportSummary): string {
  const {facts, verified, writtenAt} = sheet
  const damaged = verified.isWhole
    ? ''
    : '<p class="damaged">The record of this run was damaged or changed.</p>\n'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${damaged}<table class="facts"><tbody>
${facts.map(([name, value]) => `<tr><th>${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>\n`).join('')}</tbody></table>
${renderTimeline(sheet)}<h2>Results</h2>
${renderFilters(sheet)}<table id="results"><thead><tr>${HEADINGS.map(name => `<th>${name}</th>`).join('')}</tr></thead><tbody id="rows"></tbody></table>
<p><button id="more" hidden>Show more</button></p>
<noscript><p>The results stand at the end of this file, one a line.</p></noscript>
<p>Written ${writtenAt.toISOString()} by storectl.</p>
`
}

function renderTimeline({timeline}: ReportSummary): string {
  const {from, stepMs, steps} = timeline
  const to = new Date(from.getTime() + stepMs * steps.length)
  return `<h2>Over time</h2>
${renderChart(timeline)}<div class="axis"><span>${from.toISOString()}</span><span>${to.toISOString()}</span></div>
`
}

function renderFilters({timeline}: ReportSummary): string {
  const boxes = timeline.results.map(({name, count}, index) => {
    const swatch = `<svg class="swatch" viewBox="0 0 1 1"><rect class="${selectShade(timeline, index)}" width="1" height="1"/></svg>`
    return `<label><input type="checkbox" checked data-result="${escapeHtml(name)}"> ${swatch} ${escapeHtml(name)} ${count}</label>\n`
  })
  return `<div class="filters">
${boxes.join('')}<input type="search" id="find" placeholder="Words in a result" aria-label="Words in a result">
<span id="count"></span>
</div>
`
}

/** What a policy allows by its own text. @see CSP Level 3, 2.3.1 */
function hashOf(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`
}

const HEIGHT = 100
const WIDTH = 10

/** Shades of one resultClass; the fourth result of a resultClass looks like its third. */
const SHADES = 3

/** Class that colours an result, by its place among those of the same resultClass. */
export function selectShade({results}: Timeline, index: number): string {
  const resultClass = results[index]?.resultClass
  const before = results.slice(0, index).filter(each => each.resultClass === resultClass).length
  return `${resultClass}-${Math.min(before, SHADES - 1)}`
}

/** The timeline as stacked bars, in SVG; each step has the times that it holds, for whoever filters by it. */
export function renderChart(timeline: Timeline): string {
  const {steps} = timeline
  const highest = Math.max(1, ...steps.map(sumCounts))
  const bars = steps.map((_, step) => renderBar(timeline, step, highest)).join('')
  const box = `0 0 ${steps.length * WIDTH} ${HEIGHT}`
  return `<svg class="chart" viewBox="${box}" preserveAspectRatio="none" role="img" aria-label="Results over time">${bars}</svg>\n`
}

function renderBar(timeline: Timeline, step: number, highest: number): string {
  const {from, stepMs, steps, results} = timeline
  const counts = steps[step] ?? []
  const [begin, end] = [step, step + 1].map(at => from.getTime() + at * stepMs) as [number, number]
  const x = step * WIDTH
  let top = HEIGHT
  const parts = counts.map((count, index) => {
    const height = (count / highest) * HEIGHT
    top -= height
    return count === 0
      ? ''
      : `<rect class="${selectShade(timeline, index)}" x="${x + 1}" y="${top.toFixed(2)}" width="${WIDTH - 2}" height="${height.toFixed(2)}"/>`
  })
  const said = results.flatMap(({name}, index) => (counts[index] ? [`${counts[index]} ${name}`] : []))
  const title = escapeHtml([new Date(begin).toISOString(), ...said].join('\n'))
  // The first and the last step also hold what a clock that was set put outside.
  const since = step === 0 ? 0 : begin
  const until = step === steps.length - 1 ? Number.MAX_SAFE_INTEGER : end
  const hit = `<rect class="hit" x="${x}" y="0" width="${WIDTH}" height="${HEIGHT}"/>`
  return `<g class="step" data-from="${since}" data-to="${until}"><title>${title}</title>${hit}${parts.join('')}</g>`
}

function sumCounts(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}

const NAMES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as HTML shows it, in an element or in a quoted attribute. @see WHATWG HTML 13.1.4 */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, char => NAMES[char] as string)
}

/** JSON that can stand in a script element whatever its texts hold. @see WHATWG HTML 4.12.1.3 */
export function escapeScriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
