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

/** Prompts by inquirer, loaded at the first question. */
export function terminalPrompts(possible: boolean, input: () => Readable, output: () => Writable): Prompts {
  const ask = async <T>(question: Record<string, unknown>): Promise<T> => {
    const {createPromptModule} = (await import('inquirer')).default
    const prompt = createPromptModule({
      input: input() as NodeJS.ReadStream,
      output: output() as NodeJS.WriteStream,
    })
    try {
      const answers = await prompt([{name: 'answer', ...question}] as never)
      return (answers as {answer: T}).answer
    } catch (error) {
      if ((error as Error).name === 'ExitPromptError') throw new Stopped('SIGINT')
      throw error
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
