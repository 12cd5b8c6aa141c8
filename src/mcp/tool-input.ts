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
  readonly options?: readonly string[]
  readonly multiple?: boolean
  readonly required?: boolean
  readonly isArgument: boolean
}

/** What a tool takes besides `limit`. */
export function listInputs({command, flags, takesArgument}: Tool, commands: Commands): readonly ToolInput[] {
  const about = commands[command] as Command.Cached
  const argument = takesArgument ? Object.values(about.args).slice(0, 1) : []
  return [
    ...argument.map(each => ({...(each as Omit<ToolInput, 'isArgument'>), isArgument: true})),
    ...flags.map(name => ({...(about.flags[name] as Omit<ToolInput, 'isArgument'>), isArgument: false})),
  ]
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
  const write = (isArgument: boolean) =>
    inputs
      .filter(input => input.isArgument === isArgument)
      .flatMap(input => writeInput(input, given[input.name]))
  return [...write(false), '--', ...write(true)]
}

function writeInput({name, type, multiple, required, isArgument}: ToolInput, value: unknown): string[] {
  const isSwitch = type === 'boolean'
  const values =
    value === undefined || (isSwitch && value === false) ? [] : multiple ? [value].flat() : [value]
  const isGood = (each: unknown) =>
    isSwitch ? each === true : typeof each === 'string' && !each.includes('\0')
  if (!values.every(isGood) || (required && values.length === 0))
    throw createUsageError('argument', `"${name}" must be ${isSwitch ? 'true or false' : 'a text'}.`)
  return values.map(each => (isArgument ? `${each}` : isSwitch ? `--${name}` : `--${name}=${each}`))
}
