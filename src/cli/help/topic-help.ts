import type {Command} from '@oclif/core/command'
import {SETTINGS} from '../../config/setting-definitions.js'
import type {About, Manifest, Program} from '../manifest/manifest.js'
import {firstExamples} from './command-help.js'
import {definitions, type Paper, page, section, wrap} from './help-layout.js'

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
export function environmentHelp(paper: Paper): string {
  const settings = Object.values(SETTINGS).map(({env, about}) => [env, about] as const)
  return page([
    section('EXAMPLES', ['$ STORECTL_HOME=/tmp/rehearsal storectl server start'], paper),
    section('ENVIRONMENT', definitions([...settings, ...OTHERS], paper), paper),
    section('LEARN MORE', ['storectl config list --show-origin'], paper),
  ])
}

type Commands = Manifest['commands']

/** What a newcomer types first, in this order. */
const FIRST = ['login', 'webhook:list', 'webhook:replay', 'order:submit', 'customer:search']

/** What `storectl` alone prints: how to begin, and every command there is. */
export function rootHelp({description, version}: About, commands: Commands, paper: Paper): string {
  return page([
    section('EXAMPLES', firstExamples(FIRST.flatMap(id => commands[id] ?? [])), paper),
    section('ABOUT', wrap(`storectl ${version}: ${description}`, paper.columns - 2), paper),
    section('USAGE', ['$ storectl COMMAND [flags]'], paper),
    section('COMMANDS', definitions(commandRows(Object.values(commands)), paper), paper),
    section(
      'LEARN MORE',
      ['storectl COMMAND --help', 'storectl help exit-codes', 'storectl help environment'],
      paper,
    ),
  ])
}

/** The commands below a topic. */
export function topicHelp(
  words: readonly string[],
  {about}: Program,
  commands: Commands,
  paper: Paper,
): string {
  const prefix = `${words.join(':')}:`
  const below = Object.values(commands).filter(command => command.id.startsWith(prefix))
  const typed = `storectl ${words.join(' ')}`
  const description = about.oclif.topics?.[words.join(':')]?.description ?? ''
  return page([
    section('EXAMPLES', firstExamples(below), paper),
    description && section('ABOUT', wrap(description, paper.columns - 2), paper),
    section('USAGE', [`$ ${typed} COMMAND [flags]`], paper),
    section('COMMANDS', definitions(commandRows(below), paper), paper),
    section('LEARN MORE', [`${typed} COMMAND --help`, 'storectl help exit-codes'], paper),
  ])
}

function commandRows(commands: readonly Command.Cached[]): [string, string][] {
  return commands
    .filter(command => !command.hidden)
    .map(command => [command.id.replaceAll(':', ' '), firstLine(command.summary ?? command.description)])
}

function firstLine(text = ''): string {
  return text.split('\n')[0] ?? ''
}
