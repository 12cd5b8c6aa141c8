import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {StorectlError} from '../../errors.js'
import type {Interruption} from '../interruption.js'
import type {Env} from '../processes.js'
import {replaceWrite, type Sink, sinkTo} from '../streams.js'
import type {ProgressBar} from './progress-bar.js'

/** Terminal streams whose output goes through a pager. */
export interface PagedStreams {
  readonly stdout: Sink
  readonly stderr: Sink
  /** Opens a bar below the result; there is none while the pager runs. */
  openProgressBar(): Promise<ProgressBar | undefined>
}

export interface PagerOptions extends PagedStreams {
  /** As a shell reads it: `less -FRX`. */
  readonly command: string
  readonly env: Env
  readonly interruption: Interruption
  /** Whether output may be paged at this moment. */
  readonly isWanted: () => boolean
}

/** Quits if everything fits on the screen, shows colours, and leaves the text on the screen. */
const USUAL_PAGER = 'less -FRX'

/** The pager command, `undefined` where none is wanted. */
export function choosePager(env: Env): string | undefined {
  if (env.TERM === 'dumb') return undefined
  const command = (env.STORECTL_PAGER ?? env.PAGER ?? USUAL_PAGER).trim()
  return command === '' || command === 'cat' ? undefined : command
}

/**
 * Passes a result to a pager once it is longer than the screen; a shorter one is written directly. Notes wait until the
 * person has left the pager.
 */
export class Pager implements PagedStreams {
  readonly stdout: Sink
  readonly stderr: Sink
  readonly #options: PagerOptions
  /** The output so far, while it fits on the screen. */
  #held = ''
  #isPassedBy = false
  #child: ChildProcess | undefined
  #input: Sink | undefined
  #notes = ''
  #bar: ProgressBar | undefined
  #takeBack = () => {}

  constructor(options: PagerOptions) {
    this.#options = options
    this.stdout = replaceWrite(options.stdout, text => this.#write(text))
    this.stderr = replaceWrite(options.stderr, text => this.#note(text))
  }

  async openProgressBar(): Promise<ProgressBar | undefined> {
    if (this.#child) return undefined
    const bar = await this.#options.openProgressBar()
    this.#bar = bar
    return (
      bar && {
        update: state => {
          if (!this.#child) bar.update(state)
        },
        stop: () => bar.stop(),
      }
    )
  }

  /**
   * Writes held output, and waits until the person has left the pager.
   *
   * @throws StorectlError `internal.output_failed` if a shell did not find the pager, or may not run it
   */
  async close(): Promise<void> {
    await this.#release()
    const child = this.#child
    if (child) await this.#leave(child)
    this.#child = undefined
    this.#isPassedBy = true
    await this.#note(this.#notes)
    this.#notes = ''
    if (NOT_STARTED.includes(child?.exitCode ?? 0)) throw createNoPagerError(this.#options.command)
  }

  async #write(text: string | Uint8Array): Promise<void> {
    if (this.#input) return this.#input.write(text)
    const {stdout, isWanted} = this.#options
    if (this.#isPassedBy || !isWanted()) {
      await this.#release()
      return stdout.write(text)
    }
    this.#held += typeof text === 'string' ? text : Buffer.from(text).toString('utf8')
    const {rows = 0, columns = 80} = stdout
    if (countLines(this.#held, columns) < rows) return
    await this.#open()
    await this.#release()
  }

  /** A note follows the output that was printed before it. */
  async #note(text: string | Uint8Array): Promise<void> {
    if (this.#child) {
      this.#notes += text
      return
    }
    await this.#release()
    if (text !== '') await this.#options.stderr.write(text)
  }

  async #release(): Promise<void> {
    const text = this.#held
    this.#held = ''
    if (text !== '') await (this.#input ?? this.#options.stdout).write(text)
  }

  /** Writes directly if the pager does not start: the result matters more than its paging. */
  async #open(): Promise<void> {
    const {command, env, interruption} = this.#options
    const child = start(command, env)
    const isRunning = await once(child, 'spawn').then(
      () => true,
      () => false,
    )
    const {stdin} = child
    if (!isRunning || !stdin) {
      this.#isPassedBy = true
      return
    }
    const takeBack = interruption.shareKeyboard()
    const heedSuspension = isSecure(this.#options) ? ignoreSuspension() : () => {}
    this.#takeBack = () => {
      takeBack()
      heedSuspension()
    }
    this.#bar?.stop()
    this.#child = child
    this.#input = sinkTo(() => stdin, 'the pager', interruption)
    // Nothing more need be fetched once the person has quit.
    child.once('exit', () => interruption.stop('output-closed'))
  }

  async #leave(child: ChildProcess): Promise<void> {
    const {interruption} = this.#options
    const end = () => child.kill('SIGTERM')
    if (interruption.cause === 'SIGTERM' || interruption.cause === 'SIGHUP') end()
    interruption.stopping.addEventListener('abort', end, {once: true})
    child.removeAllListeners('exit')
    child.stdin?.on('error', () => undefined)
    child.stdin?.end()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    interruption.stopping.removeEventListener('abort', end)
    this.#takeBack()
  }
}

/** Exit codes of a shell that may not run the command, or did not find it. */
const NOT_STARTED = [126, 127]

function createNoPagerError(command: string): StorectlError {
  return new StorectlError('internal.output_failed', `The pager "${command}" did not start.`, {
    nextSteps: ['add --no-pager', 'correct STORECTL_PAGER or PAGER'],
  })
}

/** Syntax that needs a shell; a plain command is started without one, so that a missing program is noticed. */
const SHELL_SYNTAX = /[|&;<>()$`\\"'*?[\]#~=%{}!]/

const LESS_COMMAND = /^(?:\S*\/)?less(?:\s|$)/

/**
 * Whether to run `less` in secure mode: a person who types the next command into it presses `s`, which would save a
 * file. To get all of `less`, set an empty `LESSSECURE`.
 */
function isSecure({command, env}: Pick<PagerOptions, 'command' | 'env'>): boolean {
  return LESS_COMMAND.test(command) && (env.LESSSECURE ?? '1') !== ''
}

/** Ignores Ctrl-Z as `less` then does: stopping alone would leave the pager half in the background. */
function ignoreSuspension(): () => void {
  const ignore = () => {}
  process.on('SIGTSTP', ignore)
  return () => void process.off('SIGTSTP', ignore)
}

function start(command: string, given: Env): ChildProcess {
  const secure = isSecure({command, env: given}) ? {LESSSECURE: '1'} : {}
  // Without R, less shows codes in place of colours, whatever options the user has set.
  const less = given.LESS === undefined ? 'FRX' : `-R ${given.LESS}`
  const env = {...given, ...secure, LESS: less, LV: given.LV ?? '-c'}
  const stdio = ['pipe', 'inherit', 'inherit'] as const
  if (SHELL_SYNTAX.test(command)) return spawn(command, {shell: true, stdio: [...stdio], env})
  const [program = '', ...words] = command.split(/\s+/)
  return spawn(program, words, {stdio: [...stdio], env})
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours take no room
const COLOURS = /\u001b\[[0-9;]*m/g

/** How many terminal lines a text occupies. */
function countLines(text: string, columns: number): number {
  const lines = text.replace(/\n$/, '').replaceAll(COLOURS, '').split('\n')
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0)
}
