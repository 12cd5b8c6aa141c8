import {CLIError} from '@oclif/core/errors'
import * as Flags from '@oclif/core/flags'
import type * as Interfaces from '@oclif/core/interfaces'
import {createUsageError, StorectlError} from '../errors.js'
import {suggestNearest} from '../language/nearest-word.js'

type FlagInput = Interfaces.FlagInput

/** What was parsed: flags, with those of every command, and arguments. */
export interface CommandLine {
  /** `webhook list` */
  readonly command: string
  readonly flags: FlagInput
  readonly args: Interfaces.ArgInput
}

/** What oclif's parser knows of its flags when it finds two that do not go together. */
interface Parsed {
  readonly input: {readonly flags: FlagInput}
  readonly output: Pick<Interfaces.ParserOutput, 'flags' | 'metadata'>
}

/** The errors of oclif's parser by their class, none of which it exports. */
interface ParserErrors {
  readonly RequiredArgsError: {readonly args: readonly {readonly name: string}[]}
  readonly UnexpectedArgsError: {readonly args: readonly string[]}
  readonly NonExistentFlagsError: {readonly flags: readonly string[]}
  readonly FailedFlagValidationError: {readonly parse: Parsed}
}

/**
 * An error of oclif's parser as a usage error that names the flag or argument. Any other error is returned as it is.
 *
 * @param help the next steps, where the error has none of its own
 */
export function toUsageError(error: Error, line: CommandLine, help: readonly string[]): Error {
  if (error instanceof RefusedValue) return error.usage
  if (error instanceof StorectlError || !(error instanceof CLIError)) return error
  if (isOf(error, 'NonExistentFlagsError')) {
    // What stands behind = may be a secret that somebody hoped to hand over.
    const [unknown = ''] = error.flags[0]?.split('=') ?? []
    const isFormat = unknown === '--format' && 'output' in line.flags
    const meant = isFormat ? ' Did you mean "--output"?' : suggestNearest(unknown, listFlags(line.flags))
    return createUsageError('unknown_flag', `Unknown flag ${unknown} for "${line.command}".${meant}`, help)
  }
  return createUsageError('command_line', describe(error, line), help)
}

function describe(error: Error, {args}: CommandLine): string {
  if (isOf(error, 'RequiredArgsError'))
    return error.args.map(({name}) => describeMissing(name, args[name])).join(' ')
  if (isOf(error, 'UnexpectedArgsError')) {
    return `Unexpected argument${error.args.length === 1 ? '' : 's'}: ${error.args.join(', ')}`
  }
  return isOf(error, 'FailedFlagValidationError') ? describeConflicts(error.parse) : error.message
}

function isOf<Name extends keyof ParserErrors>(
  error: Error,
  name: Name,
): error is Error & ParserErrors[Name] {
  return error.constructor.name === name
}

function describeMissing(name: string, arg: Interfaces.ArgInput[string] | undefined): string {
  const choice = arg?.options ? `, one of ${arg.options.join(', ')}` : ''
  const description = (arg?.description ?? '').replace(/^[A-Z](?=[a-z])/, letter => letter.toLowerCase())
  return `Missing ${name.toUpperCase()} (${description}${choice}).`
}

function listFlags(flags: FlagInput): string[] {
  return Object.entries(flags).flatMap(([name, flag]) => [
    `--${name}`,
    ...(flag.type === 'boolean' && flag.allowNo ? [`--no-${name}`] : []),
  ])
}

/** Two flags that exclude each other, else all that are missing. */
function describeConflicts({input, output}: Parsed): string {
  const values: Readonly<Record<string, unknown>> = output.flags
  const isGiven = (name: string) => values[name] !== undefined && !output.metadata.flags[name]?.setFromDefault
  const missing: string[] = []
  for (const [name, {required, exclusive = [], dependsOn = []}] of Object.entries(input.flags)) {
    const isSet = values[name] !== undefined
    const other = isGiven(name) ? exclusive.map(nameOf).find(isGiven) : undefined
    if (other) return describeExclusion(name, other)
    if (!isSet && required) missing.push(`Missing required flag ${name}`)
    if (isSet && dependsOn.some(each => values[nameOf(each)] === undefined)) {
      const needed = dependsOn.map(each => `--${nameOf(each)}`).join(' and ')
      missing.push(`--${name} needs ${needed}.`)
    }
  }
  return missing.join('\n  ')
}

