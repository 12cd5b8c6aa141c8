import type {Command} from '@oclif/core/command'
import {VARIABLES} from '../../config/variables.js'
import {isTopic} from '../manifest/argv.js'
import type {Manifest, Program} from '../manifest/manifest.js'
import {renderCommandHelp, renderGlobalFlagsHelp} from './command-help.js'
import {renderExitCodesHelp} from './exit-codes-help.js'
import {
  fitPage,
  type HelpLayout,
  joinSections,
  renderDefinitions,
  renderSection,
  wrap,
} from './help-layout.js'
import {type HelpTopic, isHelpTopic} from './help-topics.js'
import {renderRootHelp} from './root-help.js'

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
  if (words[0] === 'help') return renderHelp([], program, layout)
  const id = words.join(':')
  if (isHelpTopic(id)) return renderPage(id, program, layout)
  const ids = Object.keys(program.commands)
  if (words[0] === 'schema') return (await import('./contract-help.js')).renderSchema(words.slice(1), ids)
  if (words.length > 0 && !ids.includes(id) && !isTopic(words, ids)) return undefined
  const {commands} = await program.manifest()
  const command = commands[id]
  if (command) return renderCommandHelp(command, layout)
  return words.length === 0
    ? renderRootHelp(program.about, commands, layout)
    : renderTopicHelp(words, program, commands, layout)
}

async function renderPage(topic: HelpTopic, program: Program, layout: HelpLayout): Promise<string> {
  if (topic === 'exit-codes') return renderExitCodesHelp(layout)
  if (topic === 'environment') return renderEnvironmentHelp(layout)
  if (topic === 'flags') {
    const {commands} = await program.manifest()
    return renderGlobalFlagsHelp(Object.values(commands), layout)
  }
  if (topic === 'unattended') return renderUnattendedHelp(layout)
  if (topic === 'schema') return (await import('./contract-help.js')).renderSchemasHelp(layout)
  if (topic === 'stability') {
    const {commands} = await program.manifest()
    return (await import('./contract-help.js')).renderStabilityHelp(commands, layout)
  }
  // Its tables are in half of all folders.
  const {TABLE_TOPICS} = await import('./table-topics.js')
  return TABLE_TOPICS[topic](layout)
}

/** `storectl help unattended`: the page of the docs, whose units can be copied. */
async function renderUnattendedHelp(layout: HelpLayout): Promise<string> {
  const {default: page} = await import('../../../docs/unattended.md?raw')
  const examples = [
    '$ storectl webhook replay --watch --profile shop --yes',
    '$ storectl run list --kind watch',
  ]
  return joinSections([renderSection('EXAMPLES', examples, layout), fitPage(page, layout)])
}

/** `storectl help environment` */
export function renderEnvironmentHelp(layout: HelpLayout): string {
  return joinSections([
    renderSection('EXAMPLES', ['$ STORECTL_HOME=/tmp/rehearsal storectl server start'], layout),
    renderSection('ENVIRONMENT', renderDefinitions(VARIABLES, layout), layout),
    renderSection('LEARN MORE', ['storectl config list --show-origin'], layout),
  ])
}

type Commands = Manifest['commands']

/** The commands below a topic. */
function renderTopicHelp(
  words: readonly string[],
  {about}: Program,
  commands: Commands,
  layout: HelpLayout,
): string {
  const prefix = `${words.join(':')}:`
  const below = Object.values(commands).filter(command => command.id.startsWith(prefix))
  const typed = `storectl ${words.join(' ')}`
  const description = about.oclif.topics?.[words.join(':')]?.description ?? ''
  return joinSections([
    description && renderSection('ABOUT', wrap(description, layout.columns - 2), layout),
    renderSection('USAGE', [`$ ${typed} COMMAND [flags]`], layout),
    renderSection('COMMANDS', renderDefinitions(listCommandRows(below), layout), layout),
    `Examples, arguments and flags: ${typed} COMMAND --help\n`,
  ])
}

function listCommandRows(commands: readonly Command.Cached[]): [string, string][] {
  return commands
    .filter(command => !command.hidden)
    .map(command => [command.id.replaceAll(':', ' '), takeFirstLine(command.summary ?? command.description)])
}

function takeFirstLine(text = ''): string {
  return text.split('\n')[0] ?? ''
}
