import {SETTINGS} from '../config/setting.js'
import {definitions, type Paper, page, section} from './paper.js'

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
  ['HTTPS_PROXY, HTTP_PROXY, NO_PROXY', 'proxy to go through, and the hosts to reach without it'],
  ['NODE_EXTRA_CA_CERTS', 'PEM file of certificate authorities that Node trusts as well'],
  ['NO_COLOR', 'no colours'],
  ['CI', 'no questions'],
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
