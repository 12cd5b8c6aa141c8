import type * as Interfaces from '@oclif/core/interfaces'

/** What the person wants, as far as the words before the first flag tell. */
export type CommandRequest =
  | {
      readonly kind: 'run'
      readonly id: string
      readonly argv: readonly string[]
      /** What was typed in place of the command that there is now: `run join`. */
      readonly renamed?: string | undefined
    }
  | {readonly kind: 'help'; readonly words: readonly string[]}
  | {readonly kind: 'version'}
  | {readonly kind: 'unknown'; readonly words: readonly string[]}

const HELP = new Set(['--help', '-h'])

/** Commands of earlier versions by their ids: the command that there is now, and the flag that makes it do the same. */
const RENAMED: Readonly<Record<string, readonly [id: string, ...flags: string[]]>> = {
  'config:get': ['config:list'],
  'config:path': ['config:list', '--path'],
  'run:join': ['run:resume', '--join'],
  'run:pause': ['run:set', '--paused'],
  'run:take-over': ['run:resume', '--take-over'],
}

/** What is typed now for a command of earlier versions: `run resume --join`. */
export function describeRenamed(old: string): string {
  return `"${old}" is now "${(RENAMED[old.replaceAll(' ', ':')] ?? []).join(' ').replace(':', ' ')}".`
}

/**
 * Reads the words: the longest run of them that names a command is the command, what else there is is its own. A colon
 * joins words as a blank does, and flags of every command may stand before and between them.
 *
 * @param ids ids of all commands
 */
export function parseRequest(argv: readonly string[], ids: readonly string[]): CommandRequest {
  if (argv[0] === '--version') return {kind: 'version'}
  const {positions, end} = findLeadingWords(argv)
  const words = positions.map(at => argv[at] as string)
  if (words[0] === 'help') return {kind: 'help', words: renameWords(splitWords(words.slice(1)))}
  const found = findLongestCommand(words, [...ids, ...Object.keys(RENAMED)])
  if (wantsHelp(argv)) return {kind: 'help', words: renameWords(splitWords(found ? [found.id] : words))}
  if (found) {
    const named = new Set(positions.slice(0, found.length))
    const [id, ...flags] = RENAMED[found.id] ?? [found.id]
    const renamed = id === found.id ? undefined : found.id.replaceAll(':', ' ')
    return {
      kind: 'run',
      id,
      argv: [...flags, ...argv.filter((_, at) => !named.has(at))],
      ...(renamed && {renamed}),
    }
  }
  const isAll = end === argv.length
  if (argv.length === 0 || (isAll && isTopic(words, ids))) return {kind: 'help', words: splitWords(words)}
  return {kind: 'unknown', words}
}

/** The words of the command that there is now. */
function renameWords(words: readonly string[]): readonly string[] {
  return RENAMED[words.join(':')]?.[0].split(':') ?? words
}

/** The words of commands behind what was typed: `server:fault add` has three. */
export function splitWords(typed: readonly string[]): string[] {
  return typed.flatMap(word => word.split(':'))
}

/** Flags with a value that may come before the command. */
export const LEADING_OPTIONS: readonly string[] = [
  ...['--profile', '--url', '--timeout', '--ca-file', '--cert', '--key', '--database'],
  ...['--output', '-o', '--fields'],
]

/** Flags without one. */
export const LEADING_SWITCHES: readonly string[] = [
  '--debug',
  '--verbose',
  '-v',
  '--bom',
  '--no-header',
  '--no-input',
  '--no-pager',
  '--wait',
  '--json',
]

/** Where the words are that may name a command, and where the first flag is that not every command has. */
function findLeadingWords(argv: readonly string[]) {
  const positions: number[] = []
  let at = 0
  while (at < argv.length) {
    const length = countFlagWords(argv[at] as string)
    if (length === 0 && argv[at]?.startsWith('-')) break
    if (length === 0) positions.push(at)
    at += length || 1
  }
  return {positions, end: Math.min(at, argv.length)}
}

/** How many words a flag that every command has takes up, 0 where there is none. */
function countFlagWords(word: string): number {
  const [name = ''] = word.split('=')
  if (LEADING_SWITCHES.includes(name) || HELP.has(word)) return 1
  if (LEADING_OPTIONS.includes(name)) return name === word ? 2 : 1
  return /^-o./.test(word) ? 1 : 0
}

/** Whether commands stand below these words. */
export function isTopic(words: readonly string[], ids: readonly string[]): boolean {
  const prefix = `${words.join(':')}:`
  return words.length > 0 && ids.some(id => id.startsWith(prefix))
}

function wantsHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end === -1 ? undefined : end).some(word => HELP.has(word))
}

function findLongestCommand(words: readonly string[], ids: readonly string[]) {
  for (let length = words.length; length > 0; length--) {
    const id = words.slice(0, length).join(':')
    if (ids.includes(id)) return {id, length}
  }
  return undefined
}

type Flags = Interfaces.FlagInput

/** Stands before a value that begins with a dash until it has been parsed; no word of a process can hold it. */
const ESCAPE = '\u0000'

/**
 * Keeps the value behind `=` from being taken for a flag where it begins with a dash: `--name=-volker`.
 *
 * @returns the words to parse instead, with the flags of `unescapeValues`
 */
export function escapeDashedValues(argv: readonly string[], flags: Flags): string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  return argv.map((word, at) => (at < end ? escapeWord(word, flags) : word))
}

/** The flags with values as they were typed, before `escapeDashedValues`. */
export function unescapeValues(flags: Flags): Flags {
  const wrapped = Object.entries(flags).map(([name, flag]) => {
    if (flag.type !== 'option') return [name, flag]
    const parse: typeof flag.parse = (input, ...rest) =>
      flag.parse(input.startsWith(ESCAPE) ? input.slice(ESCAPE.length) : input, ...rest)
    return [name, {...flag, parse}]
  })
  return Object.fromEntries(wrapped)
}

function escapeWord(word: string, flags: Flags): string {
  const [, flag = '', value] = /^--([\w-]+)=(-.+)$/s.exec(word) ?? []
  return value !== undefined && acceptsText(flags[flag]) ? `--${flag}=${ESCAPE}${value}` : word
}

/** A flag with a choice of values has none that begins with a dash. */
function acceptsText(flag: Flags[string] | undefined): boolean {
  return flag?.type === 'option' && flag.options === undefined
}

/**
 * Whether the words ask for JSON. Looked up in the words themselves, because the parser may be what failed.
 *
 * @param argv the words of the command line, flags unparsed
 */
export function wantsJson(argv: readonly string[]): boolean {
  return argv.some(
    (word, at) =>
      word === '--json' ||
      /^(-o|--output=)(nd)?json$/.test(word) ||
      ((word === '-o' || word === '--output') && /^(nd)?json$/.test(argv[at + 1] ?? '')),
  )
}
