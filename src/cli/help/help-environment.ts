import {SETTINGS} from '../../config/setting-definitions.js'
import {definitions, type Paper, page, section} from './help-layout.js'

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
