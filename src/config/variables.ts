import {findNearest} from '../language/nearest-word.js'
import {SETTINGS} from './setting-definitions.js'

type Env = Readonly<Record<string, string | undefined>>

/** Variables that are not settings, because they contain a secret or locate the settings. */
const OTHERS: readonly (readonly [string, string])[] = [
  ['STORECTL_HOME', 'Folder for settings, credentials, records and cache'],
  ['STORECTL_URL', 'Base URL of the shop; nothing is saved, and credentials come from the environment'],
  ['STORECTL_CLIENT_ID', 'Client id'],
  ['STORECTL_CLIENT_SECRET', 'Client secret'],
  ['STORECTL_USERNAME', 'Administration user'],
  ['STORECTL_PASSWORD', 'Password of the administration user'],
  ['STORECTL_TOKEN', 'Access token, used unchanged'],
  ['STORECTL_WEBHOOK_TOKEN', 'Webhook token'],
  ['STORECTL_NOTIFY_URL', 'URL of --notify, where it is a secret'],
  ['STORECTL_PROVIDER_URL', "Base URL of the payment provider's API"],
  ['STORECTL_PROVIDER_CLIENT_ID', 'Provider API client id'],
  ['STORECTL_PROVIDER_CLIENT_SECRET', 'Provider API client secret'],
  ['PGHOST, PGPORT, PGDATABASE, PGUSER', 'Parts missing in the PostgreSQL address'],
  ['PGPASSWORD, PGPASSFILE', 'PostgreSQL password, or its file (default ~/.pgpass, mode 0600)'],
  ['HTTPS_PROXY, HTTP_PROXY, ALL_PROXY', 'HTTP proxy by the scheme of the URL, or for both'],
  ['NO_PROXY', 'Hosts, addresses and ranges (10.0.0.0/8) to reach without it; "*" is all'],
  ['NODE_EXTRA_CA_CERTS', 'Additional trusted CA certificates (PEM)'],
  ['NODE_DEBUG', 'Ignored, because it prints secrets; use --debug'],
  ['STORECTL_PAGER, PAGER', 'Pager of long results on a terminal (default less -FRX); "cat" is none'],
  ['LESSSECURE', 'If empty: less may save files, and Ctrl-Z suspends it'],
  ['NO_COLOR', 'Disables colours'],
  ['TERM', 'If "dumb": disables colours, prompts and the pager'],
  ['CI', 'Disables prompts and the pager; a shop has to be chosen, as without a terminal'],
  ['XDG_CONFIG_HOME', 'Parent folder of settings and credentials (default ~/.config; Linux only)'],
  ['XDG_STATE_HOME', 'Parent folder of records and the bundled shop (default ~/.local/state)'],
  ['XDG_CACHE_HOME', 'Parent folder of the cache (default ~/.cache)'],
  ['APPDATA, LOCALAPPDATA', 'Windows: parent folder of settings and credentials; of everything else'],
  ['HOME, USERPROFILE', 'Home folder'],
  ['USER, LOGNAME, USERNAME', 'Operator name in runs, if the system has none'],
]

/** Every variable that storectl reads, with its purpose; a row may name several. */
export const VARIABLES: readonly (readonly [string, string])[] = [
  ...Object.values(SETTINGS).map(({env, about}) => [env, about] as const),
  ...OTHERS,
]

const NAMES = VARIABLES.flatMap(([names]) => names.split(', '))
const PREFIX = 'STORECTL_'

/** Variables with the path of a file or folder; no shell expands a `~` from a file of variables. */
const PATHS: readonly string[] = [
  ...['STORECTL_HOME', 'STORECTL_CA_FILE', 'STORECTL_CERT', 'STORECTL_KEY'],
  ...['PGPASSFILE'],
]

/**
 * The corrected values of variables: a secret store or a file with CRLF leaves a line end after a value, an editor a
 * byte order mark before it. White space around our own variables is never part of the value.
 *
 * @param home the user's home folder, which `~` stands for
 */
export function readMeantVariables(env: Env, home: string | undefined): Record<string, string> {
  const meant: Record<string, string> = {}
  for (const name of NAMES) {
    const text = env[name]
    if (text === undefined) continue
    const trimmed = name.startsWith(PREFIX) ? text.trim() : text.replace(/(?<![\r\n])[\r\n]+$/, '')
    const value = PATHS.includes(name) && home ? trimmed.replace(/^~(?=$|[/\\])/, () => home) : trimmed
    if (value !== text) meant[name] = value
  }
  return meant
}

/** The note about variables that look like ours but are unknown: nothing else would show that they have no effect. */
export function describeUnknownVariables(env: Env): string[] {
  const ours = NAMES.filter(name => name.startsWith(PREFIX))
  return Object.keys(env)
    .filter(name => name.startsWith(PREFIX) && !ours.includes(name))
    .map(name => {
      const meant = findMeantName(
        name.slice(PREFIX.length),
        ours.map(each => each.slice(PREFIX.length)),
      )
      const hint =
        meant === undefined ? 'storectl help environment lists all' : `did you mean ${PREFIX}${meant}?`
      return `warning: unknown variable ${name}; ${hint}`
    })
}

/** The name with all the words of the typed one, else the nearest one. */
function findMeantName(typed: string, names: readonly string[]): string | undefined {
  const words = typed.split('_')
  return names.find(name => words.every(word => name.split('_').includes(word))) ?? findNearest(typed, names)
}
