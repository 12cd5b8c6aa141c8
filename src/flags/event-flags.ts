import * as Flags from '@oclif/core/flags'
import {STATUSES} from '../webhook/event/event.js'
import {momentFlag, type ParsedFlags} from './flag-kinds.js'

/** Flags that choose events of the inbox. */
export const eventFlags = {
  status: Flags.option({options: STATUSES, multiple: true, description: 'only those'})(),
  type: Flags.string({multiple: true, description: 'only this type, * for anything', helpValue: 'TYPE'}),
  since: momentFlag({description: 'created at this time or later'}),
  until: momentFlag({description: 'created before this time'}),
  where: Flags.string({description: 'a condition on any field, as of webhook list', helpValue: 'EXPR'}),
}

/** What they parse to. */
export type EventFlags = ParsedFlags<typeof eventFlags>
