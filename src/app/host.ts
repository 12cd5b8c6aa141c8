import {readFileSync} from 'node:fs'
import {homedir} from 'node:os'
import {join} from 'node:path'
import {findEnvironmentSecrets} from '../auth/credentials/secrets.js'
import {readMeantVariables} from '../config/variables.js'
import {Redaction} from '../output/redaction/redaction.js'
import type {NoteOutput} from '../output/write-note.js'
import {type Clock, machineClock} from '../platform/clock.js'
import {Interruption, listenForSignals} from '../platform/interruption.js'
import type {Env} from '../platform/processes.js'
import {keepHeapSmall} from '../platform/small-heap.js'
import {replaceWrite, type Sink, type Source, sinkTo} from '../platform/streams.js'
import {BottomLine} from '../platform/terminal/bottom-line.js'
import type {ProgressBar} from '../platform/terminal/progress-bar.js'
import {createTerminalPrompts, type Prompts} from '../platform/terminal/prompts.js'

/** Key of the host in oclif's load options. */
export const HOST = Symbol.for('storectl.host')

/** The machine that a command runs on. A test replaces its parts; files and network are real there too. */
export interface HostParts {
  readonly env: Env
  readonly clock: Clock
  readonly stdin: Source
  readonly stdout: Sink
  readonly stderr: Sink
  readonly interruption: Interruption
  readonly platform: NodeJS.Platform
  /** `storectl/0.1.0 linux-x64 node-v20.20.2` */
  readonly userAgent: string
  /** The folder of storectl's own package.json; in an executable, a path that no file can have. */
  readonly root: string
  /** The bytes of a file of storectl's own package by its path, `oclif.manifest.json`. @throws Error where it is not there */
  readonly readPackageFile: (path: string) => Buffer
  /** The user's home folder, `undefined` where there is none. */
  readonly home: string | undefined
  /** The working folder. */
  readonly folder: () => string
  readonly openPrompts: (possible: boolean) => Prompts
  /** Whether a person may be there: stdin, stdout or stderr is a terminal, and `CI` is not set. */
  readonly isAttended: () => boolean
  /** Whether the command may change settings of the whole process: nothing else runs in it, before or after. */
  readonly hasProcessToItself: boolean
  /** Called with the error that ends a command. */
  readonly onFailure?: ((error: Error) => void) | undefined
}

/** The machine, whose stderr shows no secret. */
export interface Host extends HostParts {
  readonly stderr: Sink & Pick<NoteOutput, 'keepShop'>
  /** Secrets read so far; none is ever written to stderr. */
  readonly redaction: Redaction
  /** A bar at the bottom of the terminal; `undefined` if stderr cannot redraw a line, or nobody watches it. */
  openProgressBar(): Promise<ProgressBar | undefined>
}

/** Removes the secrets of the environment from stderr, and keeps both streams above a progress bar. */
export function createHost(parts: HostParts): Host {
  const meant = readMeantVariables(parts.env, parts.home)
  // On Windows, the environment of a process ignores the case of names; a copy would not.
  const env = Object.keys(meant).length > 0 ? {...parts.env, ...meant} : parts.env
  const redaction = new Redaction()
  for (const secret of findEnvironmentSecrets(env)) redaction.hide(secret)
  const bottom = new BottomLine()
  const {stdout, stderr} = parts
  return {
    ...{...parts, env},
    redaction,
    stdout: bottom.createSinkAbove(stdout),
    stderr: bottom.createSinkAbove(redact(stderr, redaction)),
    openProgressBar: async () => {
      if (!stderr.isTerminal || env.CI || env.TERM === 'dumb') return undefined
      const {openProgressBar} = await import('../platform/terminal/progress-bar.js')
      return openProgressBar(stderr, bottom)
    },
  }
}

function redact(sink: Sink, redaction: Redaction): Sink {
  return replaceWrite(sink, text => sink.write(typeof text === 'string' ? redaction.clean(text) : text))
}

/** A machine whose stdout goes through a pager once it is longer than the terminal. */
export interface PagedHost {
  readonly host: Host
  /** Waits until the person has left the pager. @throws StorectlError where it did not start */
  leave(): Promise<void>
}

/** Puts a pager in front of a terminal; `undefined` if there is none, or it is turned off. */
export async function openPager(host: Host, isWanted: () => boolean): Promise<PagedHost | undefined> {
  const {env, stdout} = host
  if (!stdout.isTerminal || !stdout.rows || env.CI) return undefined
  const {choosePager, Pager} = await import('../platform/terminal/pager.js')
  const command = choosePager(env)
  if (command === undefined) return undefined
  const pager = new Pager({...host, command, isWanted})
  const {stdout: paged, stderr} = pager
  const openProgressBar = () => pager.openProgressBar()
  return {host: {...host, stdout: paged, stderr, openProgressBar}, leave: () => pager.close()}
}

/**
 * Keeps the process small that runs nothing but this command, at a few percent of its speed; the bundled server, which
 * answers many, is left as it is.
 *
 * @param command its id, `webhook:import`
 * @returns ends that, to be called with the command's end
 */
export function keepSmall(host: Host, command: string): () => void {
  return host.hasProcessToItself && command !== 'server:start' ? keepHeapSmall() : () => {}
}

/** The machine as it is, for the process that runs the command. @param readPackageFile of an executable */
export function openHost(
  process: NodeJS.Process,
  userAgent: string,
  root: string,
  readPackageFile = (path: string) => readFileSync(join(root, path)),
): Host {
  const interruption = new Interruption()
  listenForSignals(interruption, process)
  const home = findHomeFolder()
  // Libraries ask for a home as they load, and throw where there is none. Debian gives this one to users without a home.
  if (home === undefined && process.platform !== 'win32') process.env.HOME = '/nonexistent'
  // Changed in place: libraries read some of them themselves.
  Object.assign(process.env, readMeantVariables(process.env, home))
  // Opening `process.stdin` or `process.stderr` takes milliseconds, and most commands use neither.
  const isTerminal = (descriptor: number) => process.getBuiltinModule('node:tty').isatty(descriptor)
  return createHost({
    env: process.env,
    clock: machineClock,
    stdin: {
      get isTerminal() {
        return isTerminal(0)
      },
      open: () => process.stdin,
    },
    stdout: sinkTo(() => process.stdout, 'stdout', interruption),
    stderr: sinkTo(() => process.stderr, 'stderr'),
    interruption,
    platform: process.platform,
    userAgent,
    root,
    readPackageFile,
    home,
    folder: () => process.cwd(),
    openPrompts: possible =>
      createTerminalPrompts(possible, {
        input: () => process.stdin,
        output: () => process.stderr,
        interruption,
      }),
    isAttended: () => !process.env.CI && [0, 1, 2].some(isTerminal),
    hasProcessToItself: true,
  })
}

function findHomeFolder(): string | undefined {
  try {
    return homedir() || undefined
  } catch {
    return undefined
  }
}
