import {execFileSync, spawn} from 'node:child_process'
import {once} from 'node:events'
import {createServer, type Socket} from 'node:net'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {onTestFinished} from 'vitest'
import {temporaryFolder} from './home.js'
import {findMissingPrograms} from './installed.js'

const PROGRAMS = ['dbus-daemon', 'gnome-keyring-daemon']

/** The programs of a Secret Service that are not here; none where there can be one. */
export function missingPrograms(): string[] {
  if (process.platform !== 'linux') return PROGRAMS
  return findMissingPrograms(PROGRAMS)
}

/** What a process needs of its environment to find a keyring. */
export type SessionEnv = Readonly<Record<'DBUS_SESSION_BUS_ADDRESS' | 'HOME' | 'XDG_RUNTIME_DIR', string>>

export interface SecretService {
  readonly env: SessionEnv
  /** Everything that storectl has in it, by account. */
  readonly entries: () => Record<string, string>
  readonly put: (account: string, text: string) => void
  /** Stops the bus as one that hangs: it takes connections and says nothing any more. */
  readonly fallSilent: () => void
}

/** A D-Bus of the test's own with an unlocked keyring on it. */
export async function secretService(): Promise<SecretService> {
  const folder = temporaryFolder('keyring')
  const base = {PATH: process.env.PATH ?? '', HOME: folder, XDG_RUNTIME_DIR: folder}
  const bus = spawn('dbus-daemon', ['--session', '--nofork', '--nopidfile', '--print-address'], {
    env: base,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void bus.kill('SIGKILL'))
  const [address] = (await once(createInterface(bus.stdout), 'line')) as [string]
  const env = {...base, DBUS_SESSION_BUS_ADDRESS: address}
  // It goes on in the background once it is ready, and ends with its bus.
  const argv = ['--unlock', '--components=secrets']
  const daemon = spawn('gnome-keyring-daemon', argv, {env, stdio: ['pipe', 'ignore', 'ignore']})
  daemon.stdin.end('test')
  await once(daemon, 'exit')
  return {
    env,
    entries: () => JSON.parse(asked(LIST, env)),
    put: (account, text) => void asked(PUT, env, JSON.stringify([account, text])),
    fallSilent: () => bus.kill('SIGSTOP'),
  }
}

const ENTRIES = `
const {deflateRawSync, inflateRawSync} = require('node:zlib')
const {findCredentials, Entry} = require('@napi-rs/keyring')
const entry = name => new Entry('storectl', name, {linux: {store: 'secret-service'}})
`

const LIST = `${ENTRIES}
const text = name => inflateRawSync(Buffer.from(entry(name).getSecret())).toString()
console.log(JSON.stringify(Object.fromEntries(findCredentials('storectl').map(({account}) => [account, text(account)]))))`

const PUT = `${ENTRIES}
const [account, text] = JSON.parse(require('node:fs').readFileSync(0, 'utf8'))
entry(account).setSecret(deflateRawSync(text))`

/** Asks the service itself, past storectl's own program. */
function asked(program: string, env: SessionEnv, input = ''): string {
  const cwd = join(import.meta.dirname, '../..')
  return execFileSync(process.execPath, ['-e', program], {cwd, env, input, encoding: 'utf8'})
}

export interface SilentBus {
  readonly env: Readonly<Record<'DBUS_SESSION_BUS_ADDRESS', string>>
  /** Waits until somebody is connected. */
  readonly connected: () => Promise<void>
  /** Waits until nobody is any more. */
  readonly left: () => Promise<void>
}

/** A D-Bus that takes connections and never says a word. */
export async function silentBus(): Promise<SilentBus> {
  const path = join(temporaryFolder('silent'), 'bus')
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.resume()
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      server.emit('left')
    })
  })
  server.listen(path)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return {
    env: {DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}`},
    connected: async () => {
      if (sockets.size === 0) await once(server, 'connection')
    },
    left: async () => {
      while (sockets.size > 0) await once(server, 'left')
    },
  }
}