/** What a plan has is decided where it is made. */
function describeExclusion(name: string, other: string): string {
  const both = `--${other} and --${name} exclude each other.`
  const ofThePlan = name === 'apply' ? other : name
  const isOfThePlan = (name === 'apply' || other === 'apply') && ofThePlan === 'skip-flows'
  return isOfThePlan
    ? `${both} A plan has it from the command that makes it: --plan FILE --${ofThePlan}.`
    : both
}

function nameOf(relation: string | {readonly name: string}): string {
  return typeof relation === 'string' ? relation : relation.name
}

/**
 * Refuses what the parser would take for something else, or whose flag its errors do not keep: a switch with a value,
 * a flag that has none or is repeated.
 *
 * @param help the next steps of the error
 */
export function checkWords(argv: readonly string[], flags: FlagInput, help: readonly string[]): void {
  const fault = describeFault(argv, flags)
  if (fault) throw createUsageError('command_line', fault, help)
}

function describeFault(argv: readonly string[], flags: FlagInput): string | undefined {
  const rest = [...argv]
  const given = new Set<string>()
  for (let word = rest.shift(); word !== undefined && word !== '--'; word = rest.shift()) {
    const name = findFlag(word, flags) ?? ''
    const flag = flags[name]
    if (flag?.type === 'boolean' && SWITCH_WITH_VALUE.test(word))
      return `${word.split('=')[0]} takes no value.`
    if (flag?.type === 'boolean' && SHORT_AND_MORE.test(word)) rest.unshift(`-${word.slice(2)}`)
    if (flag?.type !== 'option') continue
    const fault = describeOptionFault(name, flag, hasValue(word, rest, flags), given.has(name))
    if (fault) return fault
    given.add(name)
  }
  return undefined
}

function describeOptionFault(
  name: string,
  {multiple, options}: OptionFlag,
  hasValue: boolean,
  isRepeated: boolean,
): string | undefined {
  if (isRepeated && !multiple) return `--${name} may be given once only.`
  return hasValue ? undefined : `--${name} expects ${options ? `one of ${options.join(', ')}` : 'a value'}.`
}

/** `--yes=false`, `-v=1` */
const SWITCH_WITH_VALUE = /^(--[^=]+|-[^-])=/

/** `-ojson`, `-vy` */
const SHORT_AND_MORE = /^-[^-]./

/** Whether the flag's value is in its own word or is the next one, which is taken out. A flag is no value. */
function hasValue(word: string, rest: string[], flags: FlagInput): boolean {
  const [, joined] = /^(?:--[^=]+=|-[^-]=?(?=.))(.*)/s.exec(word) ?? []
  const value = joined ?? rest.shift()
  return value !== undefined && findFlag(value, flags) === undefined
}

/** The name of the flag that a word is, with or without its value. */
function findFlag(word: string, flags: FlagInput): string | undefined {
  const [, long, short] = /^(?:--([^=]+)|-([^-]))/.exec(word) ?? []
  if (short) return Object.keys(flags).find(name => flags[name]?.char === short)
  if (long === undefined) return undefined
  const negated = long.startsWith('no-') ? flags[long.slice('no-'.length)] : undefined
  if (flags[long]) return long
  return negated?.type === 'boolean' && negated.allowNo ? long.slice('no-'.length) : undefined
}

type OptionFlag = Extract<FlagInput[string], {type: 'option'}>
type ArgInput = Interfaces.ArgInput
type Arg = ArgInput[string]

/** A value that a flag refuses. oclif changes the message of what a parser throws, so the usage error travels inside. */
class RefusedValue extends Error {
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
      if (name === 'profile') refuseNoProfile(text)
      if (name === 'output') refuseOtherFormat(text, options)
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

function refuseNoProfile(text: string): void {
  if (text !== '') return
  const message = 'the name is empty, as that of a variable that is not set.'
  throw createUsageError('profile', message, ['storectl profile list'])
}

/** What other tools call a format. */
const OTHER_NAMES: Readonly<Record<string, string>> = {jsonl: 'ndjson', jsonlines: 'ndjson', yml: 'yaml'}

/** `-o jsonl`; `-o orders.csv`: the format and the redirection that were meant. */
function refuseOtherFormat(text: string, formats: readonly string[] = []): void {
  const other = OTHER_NAMES[text]
  if (other !== undefined)
    throw createUsageError('command_line', `"${text}" is called "${other}" here.`, [`-o ${other}`])
  const extension = /\.(\w+)$/.exec(text)?.[1]?.toLowerCase()
  if (extension === undefined) return
  const format = formats.includes(extension) ? extension : (OTHER_NAMES[extension] ?? 'csv')
  const message = `expected a format, not the file "${text}".`
  throw createUsageError('output_file', message, [`write: -o ${format} > ${text}`])
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
