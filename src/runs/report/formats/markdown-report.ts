import type {ReportItem} from '../../../contract/run-rows.js'
import {formatCount} from '../../../output/cell.js'
import {
  escapeMarkdown,
  renderMarkdownHeadings,
  renderMarkdownLine,
  renderMarkdownTable,
} from '../../../output/markdown-table.js'
import {readCauses} from '../replay-rules.js'
import type {ReportSummary} from '../report-summary.js'
import type {ResultGroup} from '../result-groups.js'
import {formatStep, mergeSteps, type Timeline} from '../timeline.js'
import {
  CAUSE_HEADINGS,
  describeListedPayments,
  formatItemAmount,
  formatResult,
  formatRunTitle,
  formatStates,
  ITEM_NOUNS,
  listCauseCells,
  listPaymentCells,
  listTallyCells,
  PAYMENT_HEADINGS,
} from './report-cells.js'

/** Groups of items that need no attention. */
const FINE: ReadonlySet<ResultGroup> = new Set(['sent', 'skipped'])

/** Rows of the timeline in a ticket. */
const MOST_STEPS = 20

/**
 * A report for a ticket: the verdict, what was sent and what was not, each item that needs attention, the payments, and
 * the audit log behind it.
 *
 * @returns pieces of Markdown, in the form that GitHub and GitLab show
 */
export function* renderMarkdownReport(summary: ReportSummary): Generator<string, void, void> {
  const {run, verdict, verified, facts, evidence, tallies, writtenAt} = summary
  yield `# ${escapeMarkdown(verdict.text)}\n\n${formatRunTitle(run)}\n\n`
  if (!verified.isWhole) yield '**The audit log of this run is broken: it was damaged or changed.**\n\n'
  if (run.stopReason !== null) yield `${escapeMarkdown(run.stopReason)}\n\n`
  const noun = ITEM_NOUNS[run.kind]
  yield `## Results\n\n${renderMarkdownTable(['Result', noun, 'Amount'], tallies.map(listTallyCells))}`
  const causes = readCauses(run.options) ?? []
  if (causes.length > 0)
    yield `\n## Why the events had failed\n\n${renderMarkdownTable(CAUSE_HEADINGS, causes.map(listCauseCells))}`
  yield `\n## Run\n\n${renderMarkdownTable(['', ''], facts)}`
  yield* renderAttention(summary)
  yield renderPayments(summary)
  yield renderTimeline(summary.timeline)
  yield `\n## Audit log\n\n${renderMarkdownTable(['', ''], evidence)}`
  yield `\nWritten ${writtenAt.toISOString()} by storectl.\n`
}

function* renderAttention({first, totals, run}: ReportSummary): Generator<string, void, void> {
  const listed = first.filter(({group}) => !FINE.has(group))
  if (listed.length === 0) return
  yield `\n## Needs attention\n\n${renderMarkdownHeadings(['Result', 'Order', 'Item', 'Amount', 'Status', 'Response', 'State'])}`
  for (const item of listed) yield renderMarkdownLine(listCells(item))
  const all = totals.failed + totals.unknown + totals['not-sent'] + totals.held
  if (all > listed.length)
    yield `\n${formatCount(all - listed.length)} more: \`storectl run export ${run.id} results.csv\`\n`
}

function listCells(item: ReportItem): string[] {
  const {order, status, detail} = item
  const cells = [formatResult(item), order, item.item, formatItemAmount(item.amount), status, detail]
  return [...cells, formatStates(item)].map(cell => String(cell ?? ''))
}

function renderPayments(summary: ReportSummary): string {
  const {payments} = summary
  if (payments.length === 0) return ''
  const rows = payments.map(listPaymentCells)
  const lines = rows.map(([order, payment, states, events]) => [order, payment, states, events.join('; ')])
  return `\n## Payments\n\n${describeListedPayments(summary)}\n\n${renderMarkdownTable(PAYMENT_HEADINGS, lines)}`
}

function renderTimeline(timeline: Timeline): string {
  const {from, stepMs, steps, results} = mergeSteps(timeline, MOST_STEPS)
  if (results.length === 0) return ''
  const rows = steps.map((counts, step) => [
    new Date(from.getTime() + step * stepMs).toISOString(),
    ...counts.map(String),
  ])
  const headings = ['From (UTC)', ...results.map(({name}) => name)]
  return `\n## Timeline\n\nResults per ${formatStep(stepMs)}.\n\n${renderMarkdownTable(headings, rows)}`
}
