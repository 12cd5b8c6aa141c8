import type {Summary} from './submit-summary.js'

/** The files that a submit was to write. */
export interface AskedFiles {
  readonly rejects?: string | undefined
  readonly report?: string | undefined
  /** Whether files that are there may be replaced. */
  readonly force: boolean
}

/** What there is to say about them at the end. @param total orders of the input */
export function fileNotes({rejects, report, force}: AskedFiles, summary: Summary, total: number): string[] {
  const notes: string[] = []
  const {failed, done} = summary
  if (rejects !== undefined && failed > 0) {
    notes.push(`${rejects}: ${failed} ${failed === 1 ? 'order' : 'orders'} to mend; then submit that file`)
  }
  const files = [rejects, report].filter(file => file !== undefined)
  if (done < total && files.length > 0 && !force) {
    const are = files.length === 1 ? 'is' : 'are'
    notes.push(
      `${files.join(' and ')} ${are} there now: carrying on wants --force to replace ${files.length === 1 ? 'it' : 'them'}`,
    )
  }
  return notes
}
