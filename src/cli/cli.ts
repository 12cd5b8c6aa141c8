import type {Host} from '../app/host.js'
import {parseRequest} from './manifest/argv.js'
import type {Program} from './manifest/manifest.js'

export type {Program} from './manifest/manifest.js'

/**
 * Does what the words ask for: runs the command, or prints help.
 *
 * @param argv the words after `storectl`
 * @param program what there is to run
 * @param host the machine that the command runs on
 * @returns the exit code of the process; it never rejects for what a command does
 */
export async function start(argv: readonly string[], program: Program, host: Host): Promise<number> {
  const request = parseRequest(argv, Object.keys(program.commands))
  if (request.kind === 'run') return (await import('./run-command.js')).runCommand(request, program, host)
  return (await import('./answer-without-command.js')).answerWithoutCommand(request, argv, program, host)
}
