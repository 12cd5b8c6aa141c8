import type {Readable, Writable} from 'node:stream'
import {createPrompt, useEffect, useKeypress, useRef, useState} from '@inquirer/core'
import {type Interruption, Stopped} from '../interruption.js'
import {allowSuspension, refreshSize} from './suspension.js'

/** A pressed key. */
export interface Key {
  /** `up`, `return`, `space`, `a`; empty for a key without a name. */
  readonly name: string
  /** Its text; empty for keys that type none. */
  readonly text: string
}

export interface ScreenSize {
  readonly columns: number
  readonly rows: number
}

/** A screen that uses the whole terminal until it ends with a value. */
export interface FullScreen<T> {
  /** Lines from the top: fewer than the terminal has rows, none wider than it, the last one not empty. */
  render(size: ScreenSize): readonly string[]
  press(key: Key): {readonly end: T} | undefined
  /** Calls `onChange` whenever something other than a key has changed the screen. @returns a function that ends it */
  watch(onChange: () => void): () => void
}

export interface FullScreenTerminal {
  readonly input: Readable
  readonly output: Writable
  /** Closes the screen when the command is to stop. */
  readonly interruption: Interruption
}

/** Switches to the alternate screen without a cursor, and back to what was on the terminal before. */
const ENTER = '\u001b[?1049h\u001b[?25l\u001b[H'
const LEAVE = '\u001b[?25h\u001b[?1049l'
const CLEAR = '\u001b[H\u001b[J'

/** inquirer's error names for a cancelled prompt. */
const LEFT = new Set(['ExitPromptError', 'AbortPromptError', 'CancelPromptError'])

/** For a terminal of unknown size. */
const USUAL: ScreenSize = {columns: 80, rows: 24}

/**
 * Shows a screen and passes it the keys, until it ends.
 *
 * @throws Stopped when a person or a signal closed it, or the terminal was closed
 */
export async function showFullScreen<T>(
  screen: FullScreen<T>,
  {input, output, interruption}: FullScreenTerminal,
): Promise<T> {
  interruption.stopping.throwIfAborted()
  const terminal = output as NodeJS.WriteStream
  const keyboard = input as NodeJS.ReadStream
  terminal.write(ENTER)
  const drawAgain = () => {
    terminal.write(ENTER)
    refreshSize()
    terminal.emit('resize')
  }
  const endSuspension = allowSuspension(keyboard, {leave: () => void terminal.write(LEAVE), drawAgain})
  const context = {input: keyboard, output: terminal, signal: interruption.stopping, clearPromptOnDone: true}
  const showing = prompt({screen: screen as FullScreen<unknown>, terminal}, context) as Promise<unknown> & {
    cancel(): void
  }
  // Ctrl-D or a closed terminal ends the line without an answer, and inquirer would wait for ever.
  const leave = () => void setImmediate(() => showing.cancel())
  keyboard.once('pause', leave)
  try {
    return (await showing) as T
  } catch (error) {
    if (LEFT.has((error as Error).name)) throw new Stopped(interruption.cause ?? 'SIGINT')
    throw error
  } finally {
    endSuspension()
    keyboard.off('pause', leave)
    terminal.write(LEAVE)
  }
}

interface PromptConfig {
  readonly screen: FullScreen<unknown>
  readonly terminal: NodeJS.WriteStream
}

const prompt = createPrompt<unknown, PromptConfig>(({screen, terminal}, done) => {
  const [, update] = useState(0)
  const drawn = useRef(0)
  useEffect(() => {
    const refresh = () => update(++drawn.current)
    const resize = () => {
      terminal.write(CLEAR)
      refresh()
    }
    terminal.on('resize', resize)
    const unwatch = screen.watch(refresh)
    return () => {
      terminal.off('resize', resize)
      unwatch()
    }
  }, [])
  useKeypress((event, readline) => {
    readline.clearLine(0)
    const {name = '', ctrl, sequence = ''} = event as typeof event & {readonly sequence?: string}
    const ended = screen.press({name: ctrl ? `ctrl-${name}` : name, text: isTyped(sequence) ? sequence : ''})
    if (ended) done(ended.end)
    else update(++drawn.current)
  })
  const {columns = USUAL.columns, rows = USUAL.rows} = terminal
  return screen.render({columns: columns || USUAL.columns, rows: rows || USUAL.rows}).join('\n')
})

/** Whether a sequence is text, without control characters. */
function isTyped(sequence: string): boolean {
  return /^[^\p{Cc}]+$/u.test(sequence)
}
