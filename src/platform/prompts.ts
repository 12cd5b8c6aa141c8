import type {Readable, Writable} from 'node:stream'
import {Stopped} from './interruption.js'

/** Questions to the person at the terminal, asked on stderr. */
export interface Prompts {
  /** Whether anyone can be asked: stdin and stderr are terminals, and neither `--no-input` nor `CI` forbids it. */
  readonly possible: boolean
  confirm(question: string): Promise<boolean>
  text(question: string, preset?: string): Promise<string>
  /** The answer is not shown. */
  secret(question: string): Promise<string>
  choose<T extends string>(question: string, choices: readonly {name: string; value: T}[]): Promise<T>
}

/** How inquirer names a question that was left. */
const LEFT = new Set(['ExitPromptError', 'AbortPromptError'])

/** Prompts by inquirer, loaded at the first question. */
export function terminalPrompts(possible: boolean, input: () => Readable, output: () => Writable): Prompts {
  const ask = async <T>(question: Record<string, unknown>): Promise<T> => {
    const {createPromptModule} = (await import('inquirer')).default
    const keyboard = input() as NodeJS.ReadStream
    const prompt = createPromptModule({input: keyboard, output: output() as NodeJS.WriteStream})
    const asking = prompt([{name: 'answer', ...question}] as never)
    // Ctrl-D and a terminal that has gone close the line without an answer, and inquirer would wait on.
    const leave = () => void setImmediate(() => asking.ui.close())
    keyboard.once('pause', leave)
    try {
      return ((await asking) as {answer: T}).answer
    } catch (error) {
      if (LEFT.has((error as Error).name)) throw new Stopped('SIGINT')
      throw error
    } finally {
      keyboard.off('pause', leave)
    }
  }
  return {
    possible,
    confirm: message => ask({type: 'confirm', message, default: false}),
    text: (message, preset) =>
      ask({type: 'input', message, ...(preset === undefined ? {} : {default: preset})}),
    secret: message => ask({type: 'password', message, mask: ''}),
    choose: (message, choices) => ask({type: 'select', message, choices}),
  }
}
