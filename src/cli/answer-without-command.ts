import {type Host, openPager} from '../app/host.js'
import {createUsageError, EXIT, StorectlError} from '../errors.js'
import {findNearest} from '../language/nearest-word.js'
import {formatErrorJson, formatErrorText} from '../output/error-report.js'
import {Stopped} from '../platform/interruption.js'
import {renderHelp} from './help/help.js'
import {type CommandRequest, isTopic, splitWords, wantsJson} from './manifest/argv.js'
import type {Program} from './manifest/manifest.js'

/**
 * Answers what needs no command: help, the version, a word that names nothing.
 *
 * @returns the exit code
 */
export async function answerWithoutCommand(
  request: Exclude<CommandRequest, {kind: 'run'}>,
  argv: readonly string[],
  program: Program,
  host: Host,
): Promise<number> {
  try {
    const text = await answerText(request, argv, program, host)
    const paged = await openPager(host, () => !UNPAGED.some(flag => argv.includes(flag)))
    await (paged?.host ?? host).stdout.write(text)
    await paged?.leave()
    return EXIT.ok
  } catch (error) {
    if (error instanceof Stopped) return EXIT.ok
    const failure = error as Error
    const isJson = wantsJson(argv) || /^(nd)?json$/.test(host.env.STORECTL_OUTPUT ?? '')
    const text = isJson
      ? formatErrorJson(failure, host.stderr)
      : await formatErrorText(failure, false, host.stderr)
    await host.stderr.write(text).catch(() => undefined)
    return failure instanceof StorectlError ? failure.exit : EXIT.internal
  }
}

/** Flags of those who want the text as it is. */
const UNPAGED = ['--no-pager', '--no-input', '--debug']

async function answerText(
  request: Exclude<CommandRequest, {kind: 'run'}>,
  argv: readonly string[],
  program: Program,
  host: Host,
): Promise<string> {
  if (request.kind === 'version') return `${host.userAgent}\n`
  const text =
    request.kind === 'help' ? await renderHelp(request.words, program, chooseLayout(host)) : undefined
  if (text === undefined) throw createUnknownCommandError(request.words, argv, Object.keys(program.commands))
  return text
}

/** What help is printed on: as wide as the terminal, bold only where that can be shown. */
function chooseLayout({stdout, env}: Host) {
  const bold = stdout.isTerminal && !env.NO_COLOR && env.TERM !== 'dumb'
  return {columns: stdout.columns ?? 80, bold}
}

/**
 * The answer to words that name no command: the nearest name, never a prompt.
 *
 * @param words the words before the first flag
 */
export function createUnknownCommandError(
  words: readonly string[],
  argv: readonly string[],
  ids: readonly string[],
): StorectlError {
  const names = ids.map(id => id.replaceAll(':', ' '))
  if (words.length === 0 || isTopic(words, ids)) return createMissingCommandError(words, argv)
  const meant = findMeantCommand(splitWords(words), names)
  const typed = takeWords(words, meant ? meant.split(' ').length : 2)
  const guess = meant === undefined ? '' : ` Did you mean "storectl ${meant}"?`
  return createUsageError('unknown_command', `Unknown command "${typed}".${guess}`, [
    `storectl ${meant ?? findTopic(splitWords(words), ids)}--help`.replace(/(\S)--help$/, '$1 --help'),
  ])
}

function createMissingCommandError(words: readonly string[], argv: readonly string[]): StorectlError {
  const [flag] = argv.find(word => word.startsWith('-'))?.split('=') ?? []
  const topic = ['storectl', ...splitWords(words)].join(' ')
  return createUsageError('flag_first', `Missing command. Write: ${topic} COMMAND ${flag}`, [
    `${topic} --help`,
  ])
}

/** What was typed of a command with so many words. */
function takeWords(typed: readonly string[], count: number): string {
  const ends = typed.map((_, at) => splitWords(typed.slice(0, at + 1)).length)
  return typed.slice(0, ends.filter(end => end < count).length + 1).join(' ')
}

/** The command that was most likely meant: a slip of the fingers, words swapped, or a verb without its noun. */
function findMeantCommand(words: readonly string[], names: readonly string[]): string | undefined {
  const [first = '', second = ''] = words
  const swapped = `${second} ${first}`
  if (names.includes(swapped)) return swapped
  for (let length = Math.min(words.length, 3); length > 0; length--) {
    const sameLength = names.filter(name => name.split(' ').length === length)
    const near = findNearest(words.slice(0, length).join(' '), sameLength)
    if (near !== undefined) return near
  }
  const topics = new Set(names.map(name => name.split(' ')[0] ?? ''))
  const byVerb = names.filter(name => name.split(' ').at(-1) === first)
  if (byVerb.length === 1) return byVerb[0]
  return topics.has(first) ? undefined : findNearest(first, topics)
}

function findTopic(words: readonly string[], ids: readonly string[]): string {
  return isTopic(words.slice(0, 1), ids) ? `${words[0]} ` : ''
}
