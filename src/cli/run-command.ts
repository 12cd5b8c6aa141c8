import type {Command} from '@oclif/core/command'
import {HOST, type Host, keepSmall} from '../app/host.js'
import {describeUnknownVariables} from '../config/variables.js'
import {writeNote} from '../output/write-note.js'
import {type CommandRequest, describeRenamed} from './manifest/argv.js'
import {PROGRAM, type Program} from './manifest/manifest.js'

type CommandClass = new (...parameters: ConstructorParameters<typeof Command>) => {_run(): Promise<number>}

/**
 * Runs one command as oclif would: only the command's class is loaded, and nothing is searched.
 *
 * @returns the exit code, which a `BaseCommand` resolves to
 */
export async function runCommand(
  {id, argv, renamed}: Extract<CommandRequest, {kind: 'run'}>,
  program: Program,
  host: Host,
): Promise<number> {
  if (renamed !== undefined) await writeNote(host.stderr, describeRenamed(renamed))
  for (const line of describeUnknownVariables(host.env)) await writeNote(host.stderr, line)
  const config = {
    version: program.about.version,
    commandIDs: Object.keys(program.commands),
    options: {[HOST]: host, [PROGRAM]: program},
    runHook: async () => ({successes: [], failures: []}),
    runCommand: async (name: string, words: readonly string[]) => {
      const loaded = (await program.commands[name]?.())?.default
      const kind = Object.assign(loaded as unknown as CommandClass, {id: name})
      return new kind([...words], config as unknown as Command['config'])._run()
    },
  }
  return config.runCommand(id, argv).finally(keepSmall(host, id))
}
