import {type ChildProcessByStdio, spawn} from 'node:child_process'
import type {Readable, Writable} from 'node:stream'
import type {Clock} from './clock.js'
import {type Interruption, Stopped} from './interruption.js'

/** A request to the keyring; `account` names an entry. */
export type KeyringRequest =
  | {readonly act: 'read' | 'remove'; readonly account: string}
  | {readonly act: 'write'; readonly account: string; readonly text: string}
  /** Writes an entry of its own, reads it and deletes it. */
  | {readonly act: 'probe'}

export interface KeyringAnswer {
  /** The entry, `undefined` when there is none. */
  readonly text?: string
  /** Why it failed, as a message for a person. */
  readonly failure?: string
}

/**
 * The keyring of the operating system. It always responds: a keyring that does not answer counts as a failure.
 *
 * @throws Stopped if the command was interrupted meanwhile
 */
export type Keyring = (request: KeyringRequest) => Promise<KeyringAnswer>

export interface KeyringOptions {
  /** The program that accesses the keyring, `bin/keyring.js`. */
  readonly program: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  readonly interruption: Interruption
  /** How long to wait for a response: a person who has to unlock it needs longer than a machine. */
  readonly limitMs: number
  /** Called once, when a response takes longer. */
  readonly onWait: () => Promise<void>
}

const LONG_WAIT_MS = 1500

/** How long the program may take to start, also on a busy machine. */
const START_LIMIT_MS = 30_000

/** How long an interrupted command still waits for a response, so that a renewed token is not lost. */
const LAST_WAIT_MS = 500

/** For how long an unresponsive keyring is not tried again. */
const SILENCE_MS = 30_000

/**
 * Accesses the keyring in a separate process, one request after the other: an unresponsive bus would block this process
 * for ever. Secrets are passed through pipes only.
 */
export function processKeyring(options: KeyringOptions): Keyring {
  const {clock, interruption, limitMs} = options
  let silentSince = Number.NEGATIVE_INFINITY
  let last: Promise<unknown> = Promise.resolve()
  const askKeyring = async (request: KeyringRequest): Promise<KeyringAnswer> => {
    const silence = {failure: `it has not answered within ${limitMs / 1000} s`}
    if (clock.now().getTime() - silentSince < SILENCE_MS) return silence
    const answer = await requestAnswer(request, options)
    if (answer) return answer
    if (interruption.cause) throw new Stopped(interruption.cause)
    silentSince = clock.now().getTime()
    return silence
  }
  return request => {
    const answer = last.then(() => askKeyring(request))
    last = answer.catch(() => {})
    return answer
  }
}

/** The response, `undefined` when none came in time. */
async function requestAnswer(
  request: KeyringRequest,
  options: KeyringOptions,
): Promise<KeyringAnswer | undefined> {
  const {program, env, interruption, limitMs, onWait} = options
  const child = spawn(process.execPath, [program], {
    // A process group of its own: only the command gets Ctrl-C, and it waits for a write in progress.
    detached: process.platform !== 'win32',
    env: filterEnvironment(env),
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  })
  const kill = () => child.kill('SIGKILL')
  const limits = [setTimeout(kill, START_LIMIT_MS), setTimeout(() => void onWait(), LONG_WAIT_MS)]
  child.stdout.once('data', () => {
    clearTimeout(limits[0])
    limits.push(setTimeout(kill, limitMs))
  })
  const setKillTimer = () => limits.push(setTimeout(kill, LAST_WAIT_MS))
  if (interruption.stopping.aborted) setKillTimer()
  interruption.stopping.addEventListener('abort', setKillTimer, {once: true})
  try {
    child.stdin.on('error', () => {})
    child.stdin.write(`${JSON.stringify(request)}\n`)
    return await answerOf(child)
  } finally {
    for (const limit of limits) clearTimeout(limit)
    interruption.stopping.removeEventListener('abort', setKillTimer)
  }
}

/** The environment without storectl's own variables, some of which hold secrets, and without what changes Node. */
function filterEnvironment(env: KeyringOptions['env']): NodeJS.ProcessEnv {
  const isOurs = (name: string) => /^(STORECTL_|NODE_|DEBUG$)/i.test(name)
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isOurs(name)))
}

function answerOf(child: ChildProcessByStdio<Writable, Readable, null>): Promise<KeyringAnswer | undefined> {
  const parts: Buffer[] = []
  child.stdout.on('data', (part: Buffer) => parts.push(part))
  return new Promise(resolve => {
    child.once('error', error => resolve({failure: `its process cannot be started (${error.message})`}))
    child.once('close', () => {
      const line = Buffer.concat(parts).toString('utf8')
      if (/\S\n$/.test(line)) resolve(JSON.parse(line) as KeyringAnswer)
      else resolve(child.killed ? undefined : {failure: 'its process ended without an answer'})
    })
  })
}
