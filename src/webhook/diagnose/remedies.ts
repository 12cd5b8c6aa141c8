import {CAUSE_ROWS, type Cause, type CauseRow, type Remedy} from '../event/cause.js'
import type {InboxEvent} from '../event/event.js'
import {readPaymentWord} from './known-drift.js'

/** Releases what is too old, at the end of a replay's command. */
export const MAX_AGE = ' --max-age none'

/** Why one event is where it is. */
export interface Diagnosis {
  readonly cause: Cause
  readonly remedy: Remedy
  /** A sentence for people, the same for all events of the cause. */
  readonly detail: string
  /** What it rests on. */
  readonly evidence: readonly string[]
  /** What would make it pass, end it, or help to decide: a command. `null` where there is nothing to do. */
  readonly next: string | null
  /** What sending it would come to, where only its unknown sender holds it: `would apply`, `already paid`, `out of order`. */
  readonly ifSent?: string
}

/** A diagnosis with the remedy of its cause. @param how further flags of a replay, or another command */
export function diagnoseAs(
  cause: Cause,
  event: InboxEvent,
  evidence: readonly string[],
  how: {readonly flags?: string} | string | null = {},
): Diagnosis {
  const row = CAUSE_ROWS[cause]
  // A token that is still another one is set up first, for whatever came with it.
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
