import {StorectlError} from '../../../errors.js'
import {formatCommandLine} from '../../../flags/command-line.js'
import {writeTriageCommand} from '../../../flags/diagnose-flags.js'
import type {EventFlags} from '../../../flags/event-flags.js'
import type {Cause} from '../../event/cause.js'
import {parseEventCondition} from '../../event/event-fields.js'
import type {TriageSource, TriageVerb} from './triage-source.js'

/** Joins two conditions by `and`. */
export function joinConditions(first: string | undefined, second: string | undefined): string | undefined {
  return first === undefined || second === undefined ? (first ?? second) : `(${first}) and (${second})`
}

/** The filters as typed. */
export function describeFlags(typed: readonly string[]): string {
  const words = writeTriageCommand(typed, '', {set: {}, ids: []}).filter(word => word !== '')
  return words.length === 0 ? '' : formatCommandLine('', words).trim()
}

/** Writes the commands of keys, with the filters of the command line. @param typedWhere its condition */
export function createCommandWriter(
  typed: readonly string[],
  typedWhere: string | undefined,
): TriageSource['writeCommand'] {
  return (verb, {causes, where, ids}, more = {}) => {
    const condition = joinConditions(typedWhere, where)
    const filters = {
      ...(causes.length > 0 ? {cause: causes} : {}),
      ...(condition === undefined ? {} : {where: condition}),
    }
    return writeTriageCommand(typed, `webhook ${verb}`, {
      set: ids.length > 0 ? more : {...filters, ...more},
      ids,
    })
  }
}

/** Writes the commands for whole groups, each in one line. @param where the condition of the screen */
export function createGroupCommandWriter(write: TriageSource['writeCommand'], where: string | undefined) {
  return (verb: TriageVerb, cause: Cause): string =>
    formatCommandLine('storectl', write(verb, {causes: [cause], where, ids: []}))
}

/**
 * The error without a terminal: it names the commands that do the same.
 *
 * @throws StorectlError `usage.where`, as those commands would
 */
export function createNotInteractiveError(
  typed: readonly string[],
  {where, cause = []}: Pick<EventFlags, 'where' | 'cause'>,
): StorectlError {
  if (where !== undefined) parseEventCondition(where)
  const causes = cause.length > 0 ? {} : {cause: 'NAME'}
  const write = (command: string, set: Readonly<Record<string, string | true>>) =>
    formatCommandLine('storectl', writeTriageCommand(typed, command, {set, ids: []}))
  return new StorectlError('usage.not_interactive', 'webhook triage needs a terminal for its keys.', {
    nextSteps: [
      write('webhook diagnose', {}),
      write('webhook replay', {...causes, 'dry-run': true}),
      write('webhook resolve', {...causes, reason: 'TEXT'}),
    ],
  })
}
