import type {Command} from '@oclif/core/command'
import {SETTINGS} from '../../config/setting-definitions.js'
import {isTopic} from '../manifest/argv.js'
import type {Manifest, Program} from '../manifest/manifest.js'
import {renderCommandHelp, renderGlobalFlagsHelp} from './command-help.js'
import {renderExitCodesHelp} from './exit-codes-help.js'
import {type HelpLayout, joinSections, renderDefinitions, renderSection, wrap} from './help-layout.js'
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
  const id = words.join(':')
  if (id === 'exit-codes') return renderExitCodesHelp(layout)
  if (id === 'environment') return renderEnvironmentHelp(layout)
  const ids = Object.keys(program.commands)
  const known = ids.includes(id) || id === 'flags'
  if (words.length > 0 && !known && !isTopic(words, ids)) return undefined
  const {commands} = await program.manifest()
  if (id === 'flags') return renderGlobalFlagsHelp(Object.values(commands), layout)
  const command = commands[id]
  if (command) return renderCommandHelp(command, layout)
  return words.length === 0
    ? renderRootHelp(program.about, commands, layout)
    : renderTopicHelp(words, program, commands, layout)
}

/** Variables that are no settings, because they hold a secret or locate the settings. */
const OTHERS: readonly (readonly [string, string])[] = [
  ['STORECTL_HOME', 'Folder for settings, credentials, records and cache'],
  ['STORECTL_URL', 'Base URL of the shop; nothing is saved, and credentials come from the environment'],
  ['STORECTL_CLIENT_ID', 'Client id'],
  ['STORECTL_CLIENT_SECRET', 'Client secret'],
  ['STORECTL_USERNAME', 'Administration user'],
  ['STORECTL_PASSWORD', 'Password of the administration user'],
  ['STORECTL_TOKEN', 'Access token, used unchanged'],
  ['STORECTL_WEBHOOK_TOKEN', 'Webhook token'],
  ['STORECTL_PROVIDER_URL', "Base URL of the payment provider's API"],
  ['STORECTL_PROVIDER_CLIENT_ID', 'Provider API client id'],
  ['STORECTL_PROVIDER_CLIENT_SECRET', 'Provider API client secret'],
  ['PGHOST, PGPORT, PGDATABASE, PGUSER', 'Parts missing in the PostgreSQL address'],
  ['PGPASSWORD, PGPASSFILE', 'PostgreSQL password, or its file (default ~/.pgpass, mode 0600)'],
  ['HTTPS_PROXY, HTTP_PROXY, NO_PROXY', 'Proxy, and hosts to reach without it'],
  ['NODE_EXTRA_CA_CERTS', 'Additional trusted CA certificates (PEM)'],
  ['NODE_DEBUG', 'Ignored, because it prints secrets; use --debug'],
  ['STORECTL_PAGER, PAGER', 'Pager of long results on a terminal (default less -FRX); "cat" is none'],
  ['LESSSECURE', 'If empty: less may save files, and Ctrl-Z suspends it'],
  ['NO_COLOR', 'Disables colours'],
  ['TERM', 'If "dumb": disables colours, prompts and the pager'],
  ['CI', 'Disables prompts and the pager'],
  ['XDG_CONFIG_HOME', 'Parent folder of settings and credentials (default ~/.config; Linux only)'],
  ['XDG_STATE_HOME', 'Parent folder of records and the bundled shop (default ~/.local/state)'],
  ['XDG_CACHE_HOME', 'Parent folder of the cache (default ~/.cache)'],
  ['APPDATA, LOCALAPPDATA', 'Windows: parent folder of settings and credentials; of everything else'],
  ['HOME, USERPROFILE', 'Home folder'],
  ['USER, LOGNAME, USERNAME', 'Operator name in runs, if the system has none'],
]

/** `storectl help environment` */
export function renderEnvironmentHelp(layout: HelpLayout): string {
  const settings = Object.values(SETTINGS).map(({env, about}) => [env, about] as const)
  return joinSections([
    renderSection('EXAMPLES', ['$ STORECTL_HOME=/tmp/rehearsal storectl server start'], layout),
    renderSection('ENVIRONMENT', renderDefinitions([...settings, ...OTHERS], layout), layout),
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
