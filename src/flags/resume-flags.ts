import * as Flags from '@oclif/core/flags'
import {concurrencyFlag, limitFlag, type ParsedFlags, rateFlag} from './flag-kinds.js'
import {ORDER_RESULT_FIELDS} from './order-flags.js'
import {EVENT_RESULT_FIELDS} from './replay-flags.js'

/** Flags of `run resume`. */
export const resumeFlags = {
  join: Flags.boolean({
    description: 'Add a worker to a running replay',
    exclusive: ['take-over', 'rate', 'max', 'force', 'reason'],
  }),
  'take-over': Flags.boolean({
    description: 'End an unresponsive run, so that it can be resumed',
    exclusive: ['rate', 'concurrency', 'max', 'reason'],
  }),
  rate: rateFlag({description: 'Max requests per second (default: as in the run)', helpGroup: 'SPEED'}),
  concurrency: concurrencyFlag({
    description: 'Max payments or orders in flight (default: as in the run)',
    helpGroup: 'SPEED',
  }),
  max: limitFlag({description: 'Replay: abort if more than N events would be sent', helpGroup: 'SAFETY'}),
  force: Flags.boolean({
    description: 'Overwrite the files of --rejects and --report; --take-over: do not wait',
    helpGroup: 'OUTPUT',
  }),
}

/** What they parse to. */
export type ResumeFlags = ParsedFlags<typeof resumeFlags>

/** Fields of the rows of a run that is resumed. @param kind of the run */
export function listResultFields(kind: string): readonly string[] {
  return kind === 'submit' ? ORDER_RESULT_FIELDS : EVENT_RESULT_FIELDS
}
