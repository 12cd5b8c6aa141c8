import * as Flags from '@oclif/core/flags'
import {eventFlags} from './event-flags.js'

/** Flags of `webhook verify`. */
export const verifyFlags = {
  ...eventFlags,
  'webhook-id': Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    description: "A webhook id of the shop's earlier registrations; stored for later checks",
    helpValue: 'ID',
  }),
  offline: Flags.boolean({description: 'Work offline: use stored certificates and webhook ids only'}),
  summary: Flags.boolean({
    description: 'Count events by result (default without ids); --no-summary lists each event',
    helpGroup: 'OUTPUT',
    allowNo: true,
  }),
}
