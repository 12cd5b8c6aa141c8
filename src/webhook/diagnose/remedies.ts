import type {DiagnosisRow} from '../../contract/event-rows.js'
import {CAUSE_ROWS, type Cause, type CauseRow} from '../event/cause.js'
import type {InboxEvent} from '../event/event.js'
import {readPaymentWord} from './known-drift.js'

/** Releases old events, at the end of a replay's command. */
export const MAX_AGE = ' --max-age none'

/** The diagnosis of one event. */
export type Diagnosis = Pick<DiagnosisRow, 'cause' | 'remedy' | 'detail' | 'evidence' | 'next'> & {
  readonly ifSent?: string
}

/** A diagnosis with the remedy of its cause. @param how additional flags of a replay, or another command */
export function diagnoseAs(
  cause: Cause,
  event: InboxEvent,
  evidence: readonly string[],
  how: {readonly flags?: string} | string | null = {},
): Diagnosis {
  const row = CAUSE_ROWS[cause]
  // While the profile's token is still wrong, setting up the token comes first.
  const remedy = row.remedy === 'replay' && typeof how === 'string' ? 'set-up' : row.remedy
  const next = typeof how === 'string' || how === null ? how : writeCommand(row, event, how.flags)
  return {cause, remedy, detail: row.detail, evidence, next}
}

function writeCommand(row: CauseRow, {id, traits}: InboxEvent, furtherFlags = ''): string | null {
  const {remedy, next, before, flags = ''} = row
  if (next !== undefined) return next.replace('ID', id)
  if (remedy === 'resolve') return `storectl webhook resolve ${id} --reason TEXT`
  if (remedy === 'replay') {
    const first = before === undefined ? '' : `${before}, then `
    return `${first}storectl webhook replay ${id}${flags}${furtherFlags}`
  }
  if (remedy !== 'by-hand') return null
  const word = readPaymentWord(traits.keyText)
  return word === null ? `storectl webhook show ${id}` : `storectl payment show ${word}`
}
