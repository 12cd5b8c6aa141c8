import {commandHelp} from './help-command.js'
import {exitCodesHelp} from './help-exit-codes.js'
import {rootHelp, topicHelp} from './help-topic.js'
import type {Paper} from './paper.js'
import type {Program} from './program.js'
import {isTopic} from './words.js'

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
  if (id === 'environment') return (await import('./help-environment.js')).environmentHelp(paper)
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
