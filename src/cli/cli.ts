import type {Context} from '../context.js'
import {read} from './manifest/argv.js'
import type {Program} from './manifest/manifest.js'

export type {Program} from './manifest/manifest.js'

/**
 * Does what the words ask for: runs the command, or prints help.
 *
 * @param argv the words after `storectl`
 * @param program what there is to run
 * @param context the world that the command acts on
 * @returns the exit code of the process; it never rejects for what a command does
 */
export async function start(argv: readonly string[], program: Program, context: Context): Promise<number> {
  const wish = read(argv, Object.keys(program.commands))
  if (wish.kind === 'run') return (await import('./run-command.js')).runCommand(wish, program, context)
  return (await import('./answer.js')).answer(wish, argv, program, context)
}
