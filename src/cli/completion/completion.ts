import type {Command} from '@oclif/core/command'
import {PROMISED} from '../../contract/promised.js'
import {HELP_TOPICS} from '../help/help-topics.js'
import {LEADING_OPTIONS, LEADING_SWITCHES} from '../manifest/argv.js'
import type {About, Manifest} from '../manifest/manifest.js'

/** A word that could stand at the cursor, and what it means. */
interface Candidate {
  readonly word: string
  readonly meaning: string
}

/**
 * Values known only while running.
 *
 * @param name of the flag (`--profile`) or argument (`profile`) that takes them
 * @param id of its command
 * @param given the arguments before it
 * @param begun what has been typed of it
 */
export type KnownValues = (
  name: string,
  id: string,
  given: readonly string[],
  begun: string,
) => Promise<readonly string[]>

type Flag = Command.Flag.Cached
type Commands = Manifest['commands']
type Topics = About['oclif']['topics']

const SCHEMA_WORDS = Object.entries(PROMISED).map(([word, {about}]) => ({word, meaning: about}))
const HELP_WORDS = Object.entries(HELP_TOPICS).map(([word, meaning]) => ({word, meaning}))

/**
 * What could be typed at the cursor. Only harmless words are offered, since what a shell inserts may run: families of types
 * (`PAYMENT.CAPTURE.*`) are none.
 *
 * @param words all words after `storectl`; the last one is what has been typed of the word at the cursor
 * @param topics what the words mean that only lead on to commands
 * @returns in the order to show them; `undefined` where a file name is wanted
 */
