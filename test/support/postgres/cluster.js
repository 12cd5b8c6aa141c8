import {chmod, chown, copyFile, mkdtemp, rm, stat} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {freePort} from '../free-port.js'
import {readableFor} from './readable.js'

const USER = 'storectl'
const PASSWORD = 'only for tests'

/**
 * Starts a PostgreSQL in a folder of its own.
 *
 * @param isDurable whether commits wait for the disk; only tests that end it by force need that
 * @param tls PEM files of a certificate and its key; with them it speaks TLS to whoever asks for it
 */
export async function startCluster({isDurable = false, tls} = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'storectl-postgres-'))
  // PostgreSQL does not run as root: its files belong to a user of its own, who has to get there.
  await chmod(folder, 0o755)
  const data = join(folder, 'data')
  const port = await freePort()
  const Postgres = await readableFor(folder)
  const postgres = new Postgres({
    databaseDir: data,
    user: USER,
    password: PASSWORD,
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    // Another order than that of bytes, so that whoever relies on the database's own is found out.
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US'],
    postgresFlags: [...SMALL, ...(isDurable ? [] : FAST), ...(tls ? TLS : [])],
    onLog: () => undefined,
    onError: () => undefined,
  })
  await postgres.initialise()
  if (tls) await give(data, tls)
  await postgres.start()
  process.once('exit', () => postgres.process?.kill('SIGINT'))
  return {
    url: database => `postgres://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${database}`,
    createDatabase: name => postgres.createDatabase(name),
    restart: async () => {
      await postgres.stop()
      await postgres.start()
    },
    killBackends: async () => {
      const client = postgres.getPgClient('postgres')
      client.on('error', () => {})
      await client.connect()
      const {rows} = await client.query(
        "select pid from pg_stat_activity where application_name = 'storectl' and pid <> pg_backend_pid()",
      )
      for (const {pid} of rows) killIfThere(pid)
      await client.end().catch(() => {})
    },
    stop: async () => {
      await postgres.stop()
      await rm(folder, {recursive: true, force: true})
    },
  }
}

const SMALL = ['-c', 'max_connections=200', '-c', 'shared_buffers=64MB', '-c', 'listen_addresses=127.0.0.1']
const FAST = ['fsync', 'synchronous_commit', 'full_page_writes', 'autovacuum'].flatMap(name => [
  '-c',
  `${name}=off`,
])
const TLS = ['-c', 'ssl=on', '-c', 'ssl_cert_file=tls-cert.pem', '-c', 'ssl_key_file=tls-key.pem']

/** Copies certificate and key to the data: PostgreSQL takes no key that belongs to, or is read by, anybody else. */
async function give(data, {cert, key}) {
  const {uid, gid} = await stat(data)
  for (const [from, name] of [
    [cert, 'tls-cert.pem'],
    [key, 'tls-key.pem'],
  ]) {
    const to = join(data, name)
    await copyFile(from, to)
    await chmod(to, 0o600)
    if (process.getuid?.() === 0) await chown(to, uid, gid)
  }
}

/** PostgreSQL ends all other connections once one was killed, so that the next may be gone by now. */
function killIfThere(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}
