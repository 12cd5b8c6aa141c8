import type * as Interfaces from '@oclif/core/interfaces'

/** What the person wants, as far as the words before the first flag tell. */
export type CommandRequest =
  | {readonly kind: 'run'; readonly id: string; readonly argv: readonly string[]}
  | {readonly kind: 'help'; readonly words: readonly string[]}
  | {readonly kind: 'version'}
  | {readonly kind: 'unknown'; readonly words: readonly string[]}

const HELP = new Set(['--help', '-h'])

/**
 * Reads the words: the longest run of them that names a command is the command, what follows is its own.
 *
 * @param ids ids of all commands
 */
export function parseRequest(argv: readonly string[], ids: readonly string[]): CommandRequest {
  if (argv[0] === '--version') return {kind: 'version'}
  const leading = countLeadingFlags(argv)
  if (leading > 0 && leading < argv.length) return parseRequest(moveFlags(argv, leading, ids), ids)
  const words = takeLeadingWords(argv)
  if (words[0] === 'help') return {kind: 'help', words: words.slice(1)}
  const id = findLongestCommand(words, ids)
  const length = id?.split(':').length ?? 0
  if (wantsHelp(argv)) return {kind: 'help', words: id ? words.slice(0, length) : words}
  if (id) return {kind: 'run', id, argv: argv.slice(length)}
  if (argv.length === 0 || isTopic(words, ids)) return {kind: 'help', words}
  return {kind: 'unknown', words}
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
  '--no-header',
  '--no-input',
  '--no-pager',
  '--wait',
  '--json',
]

/** How many words before the command are flags of every command, with their values. */
function countLeadingFlags(argv: readonly string[]): number {
  let at = 0
  for (let word = argv[at]; word !== undefined; word = argv[at]) {
    const [name = ''] = word.split('=')
    if (LEADING_SWITCHES.includes(word)) at += 1
    else if (LEADING_OPTIONS.includes(name)) at += name === word ? 2 : 1
    else break
  }
  return Math.min(at, argv.length)
}

/** The same command line with its leading flags behind the words of the command. */
function moveFlags(argv: readonly string[], count: number, ids: readonly string[]): string[] {
  const rest = argv.slice(count)
  const words = takeLeadingWords(rest)
  const length = findLongestCommand(words, ids)?.split(':').length ?? words.length
  return [...rest.slice(0, length), ...argv.slice(0, count), ...rest.slice(length)]
}

/** Whether commands stand below these words. */
export function isTopic(words: readonly string[], ids: readonly string[]): boolean {
  const prefix = `${words.join(':')}:`
  return words.length > 0 && ids.some(id => id.startsWith(prefix))
}

function takeLeadingWords(argv: readonly string[]): string[] {
  const end = argv.findIndex(word => word.startsWith('-'))
  return argv.slice(0, end === -1 ? undefined : end)
}

function wantsHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end === -1 ? undefined : end).some(word => HELP.has(word))
}

function findLongestCommand(words: readonly string[], ids: readonly string[]): string | undefined {
  for (let length = words.length; length > 0; length--) {
    const id = words.slice(0, length).join(':')
    if (ids.includes(id)) return id
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
