import * as Flags from '@oclif/core/flags'
import {STATUSES} from '../webhook/event/event.js'
import {momentFlag, type ParsedFlags} from './flag-kinds.js'

/** Flags that choose events of the inbox. */
export const eventFlags = {
  status: Flags.option({
    options: STATUSES,
    multiple: true,
    description: 'Only events with this status',
    helpGroup: 'SELECTION',
  })(),
  type: Flags.string({
    multiple: true,
    description: 'Only events of this type; * is a wildcard',
    helpGroup: 'SELECTION',
    helpValue: 'TYPE',
  }),
  since: momentFlag({description: 'Only events created at or after this time', helpGroup: 'SELECTION'}),
  until: momentFlag({description: 'Only events created before this time', helpGroup: 'SELECTION'}),
}

/** What they parse to, and a condition, which each command words in its own way. */
export type EventFlags = ParsedFlags<typeof eventFlags> & {readonly where?: string | undefined}
