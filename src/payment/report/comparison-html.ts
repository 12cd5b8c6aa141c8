import type {DriftRow} from '../../contract/payment-rows.js'
import {formatAmounts} from '../../language/amount-totals.js'
import {formatCount} from '../../output/cell.js'
import {escapeHtml} from '../../output/escape-html.js'
import {
  renderFacts,
  renderItemLines,
  renderItemTable,
  renderPageHead,
  renderTableHeadings,
  renderTableRow,
} from '../../runs/report/formats/html-page.js'
import {
  type ComparisonSummary,
  DRIFT_HEADINGS,
  listDriftCells,
  type ReportedComparison,
} from './comparison-summary.js'

const KIND_HEADINGS = ['Kind', 'Payments', 'Amount', 'Meaning', 'Repair']

/**
 * A self-contained page: the verdict, the kinds with their meaning and repair, and the payments that differ.
 *
 * @param rows all payments that differ
 * @returns pieces of HTML
 */
export async function* renderComparisonPage(
  summary: ComparisonSummary,
  {comparison, progress, shopName, now}: ReportedComparison,
  rows: AsyncIterable<DriftRow>,
): AsyncGenerator<string, void, void> {
  const {verdict, kinds, facts, first} = summary
  yield renderPageHead(verdict.text)
  yield `<body>\n<main>\n<header class="${verdict.tone}">
<p class="run">${escapeHtml(`Comparison ${comparison.id} of ${shopName}`)}</p>
<h1>${escapeHtml(verdict.text)}</h1>
</header>
${renderKinds(kinds)}<section>
<h2>Comparison</h2>
${renderFacts(facts)}</section>
`
  yield renderItemTable({
    ...{title: 'Payments that differ', headings: DRIFT_HEADINGS, names: kinds.map(({kind}) => kind)},
    ...{first: first.map(listDriftCells), total: progress.found},
  })
  yield `<p>Written ${now.toISOString()} by storectl.</p>\n`
  yield* renderItemLines(listLines(rows))
}

async function* listLines(rows: AsyncIterable<DriftRow>) {
  for await (const row of rows) yield [...listDriftCells(row), row.providerOrder]
}

function renderKinds(kinds: ComparisonSummary['kinds']): string {
  if (kinds.length === 0) return ''
  const rows = kinds.map(({kind, count, amounts, meaning, repair}) =>
    renderTableRow(KIND_HEADINGS, [
      escapeHtml(kind),
      formatCount(count),
      escapeHtml(formatAmounts(amounts)).replaceAll(', ', '<br>'),
      ...[meaning, repair].map(escapeHtml),
    ]),
  )
  return `<section>
<h2>Kinds</h2>
<table class="wide"><thead><tr>${renderTableHeadings(KIND_HEADINGS)}</tr></thead>
<tbody>
${rows.join('')}</tbody></table>
</section>
`
}
