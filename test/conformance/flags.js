import {parseArgs} from 'node:util'

export const HELP = `Holds a shop against the protocol, row by row.

  npm run test:conformance                                   the bundled server
  npm run test:conformance -- --url https://shop.example --client-id SWIA…

  --url URL                 base URL of the shop; without it the bundled server is started
  --client-id ID            an integration that may do everything
  --username NAME           a user who is an administrator; without it, rows that need one are skipped
  --webhook-token-file FILE holds the payment provider's token; without it, rows that need one are skipped
  --provider NAME           payment provider in paths (paypal)
  --token-prefix PREFIX     of the webhook's token in query strings (sw)
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
  rows: {type: 'string'},
  help: {type: 'boolean', default: false},
}

/**
 * What was typed, made sense of.
 *
 * @param argv words behind the program
 * @param environment where secrets are
 * @param readText reads the file of the webhook's token
 * @returns `{help}`, `{mistake}`, or `{rows, environment}`, the latter for the suite's process
 */
export function understand(argv, environment, readText) {
  try {
    const {values} = parseArgs({args: argv, options: OPTIONS})
    if (values.help) return {help: HELP}
    return {
      rows: values.rows,
      environment: values.url ? aimed(values, environment, readText) : bundled(values),
    }
  } catch (error) {
    return {mistake: error.message}
  }
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
