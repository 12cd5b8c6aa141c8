import {isTopic} from '../manifest/argv.js'
import type {Program} from '../manifest/manifest.js'
import {commandHelp} from './command-help.js'
import {exitCodesHelp} from './exit-codes-help.js'
import type {Paper} from './help-layout.js'
import {environmentHelp, rootHelp, topicHelp} from './topic-help.js'

/**
 * The help for some words: a command, a topic, a table, or everything.
 *
 * @returns `undefined` when the words name nothing
 */
export async function helpText(
  words: readonly string[],
  program: Program,
  paper: Paper,
): Promise<string | undefined> {
  const id = words.join(':')
  if (id === 'exit-codes') return exitCodesHelp(paper)
  if (id === 'environment') return environmentHelp(paper)
  const ids = Object.keys(program.commands)
  const known = ids.includes(id)
  if (words.length > 0 && !known && !isTopic(words, ids)) return undefined
  const {commands} = await program.manifest()
  const command = commands[id]
  if (command) return commandHelp(command, paper)
  return words.length === 0
    ? rootHelp(program.about, commands, paper)
    : topicHelp(words, program, commands, paper)
}
