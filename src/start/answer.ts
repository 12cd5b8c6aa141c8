import type {Context} from '../context.js'
import {EXIT, type StorectlError} from '../errors.js'
import {failureJson, failureText} from '../output/failure.js'
import {wantsJson} from '../output/wants-json.js'
import {helpText} from './help.js'
import {unknownCommand} from './unknown-command.js'
import type {Program, Wish} from './words.js'

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
  if (wish.kind === 'version') {
    await world.stdout.write(`${world.userAgent}\n`)
    return EXIT.ok
  }
  const text = wish.kind === 'help' ? await helpText(wish.words, program, paper(world)) : undefined
  if (text === undefined) return refuse(unknownCommand(wish.words, argv, Object.keys(program.commands)))
  await world.stdout.write(text)
  return EXIT.ok

  async function refuse(error: StorectlError): Promise<number> {
    await world.stderr.write(wantsJson(argv) ? failureJson(error) : failureText(error, false))
    return error.exit
  }
}

/** What help is printed on: as wide as the terminal, bold only where that can be shown. */
function paper({stdout, env}: Context['world']) {
  const bold = stdout.isTerminal && !env.NO_COLOR && env.TERM !== 'dumb'
  return {columns: stdout.columns ?? 80, bold}
}
