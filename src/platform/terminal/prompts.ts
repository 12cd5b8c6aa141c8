import type {Readable, Writable} from 'node:stream'
import {StorectlError} from '../../errors.js'
import {type Interruption, Stopped} from '../interruption.js'
import type {FullScreen} from './full-screen.js'
import {allowSuspension} from './suspension.js'

/** Throws a StorectlError for an invalid answer; its message is shown, and the question repeated. */
export type AnswerCheck = (answer: string) => unknown

/** Questions to the person at the terminal, asked on stderr. */
export interface Prompts {
  /**
   * Whether questions are possible: stdin and stderr are terminals that can redraw a line (with `TERM=dumb` a secret
   * might be echoed), and neither `--no-input` nor `CI` is set.
   */
  readonly possible: boolean
  /** @param left the message when Ctrl-C or Ctrl-D cancels the question */
  confirm(question: string, left?: string): Promise<boolean>
  /** @param proposed the answer to Enter alone; @param left as of `confirm` */
  askText(question: string, check?: AnswerCheck, proposed?: string, left?: string): Promise<string>
  /** The answer is never shown. */
  askSecret(question: string, check?: AnswerCheck): Promise<string>
  choose<T extends string>(question: string, choices: readonly {name: string; value: T}[]): Promise<T>
  /** Uses the whole terminal until the screen ends. @throws Stopped when it was cancelled */
  showScreen<T>(screen: FullScreen<T>): Promise<T>
}

export interface Terminal {
  readonly input: () => Readable
  readonly output: () => Writable
  /** Cancels a question when the command is to stop. */
  readonly interruption: Interruption
}

/** inquirer's error names for a cancelled question. */
const LEFT = new Set(['ExitPromptError', 'AbortPromptError'])

/** Prompts by inquirer, loaded at the first question. */
export function createTerminalPrompts(possible: boolean, {input, output, interruption}: Terminal): Prompts {
  const ask = async <T>(question: Record<string, unknown>, left?: string): Promise<T> => {
    const {createPromptModule} = (await import('inquirer')).default
    interruption.stopping.throwIfAborted()
    const {LastDrawing} = await import('./last-drawing.js')
    const keyboard = input() as NodeJS.ReadStream
    const screen = new LastDrawing(output() as NodeJS.WriteStream)
    const prompt = createPromptModule({input: keyboard, output: screen as unknown as NodeJS.WriteStream})
    const asking = prompt([{name: 'answer', ...question}] as never)
    // Ctrl-D or a closed terminal ends the line without an answer, and inquirer would wait for ever.
    const leave = () => void setImmediate(() => asking.ui.close())
    keyboard.once('pause', leave)
    const endSuspension = allowSuspension(keyboard, screen)
    interruption.stopping.addEventListener('abort', leave, {once: true})
    try {
      return ((await asking) as {answer: T}).answer
    } catch (error) {
      if (!LEFT.has((error as Error).name)) throw error
      if (left !== undefined) output().write(`${left}\n`)
      throw new Stopped(interruption.cause ?? 'SIGINT')
    } finally {
      endSuspension()
      keyboard.off('pause', leave)
      interruption.stopping.removeEventListener('abort', leave)
    }
  }
  return {
    possible,
    confirm: (message, left) => ask({type: 'confirm', message, default: false}, left),
    askText: (message, check, proposed, left) =>
      ask({type: 'input', message, validate: validateBy(check), default: proposed}, left),
    askSecret: (message, check) =>
      ask({
        type: 'password',
        message,
        mask: '',
        toggleMask: false,
        theme: UNSEEN,
        validate: validateBy(check),
      }),
    choose: (message, choices) => ask({type: 'select', message, choices}),
    showScreen: async screen => {
      const {showFullScreen} = await import('./full-screen.js')
      return showFullScreen(screen, {input: input(), output: output(), interruption})
    },
  }
}

const UNSEEN = {style: {maskedText: '(not shown)'}}

function validateBy(check: AnswerCheck = () => undefined): (answer: string) => true | string {
  return answer => {
    try {
      check(answer)
      return true
    } catch (error) {
      if (error instanceof StorectlError) return error.message
      throw error
    }
  }
}
