import * as Flags from '@oclif/core/flags'
import type * as Interfaces from '@oclif/core/interfaces'
import {createUsageError, StorectlError} from '../errors.js'

type FlagInput = Interfaces.FlagInput
type OptionFlag = Extract<FlagInput[string], {type: 'option'}>
type ArgInput = Interfaces.ArgInput
type Arg = ArgInput[string]

/** A value that a flag refuses. oclif changes the message of what a parser throws, so the usage error travels inside. */
export class RefusedValue extends Error {
  constructor(readonly usage: StorectlError) {
    super(usage.message)
  }
}

/**
 * The flags with checks before the parser's own, whose errors keep neither the flag nor the value.
 *
 * @param help the next steps of a value that is refused
 */
export function checkFlagValues(flags: FlagInput, help: readonly string[]): FlagInput {
  const entries = Object.entries(flags)
  return Object.fromEntries(
    entries.map(([name, flag]) => [name, flag.type === 'option' ? checkFlag(name, flag, help) : flag]),
  )
}

/** The arguments with checks before the parser's own. */
export function checkArgValues(args: ArgInput, help: readonly string[]): ArgInput {
  return Object.fromEntries(Object.entries(args).map(([name, arg]) => [name, checkArg(arg, help)]))
}

const parseInteger = Flags.integer().parse

function checkFlag(name: string, {options, ...flag}: OptionFlag, help: readonly string[]): OptionFlag {
  const parse: OptionFlag['parse'] = async (text, context, definition) => {
    try {
      const expected =
        flag.parse === parseInteger ? expectInteger(text, flag as Limits) : expectOption(text, options)
      if (expected) throw createUsageError('command_line', `expected ${expected}, got "${text}".`, help)
      return await flag.parse(text, context, definition)
    } catch (error) {
      if (!(error instanceof StorectlError)) throw error
      const {code, message, nextSteps, cause} = error
      throw new RefusedValue(new StorectlError(code, `--${name}: ${message}`, {nextSteps, cause}))
    }
  }
  return {...flag, parse}
}

/** oclif would read a missing argument, even an optional one, from stdin. */
function checkArg({options, ...arg}: Arg, help: readonly string[]): Arg {
  const parse: Arg['parse'] = async (text, context, definition) => {
    const expected = expectOption(text, options)
    if (expected) throw createUsageError('command_line', `Expected ${expected}, got "${text}".`, help)
    return arg.parse(text, context, definition)
  }
  return {...arg, parse, ignoreStdin: true}
}

interface Limits {
  readonly min?: number
  readonly max?: number
}

/** What is expected instead of the text, `undefined` where it is fine. */
function expectInteger(text: string, {min, max}: Limits): string | undefined {
  if (!/^-?\d+$/.test(text)) return 'an integer'
  if (min !== undefined && Number(text) < min) return `an integer greater than or equal to ${min}`
  if (max !== undefined && Number(text) > max) return `an integer less than or equal to ${max}`
  return undefined
}

function expectOption(text: string, options: readonly string[] | undefined): string | undefined {
  return options === undefined || options.includes(text) ? undefined : `one of ${options.join(', ')}`
}
