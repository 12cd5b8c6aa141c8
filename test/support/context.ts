import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {Readable, Writable} from 'node:stream'
import {createHost, type Host} from '../../src/app/host.js'
import {type Clock, machineClock} from '../../src/platform/clock.js'
import {Interruption} from '../../src/platform/interruption.js'
import type {Env} from '../../src/platform/processes.js'
import {sinkTo} from '../../src/platform/streams.js'
import type {FullScreen} from '../../src/platform/terminal/full-screen.js'
import type {AnswerCheck, Prompts} from '../../src/platform/terminal/prompts.js'
import {temporaryFolder} from './home.js'

export interface TestContextOptions {
  /** Added to an environment that holds nothing but `STORECTL_HOME`. */
  readonly env?: Env
  /** `STORECTL_HOME`; a temporary folder of its own by default. */
  readonly home?: string
  /** The working folder; the home by default. */
  readonly folder?: string
  readonly stdin?: string | Uint8Array
  /** Whether stdin, stdout and stderr are terminals; none is by default. */
  readonly terminal?: boolean
  /** Whether nobody is there, so that a shop has to be chosen; only with `CI` by default. */
  readonly unattended?: boolean
  readonly columns?: number
  /** Height of a terminal; a pager is for those that have one. */
  readonly rows?: number
  readonly clock?: Clock
  /**
   * Answers to prompts, in order; a question too many fails the test. A screen is answered by a function of it.
   */
  readonly answers?: readonly unknown[]
}

export interface TestContext {
  readonly host: Host
  readonly home: string
  /** All that was printed so far. */
  readonly out: () => string
  readonly err: () => string
  readonly interruption: Interruption
}

const ROOT = join(import.meta.dirname, '../..')

/** A context whose files are real and temporary, and whose streams are kept in memory. */
export function testContext(options: TestContextOptions = {}): TestContext {
  const home = options.home ?? temporaryFolder()
  const interruption = new Interruption()
  const out = captured(options)
  const err = captured(options)
  const host: Host = createHost({
    env: {STORECTL_HOME: home, ...options.env},
    clock: options.clock ?? machineClock,
    stdin: {
      isTerminal: options.terminal ?? false,
      open: () => Readable.from([Buffer.from(options.stdin ?? '')]),
    },
    stdout: sinkTo(() => out.stream, 'stdout', interruption),
    stderr: sinkTo(() => err.stream, 'stderr'),
    interruption,
    platform: process.platform,
    userAgent: 'storectl/test',
    root: ROOT,
    readPackageFile: path => readFileSync(join(ROOT, path)),
    home,
    folder: () => options.folder ?? home,
    openPrompts: possible => scriptedPrompts(possible, [...(options.answers ?? [])]),
    isAttended: () => !(options.unattended ?? host.env.CI),
    hasProcessToItself: false,
  })
  return {host, home, out: out.text, err: err.text, interruption}
}

function captured({terminal = false, columns, rows}: TestContextOptions) {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(Buffer.from(chunk))
      done()
    },
  })
  return {
    stream: Object.assign(stream, {
      isTTY: terminal,
      ...(columns === undefined ? {} : {columns}),
      ...(rows === undefined ? {} : {rows}),
    }),
    text: () => Buffer.concat(chunks).toString('utf8'),
  }
}

function scriptedPrompts(possible: boolean, answers: unknown[]): Prompts {
  const next = async <T>(question: string): Promise<T> => {
    if (answers.length === 0) throw new Error(`nobody answers: ${question}`)
    return answers.shift() as T
  }
  const checked = async (question: string, check?: AnswerCheck): Promise<string> => {
    const answer = await next<string>(question)
    check?.(answer)
    return answer
  }
  return {
    possible,
    confirm: next,
    askText: checked,
    askSecret: checked,
    choose: next,
    showScreen: async <T>(screen: FullScreen<T>) => {
      const answer = await next<(shown: FullScreen<T>) => Promise<T>>('a screen')
      return answer(screen)
    },
  }
}
