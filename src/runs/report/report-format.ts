import {createUsageError} from '../../errors.js'

export const REPORT_FORMATS = ['html', 'markdown', 'csv', 'json'] as const
export type ReportFormat = (typeof REPORT_FORMATS)[number]

const BY_ENDING: Readonly<Record<string, ReportFormat>> = {
  html: 'html',
  htm: 'html',
  md: 'markdown',
  markdown: 'markdown',
  csv: 'csv',
  json: 'json',
}

/**
 * The requested format, by its name or by the file's extension.
 *
 * @throws StorectlError `usage.report_format` for a file whose name does not say it
 */
export function selectReportFormat(word: ReportFormat | undefined, file: string | undefined): ReportFormat {
  if (word !== undefined) return word
  if (file === undefined || file === '-') return 'markdown'
  const ending = /\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase() ?? ''
  const format = Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending] : undefined
  if (format) return format
  throw createUsageError('report_format', `${file} has no known extension.`, [
    'add --format html, markdown, csv or json',
  ])
}
