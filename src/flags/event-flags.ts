import * as Flags from '@oclif/core/flags'
import {STATUSES} from '../webhook/event/event.js'
import {momentFlag, type ParsedFlags} from './flag-kinds.js'

/** Flags that choose events of the inbox. */
export const eventFlags = {
  status: Flags.option({options: STATUSES, multiple: true, description: 'only those'})(),
  type: Flags.string({multiple: true, description: 'only this type, * for anything', helpValue: 'TYPE'}),
  since: momentFlag({description: 'created at this time or later'}),
  until: momentFlag({description: 'created before this time'}),
}

/** What they parse to, and a condition, which each command words in its own way. */
export type EventFlags = ParsedFlags<typeof eventFlags> & {readonly where?: string | undefined}
