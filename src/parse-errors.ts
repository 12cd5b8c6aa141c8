import type {Command} from '@oclif/core/command'
import {StorectlError, usageError} from './errors.js'
import {didYouMean} from './nearest.js'

interface ParserError extends Error {
  flags?: string[] | Record<string, unknown>
  args?: unknown
  oclif?: unknown
}

/**
 * What oclif's parser objects to, as a usage error that names the nearest flag. Anything else is handed back as it is.
 */
export function usageOf(error: ParserError, command: Command.Class): Error {
  if (error instanceof StorectlError || !('oclif' in error)) return error
  const help = `storectl ${command.id?.replaceAll(':', ' ')} --help`
  const unknown =
    Array.isArray(error.flags) && error.name !== 'FailedFlagValidationError' ? error.flags[0] : undefined
  if (typeof unknown === 'string' && unknown.startsWith('-')) {
    const names = Object.entries({...command.baseFlags, ...command.flags})
    const known = names.flatMap(([name, flag]) => [
      `--${name}`,
      ...(flag.type === 'boolean' && flag.allowNo ? [`--no-${name}`] : []),
    ])
    return usageError('unknown_flag', `There is no flag ${unknown} here.${didYouMean(unknown, known)}`, [
      help,
    ])
  }
  const [first = ''] = error.message.split(/\nSee more help with --help/)
  return usageError('command_line', first.trim(), [help])
}
