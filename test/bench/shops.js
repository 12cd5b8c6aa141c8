import {cp, rm, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import process from 'node:process'
import {plainEnvironment} from './processes.js'
import {run, side, start} from './programs.js'

/** storectl with a home of its own. */
export function storectlIn({storectl}, home, more = {}) {
  const env = plainEnvironment({STORECTL_HOME: home, ...more})
  return (...argv) => ({argv: [process.execPath, storectl, ...argv], env, isNode: true})
}

/** The bundled server on the shop of a home; with `stop()`. */
export function bundledShop(options, home, port = 0) {
  const own = storectlIn(options, home)
  return start(own('server', 'start', '--port', String(port), '-o', 'json', '--log-level', 'error'))
}

/** A shop of bare node:http that takes its time over a webhook and a search, milliseconds; with `stop()`. */
export function plainShop(webhookMs = 0, searchMs = 0) {
  return start(side('plain-shop', webhookMs, searchMs))
}

/** What `storectl login` is told of a shop whose credentials nobody checks. */
const ANY_CREDENTIALS = {
  clientId: 'SWIAEXAMPLEEXAMPLEEXAMPLE1',
  clientSecret: 'x'.repeat(51),
  webhookToken: 'x'.repeat(32),
}

/** Signs a home in to a shop; the first profile becomes the current one. */
export async function signIn(options, home, {url, credentials = ANY_CREDENTIALS}, profile = 'bench') {
  const own = storectlIn(options, home)
  const secrets = [join(home, 'client-secret'), join(home, 'webhook-token')]
  await writeFile(secrets[0], credentials.clientSecret)
  await writeFile(secrets[1], credentials.webhookToken)
  const files = ['--client-secret-file', secrets[0], '--webhook-token-file', secrets[1]]
  await run(own('login', '--profile', profile, '--url', url, '--client-id', credentials.clientId, ...files))
}

/** A fresh copy of a home, for one run; code that was compiled once is kept. */
export async function copyOf(home, place) {
  await rm(place, {recursive: true, force: true})
  await cp(home, place, {recursive: true})
  return place
}
