import type {Command} from '@oclif/core/command'
import {StorectlError, usageError} from '../errors.js'
import {didYouMean} from '../language/nearest-word.js'

interface ParserError extends Error {
  flags?: string[] | Record<string, unknown>
  args?: unknown
  oclif?: unknown
}

/**
 * What oclif's parser objects to, as a usage error that names the nearest flag. Anything else is handed back as it is.
 */
export function usageOf(error: ParserError, command: Command.Class): Error {
  if (error instanceof StorectlError) return plain(error)
  if (!('oclif' in error)) return error
  const help = `storectl ${command.id?.replaceAll(':', ' ')} --help`
  const missing = missingArguments(error)
  if (missing !== undefined) return usageError('command_line', missing, [help])
  const unknown = unknownFlag(error)
  if (unknown === undefined) return usageError('command_line', inOurWords(error.message), [help])
  const meant = didYouMean(unknown, flagsOf(command))
  return usageError('unknown_flag', `There is no flag ${unknown} here.${meant}`, [help])
}

function unknownFlag({name, flags}: ParserError): string | undefined {
  const first = Array.isArray(flags) && name !== 'FailedFlagValidationError' ? flags[0] : undefined
  // What stands behind = may be a secret that somebody hoped to hand over.
  return typeof first === 'string' && first.startsWith('-') ? first.split('=')[0] : undefined
}

function missingArguments({args}: ParserError): string | undefined {
  if (!Array.isArray(args)) return undefined
  const missing = (args as MissingArgument[]).filter(({name}) => name)
  if (missing.length === 0) return undefined
  const said = missing.map(
    ({name, description, options}) => `${name.toUpperCase()} is missing: ${description}${oneOf(options)}.`,
  )
  return said.join(' ')
}

interface MissingArgument {
  readonly name: string
  readonly description: string
  readonly options?: readonly string[]
}

function oneOf(options: readonly string[] | undefined): string {
  return options ? `, one of ${options.join(', ')}` : ''
}

function flagsOf(command: Command.Class): string[] {
  return Object.entries({...command.baseFlags, ...command.flags}).flatMap(([name, flag]) => [
    `--${name}`,
    ...(flag.type === 'boolean' && flag.allowNo ? [`--no-${name}`] : []),
  ])
}

/** oclif puts its own lines around the message of whatever a flag's parser throws. */
function plain(error: StorectlError): StorectlError {
  const {code, nextSteps, cause} = error
  return new StorectlError(code, inOurWords(error.message), {nextSteps, cause})
}

function inOurWords(message: string): string {
  const [said = ''] = message.split(/\nSee more help with --help/)
  return said
    .replace(/^Parsing (--[\w-]+) \n\t/, '$1: ')
    .replace(/^The following errors? occurred:\s*/, '')
    .replace(
      /^(--[\w-]+)=.*? cannot also be provided when using (--[\w-]+).*/s,
      '$1 and $2 exclude each other.',
    )
    .replace(/^Expected (--[\w-]+)=(.*) to be one of: (.*)$/s, '$1: expected one of $3, got "$2".')
    .replace(/^Expected (.*) to be one of: (.*)$/s, 'Expected one of $2, got "$1".')
    .replace(/^Flag (--[\w-]+) expects a value$/, '$1 expects a value.')
    .replace(/^Flag (--[\w-]+) expects one of these values: (.*)$/, '$1 expects one of $2.')
    .replace(/^Flag (--[\w-]+) can only be specified once$/, '$1 may be given once only.')
    .replace(/^(--[\w-]+: )Expected (.*) but received: (.*)$/s, '$1expected $2, got "$3".')
    .trim()
}
