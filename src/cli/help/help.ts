import type {Command} from '@oclif/core/command'
import {SETTINGS} from '../../config/setting-definitions.js'
import {isTopic} from '../manifest/argv.js'
import type {About, Manifest, Program} from '../manifest/manifest.js'
import {listFirstExamples, renderCommandHelp} from './command-help.js'
import {renderExitCodesHelp} from './exit-codes-help.js'
import {type HelpLayout, joinSections, renderDefinitions, renderSection, wrap} from './help-layout.js'

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

/** Variables that are no settings, because they hold a secret or say where settings are. */
const OTHERS: readonly (readonly [string, string])[] = [
  ['STORECTL_HOME', 'one folder for settings, credentials, records and cache'],
  ['STORECTL_URL', 'base URL of the shop; no setting is written, the sign-in comes from the environment too'],
  ['STORECTL_CLIENT_ID', 'client id to sign in with'],
  ['STORECTL_CLIENT_SECRET', 'the secret of that client'],
  ['STORECTL_USERNAME', 'name of an administrator to sign in as'],
  ['STORECTL_PASSWORD', 'the password of that administrator'],
  ['STORECTL_TOKEN', 'an access token to use as it is'],
  ['STORECTL_WEBHOOK_TOKEN', "the token in the shop's webhook address"],
  ['STORECTL_PROVIDER_URL', "base URL of the payment provider's own interface"],
  ['STORECTL_PROVIDER_CLIENT_ID', 'client id to sign in with there'],
  ['STORECTL_PROVIDER_CLIENT_SECRET', 'the secret of that client'],
  ['PGHOST, PGPORT, PGDATABASE, PGUSER', 'what the address of a PostgreSQL leaves out'],
  ['PGPASSWORD, PGPASSFILE', 'its password; the file of mode 0600 that it is in, ~/.pgpass unless given'],
  ['HTTPS_PROXY, HTTP_PROXY, NO_PROXY', 'proxy to go through, and the hosts to reach without it'],
  ['NODE_EXTRA_CA_CERTS', 'PEM file of certificate authorities that Node trusts as well'],
  ['NODE_DEBUG', 'passed over, because secrets would be printed; --debug shows each call without them'],
  ['NO_COLOR', 'no colours'],
  ['TERM', 'no colours and no questions where it is "dumb"'],
  ['CI', 'no questions'],
  [
    'XDG_CONFIG_HOME',
    'where the folder of settings and credentials is, in place of ~/.config; not on macOS and Windows',
  ],
  ['XDG_STATE_HOME', 'the same for records and the bundled shop, in place of ~/.local/state'],
  ['XDG_CACHE_HOME', 'the same for the cache, in place of ~/.cache'],
  ['APPDATA, LOCALAPPDATA', 'the same on Windows: settings and credentials; everything else'],
  ['HOME, USERPROFILE', 'the home folder, where none of these is set'],
  ['USER, LOGNAME, USERNAME', 'who a run is said to be by, where the system has no name for its user'],
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

/** What a newcomer types first, in this order. */
const FIRST = ['login', 'webhook:list', 'webhook:replay', 'order:submit', 'customer:search']

/** What `storectl` alone prints: how to begin, and every command there is. */
export function renderRootHelp(
  {description, version}: About,
  commands: Commands,
  layout: HelpLayout,
): string {
  return joinSections([
    renderSection('EXAMPLES', listFirstExamples(FIRST.flatMap(id => commands[id] ?? [])), layout),
    renderSection('ABOUT', wrap(`storectl ${version}: ${description}`, layout.columns - 2), layout),
    renderSection('USAGE', ['$ storectl COMMAND [flags]'], layout),
    renderSection('COMMANDS', renderDefinitions(listCommandRows(Object.values(commands)), layout), layout),
    renderSection(
      'LEARN MORE',
      ['storectl COMMAND --help', 'storectl help exit-codes', 'storectl help environment'],
      layout,
    ),
  ])
}

/** The commands below a topic. */
export function renderTopicHelp(
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
    renderSection('EXAMPLES', listFirstExamples(below), layout),
    description && renderSection('ABOUT', wrap(description, layout.columns - 2), layout),
    renderSection('USAGE', [`$ ${typed} COMMAND [flags]`], layout),
    renderSection('COMMANDS', renderDefinitions(listCommandRows(below), layout), layout),
    renderSection('LEARN MORE', [`${typed} COMMAND --help`, 'storectl help exit-codes'], layout),
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
