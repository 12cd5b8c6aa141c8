import type {Command} from '@oclif/core/command'
import {createUsageError} from '../errors.js'
import {suggestNearest} from '../language/nearest-word.js'
import type {Tool} from './tools.js'

/** Commands by their ids, as the manifest has them. */
export type Commands = Readonly<Record<string, Command.Cached>>

/** What a program gives a tool, by the names of argument and flags. */
export type ToolValues = Readonly<Record<string, unknown>>

/** A flag or the argument of a tool's command, as the manifest describes it. */
export interface ToolInput {
  readonly name: string
  readonly type?: 'option' | 'boolean'
  readonly description?: string
  readonly helpValue?: string
  readonly options?: readonly string[]
  readonly multiple?: boolean
  readonly required?: boolean
  readonly isArgument: boolean
}

/** What a tool takes besides `limit`; the argument is the last. */
export function listInputs({command, flags, takesArgument}: Tool, commands: Commands): readonly ToolInput[] {
  const about = commands[command] as Command.Cached
  const argument = takesArgument ? Object.values(about.args).slice(0, 1) : []
  const all = [
    ...flags.map(name => ({...about.flags[name], isArgument: false})),
    ...argument.map(each => ({...each, isArgument: true})),
  ]
  return all as ToolInput[]
}

/**
 * The words behind a command for the values of a call. No value becomes a flag or another command.
 *
 * @throws StorectlError `usage.argument` for a name or a kind of value that the tool does not take
 */
export function writeWords(inputs: readonly ToolInput[], {limit: _, ...given}: ToolValues): string[] {
  const known = inputs.map(({name}) => name)
  const stranger = Object.keys(given).find(name => !known.includes(name))
  if (stranger !== undefined) {
    const message = `Unknown argument "${stranger}".${suggestNearest(stranger, known)}`
    throw createUsageError('argument', message, [`arguments: ${[...known, 'limit'].join(', ')}`])
  }
  return inputs.flatMap(input => writeInput(input, given[input.name]))
}

function writeInput({name, type, multiple, required, isArgument}: ToolInput, value: unknown): string[] {
  const values = value === undefined ? [] : multiple ? [value].flat() : [value]
  const isSwitch = type === 'boolean'
  const isText = (each: unknown) => typeof each === 'string' && !each.includes('\0')
  const isGood = values.every(each => (isSwitch ? typeof each === 'boolean' : isText(each)))
  if (!isGood || (required && values.length === 0))
    throw createUsageError(
      'argument',
      `"${name}" must be ${isSwitch ? 'true or false' : multiple ? 'a list of texts' : 'a text'}.`,
    )
  if (isSwitch) return value ? [`--${name}`] : []
  return isArgument ? ['--', ...(values as string[])] : values.map(each => `--${name}=${each}`)
}
