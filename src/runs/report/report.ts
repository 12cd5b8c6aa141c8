import {createUsageError} from '../../errors.js'
import {type Out, printRows} from '../../output/print.js'
import type {RunRow, RunStore} from '../journal/run-store.js'
import {summarizeRun} from './report-summary.js'
import {RUN_RESULTS, toResultRow, type toRunRow} from './run-view.js'

export const REPORT_FORMATS = ['html', 'markdown', 'csv'] as const
export type ReportFormat = (typeof REPORT_FORMATS)[number]

const BY_ENDING: Readonly<Record<string, ReportFormat>> = {
  html: 'html',
  htm: 'html',
  md: 'markdown',
  markdown: 'markdown',
  csv: 'csv',
}

/**
 * The format that was asked for, by word or by the name of the file.
 *
 * @throws StorectlError `usage.report_format` for a file whose name does not say it
 */
export function selectReportFormat(word: ReportFormat | undefined, file: string | undefined): ReportFormat {
  if (word !== undefined) return word
  if (file === undefined || file === '-') return 'markdown'
  const ending = /\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase() ?? ''
  const format = Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending] : undefined
  if (format) return format
  throw createUsageError('report_format', `${file} does not say which format it is to have.`, [
    'give --format html, markdown or csv',
  ])
}

/** What a report is made of. */
export interface Reported {
  readonly run: RunRow
  readonly row: ReturnType<typeof toRunRow>
  readonly runs: Pick<RunStore, 'listRecords' | 'listResults'>
  readonly now: Date
}

/** Writes a report, no faster than it is taken; memory does not grow with the number of results. */
export async function writeReport(
  format: ReportFormat,
  {run, row, runs, now}: Reported,
  out: Out,
): Promise<void> {
  if (format === 'csv') return writeCsv(run, runs, out)
  const sheet = await summarizeRun(run, runs, row, now)
  const {renderHtmlReport} = await import('./html-report.js')
  const {renderMarkdownReport} = await import('./markdown-report.js')
  const pieces = format === 'html' ? renderHtmlReport(sheet, runs) : renderMarkdownReport(sheet, runs)
  for await (const piece of gatherPieces(pieces)) await out.write(piece)
}

const CSV = {
  ...RUN_RESULTS,
  columns: [
    'at',
    'result',
    'item',
    'orderingKey',
    'status',
    'attempts',
    'detail',
    'facts.before',
    'facts.after',
    'facts.id',
    'contentHash',
  ].map(path => ({path})),
}

async function writeCsv({id}: RunRow, runs: Reported['runs'], out: Out): Promise<void> {
  const listRows = async function* () {
    for await (const record of runs.listResults(id)) yield toResultRow(record)
  }
  await printRows(listRows(), out, {view: CSV, format: 'csv'})
}

const PIECE_CHARACTERS = 32_768

/** Few long pieces out of many short ones. */
async function* gatherPieces(pieces: AsyncIterable<string>): AsyncGenerator<string, void, void> {
  let text = ''
  for await (const piece of pieces) {
    text += piece
    if (text.length < PIECE_CHARACTERS) continue
    yield text
    text = ''
  }
  yield text
}
