import type {Host} from '../app/host.js'
import type {Context} from '../context.js'
import {EXIT, StorectlError} from '../errors.js'
import {failureJson, failureText} from '../output/error-report.js'
import {Stopped} from '../platform/interruption.js'
import {helpText} from './help/help.js'
import type {Wish} from './manifest/argv.js'
import type {Program} from './manifest/manifest.js'
import {wantsJson} from './manifest/wants-json.js'
import {unknownCommand} from './unknown-command.js'

/**
 * Answers what needs no command: help, the version, a word that names nothing.
 *
 * @returns the exit code
 */
export async function answer(
  wish: Exclude<Wish, {kind: 'run'}>,
  argv: readonly string[],
  program: Program,
  {host}: Context,
): Promise<number> {
  try {
    await host.stdout.write(await answerText(wish, argv, program, host))
    return EXIT.ok
  } catch (error) {
    if (error instanceof Stopped) return EXIT.ok
    const failure = error as Error
    const isJson = wantsJson(argv) || /^(nd)?json$/.test(host.env.STORECTL_OUTPUT ?? '')
    const text = isJson ? failureJson(failure) : failureText(failure, false)
    await host.stderr.write(text).catch(() => undefined)
    return failure instanceof StorectlError ? failure.exit : EXIT.internal
  }
}

async function answerText(
  wish: Exclude<Wish, {kind: 'run'}>,
  argv: readonly string[],
  program: Program,
  host: Host,
): Promise<string> {
  if (wish.kind === 'version') return `${host.userAgent}\n`
  const text = wish.kind === 'help' ? await helpText(wish.words, program, paper(host)) : undefined
  if (text === undefined) throw unknownCommand(wish.words, argv, Object.keys(program.commands))
  return text
}

/** What help is printed on: as wide as the terminal, bold only where that can be shown. */
function paper({stdout, env}: Host) {
  const bold = stdout.isTerminal && !env.NO_COLOR && env.TERM !== 'dumb'
  return {columns: stdout.columns ?? 80, bold}
}
