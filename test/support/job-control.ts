import {inject} from 'vitest'
import {type Answer, type OnTerminal, programOnTerminal, type TerminalSize} from './terminal.js'

export const CTRL_Z = '\u001a'

/** Types a command line into a shell that has job control and, unlike bash, leaves the modes of its terminal alone. */
export function inShell(
  words: string,
  answers: readonly Answer[],
  env: Record<string, string> = {},
  size?: TerminalSize,
): Promise<OnTerminal> {
  const command = `"${inject('node')}" "${inject('storectl')}" ${words}`
  return programOnTerminal(
    'sh',
    ['-i'],
    [['ready>', `${command}\r`], ...answers, ['ready>', 'echo ex"it"=$?\r'], ['exit=', 'exit\r']],
    {PS1: 'ready>', ...env},
    size,
  )
}

/** What a person does at a question: stops the command, looks at the terminal, and goes on with it. */
export function pause(question: string, keys = CTRL_Z): Answer[] {
  return [
    [question, keys],
    ['Stopped', 'stty -a; echo as"king"\r'],
    ['asking', 'fg\r'],
  ]
}
