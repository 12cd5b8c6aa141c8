import * as Flags from '@oclif/core/flags'
import {CAUSES} from '../webhook/event/cause.js'
import {STATUSES} from '../webhook/event/event-status.js'
import {momentFlag, type ParsedFlags} from './flag-kinds.js'
import {whereFlag} from './list-flags.js'

/** Flags that choose events of the inbox. */
export const eventFlags = {
  status: Flags.option({
    options: STATUSES,
    multiple: true,
    multipleNonGreedy: true,
    description: 'Only this status',
    helpGroup: 'SELECTION',
  })(),
  type: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    description: 'Only this type; * is a wildcard',
    helpGroup: 'SELECTION',
    helpValue: 'TYPE',
  }),
  since: momentFlag({description: 'Only events created at or after this time', helpGroup: 'SELECTION'}),
  until: momentFlag({description: 'Only events created before this time', helpGroup: 'SELECTION'}),
  where: whereFlag(),
  cause: Flags.option({
    options: CAUSES,
    multiple: true,
    multipleNonGreedy: true,
    description: 'Only this cause',
    helpGroup: 'SELECTION',
    helpValue: 'NAME',
  })(),
}

/** What they parse to. */
export type EventFlags = ParsedFlags<typeof eventFlags>
