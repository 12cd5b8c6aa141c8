import type {World} from '../context/world.js'
import type {Context} from '../context.js'
import {EXIT, StorectlError} from '../errors.js'
import {failureJson, failureText} from '../output/failure.js'
import {wantsJson} from '../output/wants-json.js'
import {Stopped} from '../platform/interruption.js'
import {helpText} from './help.js'
import type {Program} from './program.js'
import {unknownCommand} from './unknown-command.js'
import type {Wish} from './words.js'

/**
 * Answers what needs no command: help, the version, a word that names nothing.
 *
 * @returns the exit code
 */
export async function answer(
  wish: Exclude<Wish, {kind: 'run'}>,
  argv: readonly string[],
  program: Program,
  {world}: Context,
): Promise<number> {
  try {
    await world.stdout.write(await answerText(wish, argv, program, world))
    return EXIT.ok
  } catch (error) {
    if (error instanceof Stopped) return EXIT.ok
    const failure = error as Error
    const isJson = wantsJson(argv) || /^(nd)?json$/.test(world.env.STORECTL_OUTPUT ?? '')
    const text = isJson ? failureJson(failure) : failureText(failure, false)
    await world.stderr.write(text).catch(() => undefined)
    return failure instanceof StorectlError ? failure.exit : EXIT.internal
  }
}

async function answerText(
  wish: Exclude<Wish, {kind: 'run'}>,
  argv: readonly string[],
  program: Program,
  world: World,
): Promise<string> {
  if (wish.kind === 'version') return `${world.userAgent}\n`
  const text = wish.kind === 'help' ? await helpText(wish.words, program, paper(world)) : undefined
  if (text === undefined) throw unknownCommand(wish.words, argv, Object.keys(program.commands))
  return text
}

/** What help is printed on: as wide as the terminal, bold only where that can be shown. */
function paper({stdout, env}: World) {
  const bold = stdout.isTerminal && !env.NO_COLOR && env.TERM !== 'dumb'
  return {columns: stdout.columns ?? 80, bold}
}
