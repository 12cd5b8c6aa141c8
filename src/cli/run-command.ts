import type {Command} from '@oclif/core/command'
import {Config} from '@oclif/core/config'
import {HOST, type Host} from '../app/host.js'
import {describeUnknownVariables} from '../config/variables.js'
import {writeNote} from '../output/write-note.js'
import {type CommandRequest, describeRenamed} from './manifest/argv.js'
import {PROGRAM, type Program} from './manifest/manifest.js'

/**
 * Runs one command through oclif with a ready-made plugin: nothing is searched, and only the command's class is loaded.
 *
 * @returns the exit code, which a `BaseCommand` resolves to
 */
export async function runCommand(
  {id, argv, renamed}: Extract<CommandRequest, {kind: 'run'}>,
  program: Program,
  host: Host,
): Promise<number> {
  const {root, about} = program
  const plugins = [createPlugin(program)]
  const options = {root, pjson: about, plugins, [HOST]: host, [PROGRAM]: program}
  if (renamed !== undefined) await writeNote(host.stderr, describeRenamed(renamed))
  for (const line of describeUnknownVariables(host.env)) await writeNote(host.stderr, line)
  // Colours are ours, and a file of them would be looked for twice at every start: oclif loads the configuration again.
  Config.prototype.loadTheme = async () => undefined
  const config = await Config.load(options as unknown as Parameters<typeof Config.load>[0])
  return await config.runCommand<number>(id, [...argv])
}

/** The plugin that oclif would have built from package.json and the manifest. */
function createPlugin(program: Program) {
  const plugin = {
    name: program.about.name,
    version: program.about.version,
    root: program.root,
    pjson: program.about,
    type: 'core',
    valid: true,
    hooks: {},
    topics: [],
    commands: Object.entries(program.commands).map(([id, load]) => ({
      id,
      aliases: [],
      hiddenAliases: [],
      args: {},
      flags: {},
      load: async () => attachPlugin(id, (await load()).default),
    })),
  }
  const attachPlugin = (id: string, command: Command.Class) => Object.assign(command, {id, plugin})
  return plugin
}
