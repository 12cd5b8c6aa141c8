import {escapeControls} from '../../output/escape-controls.js'
import type {RunStore} from '../journal/run-store.js'
import type {ReportSummary} from './report-summary.js'
import {toResultRow} from './run-view.js'

/** Items that a ticket can hold; the others are counted. */
const LONGEST_LIST = 200

/**
 * A report for a ticket: what was done, by whom and why, how it ended, and each item that does not simply stand.
 *
 * @returns pieces of Markdown, in the form that GitHub and GitLab show
 */
export async function* renderMarkdownReport(
  {facts, timeline, writtenAt, verified: {run}}: ReportSummary,
  runs: Pick<RunStore, 'listResults'>,
): AsyncGenerator<string, void, void> {
  yield `# ${run.kind === 'replay' ? 'Replay' : 'Submit'} ${run.id}\n\n`
  yield renderTable(['', ''], facts)
  yield '\n## Results\n\n'
  yield renderTable(
    ['Outcome', 'Items'],
    timeline.results.map(({name, count}) => [name, String(count)]),
  )
  let others = 0
  for await (const record of runs.listResults(run.id)) {
    if (record.resultClass === 'done') continue
    if (others === 0)
      yield `\n## Needs attention\n\n${head(['Time', 'Outcome', 'Item', 'Status', 'Response'])}`
    others++
    if (others > LONGEST_LIST) continue
    const {at, result, item, status, detail} = toResultRow(record)
    yield renderLine([at, result ?? '', item, String(status ?? ''), detail ?? ''])
  }
  if (others > LONGEST_LIST)
    yield `\n${others - LONGEST_LIST} more: \`storectl run show ${run.id} --results\`\n`
  yield `\nWritten ${writtenAt.toISOString()} by storectl.\n`
}

function renderTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  return head(headings) + rows.map(renderLine).join('')
}

function head(headings: readonly string[]): string {
  return `${renderLine(headings)}${renderLine(headings.map(() => '---'))}`
}

function renderLine(cells: readonly string[]): string {
  return `| ${cells.map(escapeCell).join(' | ')} |\n`
}

/** What Markdown or the HTML in it would take for its own is written out. */
function escapeCell(text: string): string {
  return escapeControls(text)
    .replace(/[\\`*_[\]|~#]/g, char => `\\${char}`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
}
