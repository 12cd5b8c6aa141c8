import {parseArgs} from 'node:util'

/** The versions that there are rows for. */
export const VERSIONS = ['6.5', '6.6', '6.7']

export const HELP = `Holds a shop against the protocol, row by row.

  npm run test:conformance                                   the bundled server
  npm run test:conformance -- --shop-version 6.7             the bundled server as another version
  npm run test:conformance -- --url https://shop.example --client-id SWIA…

  --url URL                 base URL of the shop; without it the bundled server is started
  --client-id ID            an integration that may do everything
  --username NAME           a user who is an administrator; without it, rows that need one are skipped
  --webhook-token-file FILE holds the payment provider's token; without it, rows that need one are skipped
  --provider NAME           payment provider in paths (paypal)
  --token-prefix PREFIX     of the webhook's token in query strings (sw)
  --shop-version VERSION    ${VERSIONS.join(', ')}: what the bundled server plays (6.6); a shop says its own unless this is given
  --rows PATTERN            only rows whose title matches, such as '§2.5'
  --help                    this text

Secrets come by environment: STORECTL_CLIENT_SECRET, STORECTL_PASSWORD, STORECTL_WEBHOOK_TOKEN.
Rows write customers, orders, integrations and users of their own to the shop, and remove them in the end;
use a shop that is there for tests. What a shop must not suffer (throttling, faults) is skipped there.
`

const OPTIONS = {
  url: {type: 'string'},
  'client-id': {type: 'string'},
  username: {type: 'string'},
  'webhook-token-file': {type: 'string'},
  provider: {type: 'string', default: 'paypal'},
  'token-prefix': {type: 'string', default: 'sw'},
  'shop-version': {type: 'string'},
  rows: {type: 'string'},
  help: {type: 'boolean', default: false},
}

/**
 * What was typed, made sense of.
 *
 * @param argv words behind the program
 * @param environment where secrets are
 * @param readText reads the file of the webhook's token
 * @returns `{help}`, `{mistake}`, or `{rows, environment}`, the latter for the suite's process; `asks` is the address
 *   of a shop whose version is still to be asked
 */
export function understand(argv, environment, readText) {
  try {
    const {values} = parseArgs({args: argv, options: OPTIONS})
    if (values.help) return {help: HELP}
    const version = values['shop-version']
    if (version !== undefined && !VERSIONS.includes(version))
      throw new Error(`--shop-version is one of ${VERSIONS.join(', ')}.`)
    return {
      rows: values.rows,
      ...(values.url && version === undefined ? {asks: baseUrl(values.url)} : {}),
      environment: {
        ...(values.url ? aimed(values, environment, readText) : bundled(values)),
        CONFORMANCE_VERSION: version ?? '6.6',
      },
    }
  } catch (error) {
    return {mistake: error.message}
  }
}

/**
 * The version that a shop says to anybody.
 *
 * @param url base URL
 * @returns {Promise<string>} as `--shop-version` takes it
 * @throws Error where the shop does not say it, or is of a version that was not measured
 */
export async function askVersion(url) {
  const headers = {accept: 'application/json', 'sw-expect-packages': 'shopware/core:>=99'}
  const answer = await fetch(`${url}/api/_info/health-check`, {headers})
  const said = /Installed is: (\d+\.\d+)[\d.]*/.exec(await answer.text())
  if (!said) throw new Error(`The shop does not say its version; give --shop-version.`)
  const [, version] = said
  if (!VERSIONS.includes(version))
    throw new Error(`The shop is ${version}; rows are for ${VERSIONS.join(', ')}.`)
  return version
}

function bundled(values) {
  const useless = ['client-id', 'username', 'webhook-token-file'].find(name => values[name] !== undefined)
  if (useless) throw new Error(`--${useless} goes with --url; the bundled server has credentials of its own.`)
  return {STORECTL_CONFORMANCE: ''}
}

function aimed(values, environment, readText) {
  const {username, provider, 'client-id': clientId, 'token-prefix': tokenPrefix} = values
  if (!clientId) throw new Error('--url needs --client-id, the access key of an integration (SWIA…).')
  if (!environment.STORECTL_CLIENT_SECRET)
    throw new Error(`Set STORECTL_CLIENT_SECRET to the secret of ${clientId}.`)
  if (username && !environment.STORECTL_PASSWORD)
    throw new Error(`Set STORECTL_PASSWORD to the password of ${username}.`)
  const url = baseUrl(values.url)
  const file = values['webhook-token-file']
  return {
    STORECTL_CONFORMANCE: JSON.stringify({
      url,
      clientId,
      provider,
      tokenPrefix,
      ...(username ? {username} : {}),
    }),
    ...(file === undefined ? {} : {STORECTL_WEBHOOK_TOKEN: readText(file).trim()}),
  }
}

function baseUrl(text) {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error(`--url: ${text} is no http or https address.`)
  if (url.username || url.password) throw new Error('--url: leave the credentials out of the address.')
  return (url.origin + url.pathname).replace(/\/+$/, '')
}
