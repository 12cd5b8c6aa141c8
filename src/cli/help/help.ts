import {isTopic} from '../manifest/argv.js'
import type {Program} from '../manifest/manifest.js'
import {renderCommandHelp} from './command-help.js'
import {renderExitCodesHelp} from './exit-codes-help.js'
import type {HelpLayout} from './help-layout.js'
import {renderEnvironmentHelp, renderRootHelp, renderTopicHelp} from './topic-help.js'

/**
 * The help for some words: a command, a topic, a table, or everything.
 *
 * @returns `undefined` when the words name nothing
 */
export async function renderHelp(
  words: readonly string[],
  program: Program,
  layout: HelpLayout,
): Promise<string | undefined> {
  const id = words.join(':')
  if (id === 'exit-codes') return renderExitCodesHelp(layout)
  if (id === 'environment') return renderEnvironmentHelp(layout)
  const ids = Object.keys(program.commands)
  const known = ids.includes(id)
  if (words.length > 0 && !known && !isTopic(words, ids)) return undefined
  const {commands} = await program.manifest()
  const command = commands[id]
  if (command) return renderCommandHelp(command, layout)
  return words.length === 0
    ? renderRootHelp(program.about, commands, layout)
    : renderTopicHelp(words, program, commands, layout)
}
