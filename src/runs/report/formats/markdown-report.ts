import {escapeControls} from '../../../output/escape-controls.js'
import type {ReportItem} from '../report-items.js'
import type {ReportSummary} from '../report-summary.js'
import type {ResultGroup} from '../result-groups.js'
import {formatStep, mergeSteps, type Timeline} from '../timeline.js'
import {
  formatItemAmount,
  formatResult,
  formatRunTitle,
  formatStates,
  ITEM_NOUNS,
  listPaymentCells,
  listTallyCells,
  PAYMENT_HEADINGS,
} from './report-cells.js'

/** Groups of items that need nobody. */
const FINE: ReadonlySet<ResultGroup> = new Set(['sent', 'skipped'])

/** Rows of the timeline that a ticket holds. */
const MOST_STEPS = 20

/**
 * A report for a ticket: the verdict, what was sent and what was not, each item that needs attention, the payments, and the
 * record that it rests on.
 *
 * @returns pieces of Markdown, in the form that GitHub and GitLab show
 */
export function* renderMarkdownReport(summary: ReportSummary): Generator<string, void, void> {
  const {run, verdict, verified, facts, evidence, tallies, writtenAt} = summary
  yield `# ${escapeText(verdict.text)}\n\n${formatRunTitle(run)}\n\n`
  if (!verified.isWhole) yield '**The audit log of this run is broken: it was damaged or changed.**\n\n'
  if (run.stopReason !== null) yield `${escapeText(run.stopReason)}\n\n`
  const noun = ITEM_NOUNS[run.kind] ?? 'Items'
  yield `## Results\n\n${renderTable(['Result', noun, 'Amount'], tallies.map(listTallyCells))}`
  yield `\n## Run\n\n${renderTable(['', ''], facts)}`
  yield* renderAttention(summary)
  yield renderPayments(summary)
  yield renderTimeline(summary.timeline)
  yield `\n## Audit log\n\n${renderTable(['', ''], evidence)}`
  yield `\nWritten ${writtenAt.toISOString()} by storectl.\n`
}

function* renderAttention({first, totals, run}: ReportSummary): Generator<string, void, void> {
  const listed = first.filter(({group}) => !FINE.has(group))
  if (listed.length === 0) return
  yield `\n## Needs attention\n\n${renderHeadings(['Result', 'Order', 'Item', 'Amount', 'Status', 'Response', 'State'])}`
  for (const item of listed) yield renderLine(listCells(item))
  const all = totals.failed + totals.unknown + totals['not-sent'] + totals.held
  if (all > listed.length)
    yield `\n${(all - listed.length).toLocaleString('en-US')} more: \`storectl run export ${run.id} results.csv\`\n`
}

function listCells(item: ReportItem): string[] {
  const {order, status, detail} = item
  const cells = [formatResult(item), order, item.item, formatItemAmount(item.amount), status, detail]
  return [...cells, formatStates(item)].map(cell => String(cell ?? ''))
}

function renderPayments({payments, paymentCount}: ReportSummary): string {
  if (payments.length === 0) return ''
  const rows = payments.map(listPaymentCells)
  const lines = rows.map(([order, payment, states, events]) => [order, payment, states, events.join('; ')])
  const shown =
    payments.length === Number(paymentCount) ? paymentCount : `${payments.length} of ${paymentCount}`
  return `\n## Payments\n\n${shown}, those that need attention first.\n\n${renderTable(PAYMENT_HEADINGS, lines)}`
}

function renderTimeline(timeline: Timeline): string {
  const {from, stepMs, steps, results} = mergeSteps(timeline, MOST_STEPS)
  if (results.length === 0) return ''
  const rows = steps.map((counts, step) => [
    new Date(from.getTime() + step * stepMs).toISOString(),
    ...counts.map(String),
  ])
  const headings = ['From (UTC)', ...results.map(({name}) => name)]
  return `\n## Timeline\n\nResults per ${formatStep(stepMs)}.\n\n${renderTable(headings, rows)}`
}

function renderTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  return renderHeadings(headings) + rows.map(renderLine).join('')
}

function renderHeadings(headings: readonly string[]): string {
  return `${renderLine(headings)}${renderLine(headings.map(() => '---'))}`
}

function renderLine(cells: readonly string[]): string {
  return `| ${cells.map(escapeText).join(' | ')} |\n`
}

/** What Markdown or the HTML in it would take for its own is written out. */
function escapeText(text: string): string {
  return escapeControls(text)
    .replace(/[\\`*_[\]|~#]/g, char => `\\${char}`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
}
