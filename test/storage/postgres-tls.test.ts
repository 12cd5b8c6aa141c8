import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {type Cluster, startCluster} from '../support/postgres/cluster.js'
import {ask, newDatabase} from '../support/postgres/database.js'
import {storectl} from '../support/storectl.js'

const folder = join(import.meta.dirname, '../fixtures/tls/')
const file = (name: string) => join(folder, `${name}.pem`)
const ROOT = {sslrootcert: file('authority')}

let right: Cluster
let ofAnotherHost: Cluster
let databases = 0

beforeAll(async () => {
  const showing = (name: string) => startCluster({tls: {cert: file(name), key: file(name)}})
  ;[right, ofAnotherHost] = await Promise.all([showing('good'), showing('other')])
}, 60_000)
afterAll(async () => {
  await Promise.all([right, ofAnotherHost].map(cluster => cluster?.stop()))
})

/** Notes of whoever makes a table how the connection was encrypted over which it was made. */
const WATCH = `
  create schema watch;
  create table watch.seen (program text, ssl boolean, version text);
  create function watch.note() returns event_trigger language plpgsql as $$ begin
    insert into watch.seen select current_setting('application_name'), ssl, version
    from pg_stat_ssl where pid = pg_backend_pid();
  end $$;
  create event trigger noted on ddl_command_end when tag in ('CREATE TABLE') execute function watch.note()`

/** A new database that writes down who comes how. */
async function watched({createDatabase, url}: Cluster) {
  const name = `tls_${++databases}`
  await createDatabase(name)
  await ask(url(name), WATCH)
  const seen = async () =>
    (await ask(url(name), 'select distinct program, ssl, version from watch.seen')).rows
  return {url: url(name), seen}
}

function over(url: string, parameters: Record<string, string>, words: string[], env = {}) {
  const address = `${url}?${new URLSearchParams(parameters)}`
  const shop = {STORECTL_URL: 'https://shop.example'}
  return storectl([...words, '-o', 'json'], {env: {...shop, STORECTL_DATABASE_URL: address, ...env}})
}

const MIGRATE = ['database', 'migrate']
const ENCRYPTED = [{program: 'storectl', ssl: true, version: expect.stringMatching(/^TLSv1\.[23]$/)}]

test.each([
  ['verify-full with a root', {sslmode: 'verify-full', ...ROOT}, {}],
  [
    'verify-full with the file of authorities',
    {sslmode: 'verify-full'},
    {STORECTL_CA_FILE: file('authority')},
  ],
  ['verify-ca with a root', {sslmode: 'verify-ca', ...ROOT}, {}],
  ['require without a root', {sslmode: 'require'}, {}],
])('%s is encrypted, as PostgreSQL itself says', async (_, parameters, env) => {
  const {url, seen} = await watched(right)
  const {exit, stderr} = await over(url, parameters, MIGRATE, env)
  expect(stderr).toBe('')
  expect(exit).toBe(0)
  expect(await seen()).toEqual(ENCRYPTED)
  const status = await over(url, parameters, ['database', 'status', '--check'], env)
  expect(JSON.parse(status.stdout)[0]).toMatchObject({name: 'records', state: 'current', check: 'ok'})
})

test('on this machine nothing is encrypted unless it is said', async () => {
  const {url, seen} = await watched(right)
  expect((await over(url, {}, MIGRATE)).exit).toBe(0)
  expect(await seen()).toEqual([{program: 'storectl', ssl: false, version: null}])
})

test.each([
  ['verify-ca takes', 'verify-ca', 0],
  ['verify-full refuses', 'verify-full', 6],
])('%s a certificate for another host', async (_, sslmode, wanted) => {
  const {url, seen} = await watched(ofAnotherHost)
  const {exit, stderr} = await over(url, {sslmode, ...ROOT}, MIGRATE)
  expect(exit).toBe(wanted)
  expect(await seen()).toEqual(wanted === 0 ? ENCRYPTED : [])
  if (wanted !== 0) expect(refusal(stderr, url)).toContain('not for 127.0.0.1 but for DNS:shop.example')
})

test.each([
  ['verify-full without a root', {sslmode: 'verify-full'}],
  ['verify-ca without a root', {sslmode: 'verify-ca'}],
  ['verify-full with a root of somebody else', {sslmode: 'verify-full', sslrootcert: file('certificate')}],
  ['require with a root of somebody else', {sslmode: 'require', sslrootcert: file('certificate')}],
])('%s is refused', async (_, parameters) => {
  const {url, seen} = await watched(right)
  const {exit, stderr} = await over(url, parameters, MIGRATE)
  expect(exit).toBe(6)
  expect(refusal(stderr, url)).toMatch(/unable to verify the first certificate/)
  expect(JSON.parse(stderr).error.nextSteps[0]).toContain('sslrootcert=FILE')
  expect(await seen()).toEqual([])
})

test('a PostgreSQL that speaks no TLS is not spoken to without', async () => {
  const url = await newDatabase()
  const {exit, stderr} = await over(url, {sslmode: 'require'}, MIGRATE)
  expect(exit).toBe(6)
  expect(refusal(stderr, url)).toContain('does not support SSL connections')
})

/** The message of a refusal that names the place and keeps the password. */
function refusal(stderr: string, address: string): string {
  const {password, host, pathname} = new URL(address)
  for (const secret of [password, decodeURIComponent(password)]) expect(stderr).not.toContain(secret)
  const {code, message} = JSON.parse(stderr).error
  expect(code).toBe('unavailable.database')
  expect(message).toContain(`postgres://${host}${pathname}`)
  return message
}
