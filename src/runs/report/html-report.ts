import {createHash} from 'node:crypto'
import type {JournalRecord} from '../journal/journal-entry.js'
import type {RunStore} from '../journal/run-store.js'
import {chart, shadeOf} from './chart.js'
import {html, scriptJson} from './escape.js'
import style from './page/report.css?raw'
import script from './page/report.js?raw'
import type {Sheet} from './report-summary.js'
import {resultRow} from './run-view.js'

const HEADINGS = [
  'Time',
  'Outcome',
  'Item',
  'Status',
  'Attempts',
  'What was said',
  'Before',
  'After',
  'SHA-256',
]

/**
 * A page that needs nothing but itself: the run, its results over time, and a table that narrows by outcome, by words
 * and by a bar of the chart. It asks no other host, and runs no script but its own.
 *
 * @returns pieces of HTML; memory does not grow with the number of results
 */
export async function* htmlReport(
  sheet: Sheet,
  runs: Pick<RunStore, 'results'>,
): AsyncGenerator<string, void, void> {
  const {run} = sheet.verified
  yield beginning(`${run.kind === 'replay' ? 'Replay' : 'Submit'} ${run.id}`, sheet)
  yield '<script type="application/x-ndjson" id="lines">\n'
  for await (const record of runs.results(run.id)) yield `${scriptJson(cellsOf(record))}\n`
  yield `</script>\n<script>${script}</script>\n</body>\n</html>\n`
}

function cellsOf(record: JournalRecord): (string | number | null)[] {
  const {at, outcome, item, status, attempts, detail, facts, contentHash} = resultRow(record)
  return [at, outcome, item, status, attempts, detail, text(facts?.before), text(facts?.after), contentHash]
}

function text(value: unknown): string | null {
  if (value === undefined || value === null) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function beginning(title: string, sheet: Sheet): string {
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
<title>${html(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${html(title)}</h1>
${damaged}<table class="facts"><tbody>
${facts.map(([name, value]) => `<tr><th>${html(name)}</th><td>${html(value)}</td></tr>\n`).join('')}</tbody></table>
${overTime(sheet)}<h2>Results</h2>
${filters(sheet)}<table id="results"><thead><tr>${HEADINGS.map(name => `<th>${name}</th>`).join('')}</tr></thead><tbody id="rows"></tbody></table>
<p><button id="more" hidden>Show more</button></p>
<noscript><p>The results stand at the end of this file, one a line.</p></noscript>
<p>Written ${writtenAt.toISOString()} by storectl.</p>
`
}

function overTime({timeline}: Sheet): string {
  const {from, stepMs, steps} = timeline
  const to = new Date(from.getTime() + stepMs * steps.length)
  return `<h2>Over time</h2>
${chart(timeline)}<div class="axis"><span>${from.toISOString()}</span><span>${to.toISOString()}</span></div>
`
}

function filters({timeline}: Sheet): string {
  const boxes = timeline.outcomes.map(({name, count}, index) => {
    const swatch = `<svg class="swatch" viewBox="0 0 1 1"><rect class="${shadeOf(timeline, index)}" width="1" height="1"/></svg>`
    return `<label><input type="checkbox" checked data-outcome="${html(name)}"> ${swatch} ${html(name)} ${count}</label>\n`
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
