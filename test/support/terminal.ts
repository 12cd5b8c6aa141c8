import {spawn} from '@lydell/node-pty'
import {inject} from 'vitest'
import {warmHome} from './home.js'
import {Screen} from './screen.js'

export interface OnTerminal {
  readonly exit: number
  /** All that was shown, escape sequences left out. */
  readonly shown: string
  /** All that was written to the terminal. */
  readonly raw: string
  /** Lines that a person sees in the end, those scrolled away included; the last is the one with the cursor. */
  readonly lines: readonly string[]
  /** Codes of each character's style, line by line. */
  readonly styles: readonly (readonly string[])[]
}

/** A question to wait for, and what the person then does: types, or anything else to the process or the terminal. */
export type Answer = readonly [question: string, act: string | ((terminal: Terminal) => void)]

export interface Terminal {
  readonly pid: number
  /** What a person sees at this moment. */
  readonly lines: readonly string[]
  write(text: string): void
  resize(columns: number, rows: number): void
  /** Closes the window: the terminal is gone. */
  close(): void
}

/** Longer than any command takes; whoever waits for an answer that nobody gives is ended then. */
const PATIENCE_MS = process.env.TEST_SIZE === 'long' ? 3_600_000 : 25_000

/** Runs `storectl` on a terminal; answers each question once it stands there. */
export function onTerminal(
  argv: readonly string[],
  answers: readonly Answer[] = [],
  env: Record<string, string> = {},
  size: TerminalSize = USUAL_SIZE,
): Promise<OnTerminal> {
  return programOnTerminal(inject('node'), [inject('storectl'), ...argv], answers, env, size)
}

/** Columns and rows. */
export type TerminalSize = readonly [columns: number, rows: number]

const USUAL_SIZE: TerminalSize = [120, 40]

/** Runs any program on a terminal. Exit 137 says that it did not end by itself. */
export function programOnTerminal(
  program: string,
  argv: readonly string[],
  answers: readonly Answer[],
  env: Record<string, string> = {},
  [cols, rows]: TerminalSize = USUAL_SIZE,
): Promise<OnTerminal> {
  const screen = new Screen(cols, rows)
  const whole = {STORECTL_HOME: env.STORECTL_HOME ?? warmHome(), PATH: process.env.PATH ?? ''}
  const options = {cols, rows, env: {...whole, TERM: 'xterm', ...env}}
  const terminal = spawn(program, [...argv], options)
  const handle: Terminal = {
    pid: terminal.pid,
    get lines() {
      return screen.lines
    },
    write: text => terminal.write(text),
    resize: (columns, lines) => {
      terminal.resize(columns, lines)
      screen.resize(columns, lines)
    },
    close: () => (terminal as unknown as {destroy(): void}).destroy(),
  }
  const waiting = [...answers]
  let raw = ''
  let seen = 0
  terminal.onData(text => {
    raw += text
    screen.write(text)
    const [question, act] = waiting[0] ?? []
    const shown = withoutEscapes(raw)
    if (question === undefined || act === undefined || !shown.slice(seen).includes(question)) return
    waiting.shift()
    seen = shown.length
    if (typeof act === 'string') terminal.write(act)
    else act(handle)
  })
  const tooLong = setTimeout(() => terminal.kill('SIGKILL'), PATIENCE_MS)
  return new Promise(resolve => {
    terminal.onExit(({exitCode, signal}) => {
      clearTimeout(tooLong)
      resolve({
        exit: signal ? 128 + signal : exitCode,
        shown: withoutEscapes(raw),
        raw,
        lines: screen.lines,
        styles: screen.styles,
      })
    })
  })
}

function withoutEscapes(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out
  return text.replaceAll(/\u001b\[[0-9;?]*[A-Za-z]/g, '')
}