export async function listCandidates(
  words: readonly string[],
  commands: Commands,
  known: KnownValues,
  topics: Topics = {},
): Promise<Candidates> {
  // Shells hand over what stands in quotes with the first of them.
  const last = (words.at(-1) ?? '').replace(/^['"]/, '')
  // bash makes a word of the sign alone, as long as nothing follows it.
  const typed = last === '=' ? '' : last
  const before = joinAssignments(words.slice(0, -1))
  const all =
    before[0] === 'help'
      ? listHelpWords(before.slice(1), commands, topics)
      : await listCandidatesAfter(before, typed, {commands, known, topics})
  return all?.filter(({word}) => word.startsWith(typed) && word !== '')
}

/** `undefined` where a file name is wanted, which the shell completes. */
type Candidates = readonly Candidate[] | undefined

/** What stands for a file in the help of a flag, and in that of an argument. */
const FILE_VALUE = /FILE$|^DIR$/
const FILE_ARGUMENT = /\bfiles?\b/i

/**
 * What a shell takes for one word that means nothing but itself, wherever it stands and whatever quote is open: values
 * come from shops, providers and strangers, and the person presses Enter.
 */
const HARMLESS = /^[A-Za-z0-9_.,:@/+][A-Za-z0-9_.,:@/+=-]*$/

/** What can be completed. */
interface Known {
  readonly commands: Commands
  readonly known: KnownValues
  readonly topics: Topics
}

async function listCandidatesAfter(
  words: readonly string[],
  typed: string,
  {commands, known, topics}: Known,
): Promise<Candidates> {
  const before = skipLeadingFlags(words)
  const [first = ''] = before
  if (before.length === 1 && LEADING_OPTIONS.includes(first))
    return listLeadingValues(first, typed, {commands, known})
  const length = countCommandWords(before, commands)
  if (length === undefined)
    return before.some(word => word.startsWith('-')) ? [] : listNextWords(before, commands, topics)
  const command = commands[before.slice(0, length).join(':')] as Command.Cached
  const own = before.slice(length)
  if (own.includes('--')) return listArgumentValues(command, own, typed, known)
  const [, given, begun] = /^(--[a-z-]+)=(.*)$/.exec(typed) ?? []
  if (given !== undefined && begun !== undefined) {
    const values = await listFlagValues(command, given, begun, known)
    return values?.map(({word, meaning}) => ({word: `${given}=${word}`, meaning}))
  }
  const previous = own.at(-1)
  if (previous?.startsWith('-') && acceptsValue(command, previous))
    return listFlagValues(command, previous, typed, known)
  if (typed.startsWith('-')) return listFlagNames(command, own)
  return listArgumentValues(command, own, typed, known)
}

/** The words without flags before the command, but for one that still has no value. */
function skipLeadingFlags(words: readonly string[]): readonly string[] {
  const [first = ''] = words
  const skipped = LEADING_SWITCHES.includes(first) ? 1 : LEADING_OPTIONS.includes(first) ? 2 : 0
  return skipped > 0 && words.length >= skipped ? skipLeadingFlags(words.slice(skipped)) : words
}

/** Values of a flag that stands before the command: those that it has behind any. */
async function listLeadingValues(
  flag: string,
  typed: string,
  {commands, known}: Pick<Known, 'commands' | 'known'>,
): Promise<Candidates> {
  const command = Object.values(commands).find(each => acceptsValue(each, flag))
  return command ? listFlagValues(command, flag, typed, known) : []
}

/** bash hands `--output=json` over as three words. */
function joinAssignments(words: readonly string[]): string[] {
  return words.filter(word => word !== '=')
}

/** How many words the command takes up, `undefined` while it is not complete. */
function countCommandWords(before: readonly string[], commands: Commands): number | undefined {
  for (let length = before.length; length > 0; length--) {
    if (commands[before.slice(0, length).join(':')]) return length
  }
  return undefined
}

/** What there is help about. */
function listHelpWords(before: readonly string[], commands: Commands, topics: Topics): Candidate[] {
  if (before[0] === 'schema') return before.length === 1 ? SCHEMA_WORDS : []
  const words = listNextWords(before, commands, topics).filter(({word}) =>
    TOP_WORDS.every(([top]) => top !== word),
  )
  return before.length === 0 ? [...words, ...HELP_WORDS] : words
}

/** What can be typed first and is no command. */
const TOP_WORDS: readonly [string, string][] = [['help', 'Show help']]

/** The words that lead on to a command. */
function listNextWords(before: readonly string[], commands: Commands, topics: Topics = {}): Candidate[] {
  const found = new Map(before.length === 0 ? TOP_WORDS : [])
  for (const command of Object.values(commands)) {
    const words = command.id.split(':')
    const word = words[before.length]
    if (command.hidden || word === undefined || before.some((each, at) => each !== words[at])) continue
    const isLast = words.length === before.length + 1
    const meaning = isLast
      ? takeFirstLine(command.summary)
      : (topics[word]?.description ?? `${word} commands`)
    if (isLast || !found.has(word)) found.set(word, meaning)
  }
  return [...found].sort().map(([word, meaning]) => ({word, meaning}))
}

function listFlagNames(command: Command.Cached, own: readonly string[]): Candidate[] {
  return Object.values(command.flags)
    .filter(flag => !flag.hidden && (isRepeated(flag) || !own.some(word => isFlag(word, flag))))
    .flatMap(flag => {
      const meaning = takeFirstLine(flag.summary ?? flag.description)
      const both = flag.type === 'boolean' && flag.allowNo
      return [
        {word: `--${flag.name}`, meaning},
        ...(both ? [{word: `--no-${flag.name}`, meaning: `not: ${meaning}`}] : []),
      ]
    })
    .concat({word: '--help', meaning: 'Show examples, arguments and flags'})
}

/** Values of a flag; of a list with commas or a condition, `begun` is kept up to the last of its words and its sign. */
async function listFlagValues(
  command: Command.Cached,
  name: string,
  begun: string,
  known: KnownValues,
): Promise<Candidates> {
  const flag = Object.values(command.flags).find(each => isFlag(name, each))
  if (flag?.type !== 'option') return []
  const kept = /^(?:.*[,\s(])?[+-]?/s.exec(begun)?.[0] ?? ''
  const values = flag.options ?? (await known(`--${flag.name}`, command.id, [], begun.slice(kept.length)))
  return values.length === 0 && FILE_VALUE.test(`${flag.helpValue}`) ? undefined : toCandidates(values, kept)
}

/** Values of the argument whose turn it is, judged by how many have been given. */
async function listArgumentValues(
  command: Command.Cached,
  own: readonly string[],
  typed: string,
  known: KnownValues,
): Promise<Candidates> {
  const args = Object.values(command.args)
  const given = own.filter((word, at) => !word.startsWith('-') && !acceptsValue(command, own[at - 1] ?? ''))
  const arg = args[Math.min(given.length, args.length - 1)]
  if (!arg || (given.length >= args.length && !('multiple' in arg && arg.multiple))) return []
  const values = toCandidates(arg.options ?? (await known(arg.name, command.id, given, typed)))
  const isOffered = values.some(({word}) => word.startsWith(typed))
  return !isOffered && !arg.options && FILE_ARGUMENT.test(arg.description ?? '') ? undefined : values
}

/** @param kept what has been typed before the value */
function toCandidates(values: readonly string[], kept = ''): Candidate[] {
  return values.filter(value => HARMLESS.test(value)).map(value => ({word: kept + value, meaning: ''}))
}

function acceptsValue(command: Command.Cached, word: string): boolean {
  return Object.values(command.flags).some(flag => flag.type === 'option' && isFlag(word, flag))
}

function isFlag(word: string, flag: Flag): boolean {
  const [name = ''] = word.split('=')
  return (
    name === `--${flag.name}` ||
    name === `--no-${flag.name}` ||
    (flag.char !== undefined && name === `-${flag.char}`)
  )
}

function isRepeated(flag: Flag): boolean {
  return flag.type === 'option' && flag.multiple === true
}

function takeFirstLine(text = ''): string {
  return text.split('\n')[0] ?? ''
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/**
 * A script that has the shell ask `storectl completion candidates` at every press of the key, so that it never grows
 * old. In a folder that zsh completes from, the script is the body of its function. Where there is no candidate, the shell offers file names; where the only one is empty, it offers nothing.
 */
export const COMPLETION_SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `_storectl() {
  local word meaning
  COMPREPLY=()
  while IFS=$'\\t' read -r word meaning; do
    if [[ -z $word ]]; then compopt +o default 2>/dev/null; continue; fi
    if [[ $word == *. ]]; then compopt -o nospace 2>/dev/null; fi
    COMPREPLY+=("$word")
  done < <(storectl completion candidates -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _storectl storectl
`,
  zsh: `#compdef storectl
_storectl() {
  local -a described onward
  local word meaning
  while IFS=$'\\t' read -r word meaning; do
    if [[ -z $word ]]; then return; fi
    word="\${word//:/\\\\:}\${meaning:+:$meaning}"
    if [[ $word == *. ]]; then onward+=("$word"); else described+=("$word"); fi
  done < <(storectl completion candidates -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( $#described + $#onward == 0 )); then _files; return; fi
  if (( $#described )); then _describe 'storectl' described; fi
  if (( $#onward )); then _describe 'storectl' onward -S ''; fi
}
if [[ $funcstack[1] == _storectl ]]; then _storectl; else compdef _storectl storectl; fi
`,
  fish: `function __storectl_candidates
  set -l typed (commandline --tokenize --cut-at-cursor --current-process)
  set -l found (storectl completion candidates -- $typed[2..-1] (commandline --current-token --cut-at-cursor) 2>/dev/null)
  if test (count $found) -gt 0
    string match --regex -- '.+' $found
  else
    __fish_complete_path (commandline --current-token --cut-at-cursor)
  end
end
complete --command storectl --no-files --arguments '(__storectl_candidates)'
`,
}
