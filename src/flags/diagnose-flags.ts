import * as Flags from '@oclif/core/flags'
import {rewriteCommandLine} from './command-line.js'
import {eventFlags} from './event-flags.js'
import {printFlags} from './global-flags.js'

/** Flags of `webhook diagnose`. */
export const diagnoseFlags = {
  ...eventFlags,
  summary: Flags.boolean({
    description: 'Group events by cause (default without ids); --no-summary lists each event',
    helpGroup: 'OUTPUT',
    allowNo: true,
  }),
  'check-state': Flags.boolean({
    description: 'Look up payments in the shop; --no-check-state uses stored data only',
    default: true,
    allowNo: true,
  }),
}

/**
 * The command for all events of a cause, with the filters and the shop of `webhook diagnose`.
 *
 * @param argv the words behind `webhook diagnose`
 */
export function writeGroupCommand(
  argv: readonly string[],
  verb: 'replay' | 'resolve',
  cause: string,
): string {
  const without = ['summary', 'check-state', 'output', 'json', 'fields']
  const change = {without, keepsArguments: false, set: {cause}}
  return rewriteCommandLine(`storectl webhook ${verb}`, argv, {...printFlags, ...diagnoseFlags}, change)
}
