import * as Flags from '@oclif/core/flags'
import {rewriteArguments, rewriteCommandLine} from './command-line.js'
import {eventFlags} from './event-flags.js'
import {globalFlags, printFlags} from './global-flags.js'

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
  verb: 'replay' | 'resolve' | 'diagnose',
  cause: string,
): string {
  const without = ['summary', 'check-state']
  const change = {without, keepsArguments: false, set: {cause}}
  return rewriteCommandLine(`storectl webhook ${verb}`, argv, {...printFlags, ...diagnoseFlags}, change)
}

/** Flags of `webhook triage`. */
export const triageFlags = {...eventFlags, 'check-state': diagnoseFlags['check-state']}

/** What takes the place of the filters of `webhook triage`. */
export interface TriageCommandChange {
  readonly set: Readonly<Record<string, string | true | readonly string[]>>
  /** Ids of events; with them no filter is given. */
  readonly ids: readonly string[]
}

/**
 * A command for some of the events of `webhook triage`, behind `storectl`, with its filters and its shop.
 *
 * @param argv the words behind `webhook triage`
 * @param command `webhook replay`
 */
export function writeTriageCommand(
  argv: readonly string[],
  command: string,
  {set, ids}: TriageCommandChange,
): string[] {
  const filters = ids.length > 0 ? Object.keys(eventFlags) : []
  const change = {without: ['check-state', ...filters], keepsArguments: false, set, words: ids}
  return [...command.split(' '), ...rewriteArguments(argv, {...globalFlags, ...triageFlags}, change)]
}
