import type {RecordedCause, ReportItem, ResultTally, RunOverview} from '../../contract/run-rows.js'
import type {Row, View} from '../../output/view.js'
import {formatItemAmount, formatResult, listCauseCells, listTallyCells} from './formats/report-cells.js'
import type {Reported} from './report.js'
import {findOpenItems, type RunTally, readDurationSeconds, tallyItems} from './report-summary.js'
import {countByGroup} from './result-groups.js'
import {RUN, RUN_WORDS} from './run-view.js'
import {describeVerdict} from './verdict.js'

/** Of runs with more items, only counts are shown; `run export` has the items. */
const MOST_TALLIED = 20_000
/** Most items that need attention and are named. */
const MOST_NAMED = 10

/** `run show`: the verdict first, then what was sent and what was not. */
export const RUN_OVERVIEW: View = {
  ...RUN,
  inWords: [...RUN_WORDS, 'resultLines', 'attentionLines', 'causeLines'],
  columns: [
    {path: 'verdict'},
    {path: 'stopReason', label: 'Why it ended'},
    {path: 'resultLines', label: 'Results'},
    {path: 'attentionLines', label: 'Needs attention'},
    {path: 'causeLines', label: 'Failed before'},
    {path: 'durationSeconds', kind: 'seconds'},
    {path: 'command', kind: 'command'},
    ...RUN.columns.filter(({path}) => !['results', 'stopReason', 'options'].includes(path)),
  ],
}

/** A run with its verdict, the results of its items, and those that need attention. Keys are stable. */
export async function describeRun({run, row, now, ...deps}: Reported): Promise<RunOverview & Row> {
  const counted = Object.values(run.counts).reduce((sum, count) => sum + count, 0)
  const tally =
    Math.max(counted, run.total ?? 0) <= MOST_TALLIED
      ? await tallyItems(run, row.state, deps, await findOpenItems(run, deps.runs))
      : undefined
  const totals = tally?.totals ?? countByGroup(run.counts, run.total)
  const {command} = row.options
  return {
    ...row,
    verdict: describeVerdict(row, totals).text,
    totals,
    ...describeTally(tally, row.results),
    causeLines: omitEmpty(Object.fromEntries((row.causes ?? []).map(formatCause))),
    durationSeconds: readDurationSeconds(row, now),
    command: typeof command === 'string' ? command : null,
  }
}

function describeTally(tally: RunTally | undefined, results: string) {
  if (!tally)
    return {amounts: null, resultLines: results, attention: null, attentionLines: null, payments: null}
  const {tallies, worth, payments, first} = tally
  const attention = first.filter(({group}) => group !== 'sent' && group !== 'skipped').slice(0, MOST_NAMED)
  return {
    amounts: worth,
    resultLines: omitEmpty(Object.fromEntries(tallies.map(formatTally))),
    attention,
    attentionLines: omitEmpty(Object.fromEntries(attention.map(formatItem))),
    payments,
  }
}

function formatTally(tally: ResultTally): [string, string] {
  const [result, count, amounts] = listTallyCells(tally)
  return [result, amounts === '' ? count : `${count}, ${amounts}`]
}

function formatCause(each: RecordedCause): [string, string] {
  const [cause, count, amounts, first, last] = listCauseCells(each)
  const times = first === last ? first : `${first} to ${last}`
  return [cause, [count, amounts, times].filter(Boolean).join(', ')]
}

function formatItem(item: ReportItem): [string, string] {
  const order = item.order === null ? null : `order ${item.order}`
  const parts = [formatResult(item), order, formatItemAmount(item.amount), omitReason(item)]
  return [item.item, parts.filter(part => part !== null).join(', ')]
}

/** The detail without the reason that it begins with, which the result names. */
function omitReason({reason, detail}: ReportItem): string | null {
  if (reason === null || detail === null || !detail.startsWith(reason)) return detail
  return detail.slice(reason.length).replace(/^:\s*/, '') || null
}

function omitEmpty(lines: Readonly<Record<string, string>>): Readonly<Record<string, string>> | null {
  return Object.keys(lines).length > 0 ? lines : null
}
