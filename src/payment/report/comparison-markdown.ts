import {formatAmounts} from '../../language/amount-totals.js'
import {formatCount} from '../../output/cell.js'
import {escapeMarkdown, renderMarkdownTable} from '../../output/markdown-table.js'
import {
  type ComparisonSummary,
  DRIFT_HEADINGS,
  listDriftCells,
  type ReportedComparison,
} from './comparison-summary.js'

/** A report for a ticket, in the form that GitHub and GitLab show. @returns pieces of Markdown */
export function* renderComparisonMarkdown(
  {verdict, kinds, facts, first}: ComparisonSummary,
  {comparison, progress, shopName, now}: ReportedComparison,
): Generator<string, void, void> {
  yield `# ${escapeMarkdown(verdict.text)}\n\n${escapeMarkdown(`Comparison ${comparison.id} of ${shopName}`)}\n\n`
  const rows = kinds.map(each => [
    each.kind,
    formatCount(each.count),
    formatAmounts(each.amounts),
    each.meaning,
    each.repair,
  ])
  if (rows.length > 0)
    yield `## Kinds\n\n${renderMarkdownTable(['Kind', 'Payments', 'Amount', 'Meaning', 'Repair'], rows)}\n`
  yield `## Comparison\n\n${renderMarkdownTable(['', ''], facts)}`
  if (first.length > 0) {
    const cells = first.map(row => listDriftCells(row).map(cell => cell ?? ''))
    yield `\n## Payments that differ\n\n${renderMarkdownTable(DRIFT_HEADINGS, cells)}`
  }
  const more = progress.found - first.length
  if (more > 0)
    yield `\n${formatCount(more)} more: \`storectl payment reconcile --resume ${comparison.id} -o csv\`\n`
  yield `\nWritten ${now.toISOString()} by storectl.\n`
}
