import type {ShopStatus} from '../contract/status-rows.js'
import {formatAmounts} from '../language/amount-totals.js'
import {formatCount, formatUtcMinute} from '../output/cell.js'
import {escapeControls} from '../output/escape-controls.js'
import {escapeMarkdown, renderMarkdownTable} from '../output/markdown-table.js'
import type {Presenter} from '../output/presenter.js'
import {readValueAt} from '../output/view.js'
import {describeCounts} from '../runs/report/run-view.js'
import {describeStatus, SHOPS, STATUS} from './status-view.js'

/** Prints one shop as a record and several as rows; in Markdown, a note for the next shift. */
export async function presentStatus(
  rows: readonly ShopStatus[],
  {isAll, now}: {readonly isAll: boolean; readonly now: Date},
  presenter: Presenter,
): Promise<void> {
  const [first] = rows
  if (presenter.format === 'markdown') for (const row of rows) await presenter.write(renderHandOver(row, now))
  else if (isAll || !first) await presenter.print(rows, SHOPS)
  else if (presenter.isInWords) await presenter.printOne(describeStatus(first, now), STATUS)
  else await presenter.printOne(first, SHOPS)
}

/** What is open at a shop and, with `--since`, what happened since then and who did what. */
function renderHandOver(row: ShopStatus, now: Date): string {
  const {shift, fix} = row
  const {problems, ...lines} = describeStatus(row, now)
  const facts = STATUS.columns.flatMap(({path, label = path}) => {
    const value = readValueAt(lines, path)
    return typeof value === 'string' ? [[label, value]] : []
  })
  return [
    `# ${escapeMarkdown(lines.shop)}\n`,
    `${shift ? `${formatUtcMinute(shift.since)} to ` : ''}${formatUtcMinute(now.toISOString())}\n`,
    ...(shift ? renderShift(shift) : []),
    '## What is open\n',
    problems.map(each => `- ${escapeMarkdown(each)}\n`).join(''),
    ...(fix.length > 0 ? [fix.map(each => `    ${escapeControls(each)}\n`).join('')] : []),
    `${renderMarkdownTable(['', ''], facts)}\n`,
  ].join('\n')
}

type Shift = NonNullable<ShopStatus['shift']>

function renderShift({hours, causes, runs}: Shift): string[] {
  const listCells = ({key, count, amounts, statuses}: Shift['hours'][number]) => [
    ...[key ?? 'not diagnosed', formatCount(count), formatAmounts(amounts)],
    Object.entries(statuses)
      .map(([status, events]) => `${status} ${formatCount(events)}`)
      .join(', '),
  ]
  const hourly = hours.map(hour => listCells({...hour, key: formatUtcMinute(String(hour.key))}))
  const done = runs.map(({startedAt, id, kind, state, who, reason, counts}) => [
    ...[formatUtcMinute(startedAt), `${kind} ${id}`, state, who, reason ?? '', describeCounts(counts)],
  ])
  return [
    '## What happened\n',
    renderRows(['Hour', 'Events', 'Amount', 'By status'], hourly),
    ...(causes.length > 0
      ? [renderRows(['Cause', 'Not delivered', 'Amount', 'By status'], causes.map(listCells))]
      : []),
    '## What was done\n',
    renderRows(['Begun', 'Run', 'State', 'By', 'Reason', 'Results'], done),
  ]
}

function renderRows(headings: readonly string[], rows: string[][]): string {
  return rows.length === 0 ? 'Nothing.\n' : renderMarkdownTable(headings, rows)
}
