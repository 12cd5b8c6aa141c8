import type {Host} from '../app/host.js'
import {parseRequest} from './manifest/argv.js'
import type {Program} from './manifest/manifest.js'

export type {Program} from './manifest/manifest.js'

/**
 * Runs the command in the arguments, or prints help.
 *
 * @param argv the arguments after `storectl`
 * @param program the available commands
 * @param host the machine that the command runs on
 * @returns the exit code of the process; it never rejects because of a command
 */
export async function start(argv: readonly string[], program: Program, host: Host): Promise<number> {
  const request = parseRequest(argv, Object.keys(program.commands))
  if (request.kind === 'run') return (await import('./run-command.js')).runCommand(request, program, host)
  return (await import('./answer-without-command.js')).answerWithoutCommand(request, argv, program, host)
}
