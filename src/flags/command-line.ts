import type {FlagInput} from '@oclif/core/interfaces'

/** A word of a command line with the flag that it belongs to; `undefined` for an argument. */
interface Part {
  readonly flag: string | undefined
  readonly words: readonly string[]
}

/** What is changed of a command line that was typed. */
export interface CommandChange {
  /** Names of flags that are left out. */
  readonly without: readonly string[]
  readonly keepsArguments: boolean
  /** Flags that are set, `true` for those without a value; they replace what was typed. */
  readonly set: Readonly<Record<string, string | true | readonly string[]>>
  /** Arguments that come last. */
  readonly words?: readonly string[]
}

/**
 * A command line like the one that was typed, without the flags that say how it was printed, quoted for a shell.
 *
 * @param command `storectl webhook replay`
 * @param argv the words behind the command
 * @param flags what the command takes
 */
export function rewriteCommandLine(
  command: string,
  argv: readonly string[],
  flags: FlagInput,
  change: CommandChange,
): string {
  return formatCommandLine(command, rewriteArguments(argv, flags, change))
}

/** The words behind a command like those that were typed, without the flags of its output. @param flags what the command takes */
export function rewriteArguments(
  argv: readonly string[],
  flags: FlagInput,
  {without, keepsArguments, set, words: added = []}: CommandChange,
): string[] {
  const ofOutput = Object.keys(flags).filter(name => flags[name]?.helpGroup === 'OUTPUT')
  const dropped = new Set([...without, ...ofOutput, ...Object.keys(set)])
  const kept = splitParts(argv, flags).filter(({flag}) =>
    flag === undefined ? keepsArguments : !dropped.has(flag),
  )
  const setWords = Object.entries(set).flatMap(([name, value]) =>
    value === true ? [`--${name}`] : [value].flat().flatMap(each => [`--${name}`, each]),
  )
  const options = kept.filter(({flag}) => flag !== undefined).flatMap(({words}) => words)
  const words = [...kept.filter(({flag}) => flag === undefined).flatMap(part => part.words), ...added]
  const separator = words.some(word => word.startsWith('-') && word !== '-') ? ['--'] : []
  return [...options, ...setWords, ...separator, ...words]
}

function splitParts(argv: readonly string[], flags: FlagInput): Part[] {
  const parts: Part[] = []
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] as string
    if (word === '--')
      return [...parts, ...argv.slice(at + 1).map(each => ({flag: undefined, words: [each]}))]
    const flag = findFlag(word, flags)
    const takesNext = flag !== undefined && flags[flag]?.type === 'option' && isBare(word)
    parts.push({flag, words: takesNext ? argv.slice(at, at + 2) : [word]})
    if (takesNext) at++
  }
  return parts
}

/** The name of the flag that a word is; what begins with a dash and is none is kept like a flag. */
function findFlag(word: string, flags: FlagInput): string | undefined {
  if (word === '-' || !word.startsWith('-')) return undefined
  if (!word.startsWith('--')) {
    return Object.entries(flags).find(([, {char}]) => char === word[1])?.[0] ?? word
  }
  const [name = ''] = word.slice(2).split('=')
  if (name in flags) return name
  return name.startsWith('no-') && name.slice(3) in flags ? name.slice(3) : name
}

/** Whether a flag's value, where it takes one, is the next word. */
function isBare(word: string): boolean {
  return word.startsWith('--') ? !word.includes('=') : word.length === 2
}

/** A command line as a shell reads it back. @param argv the words behind the command */
export function formatCommandLine(command: string, argv: readonly string[]): string {
  return [command, ...argv.map(quoteWord)].join(' ')
}

/** A word as a shell reads it back. */
function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
