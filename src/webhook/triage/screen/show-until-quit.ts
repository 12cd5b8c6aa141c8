import {StorectlError} from '../../../errors.js'
import {formatCommandLine} from '../../../flags/command-line.js'
import {Stopped} from '../../../platform/interruption.js'
import type {Prompts} from '../../../platform/terminal/prompts.js'
import type {TriageScreen} from './triage-screen.js'

/** The terminal around the screen. */
export interface TriageTerminal {
  readonly prompts: Pick<Prompts, 'showScreen' | 'askText'>
  readonly note: (text: string) => Promise<void>
  readonly isStopped: () => boolean
  /** Runs a command, without `storectl`, as if typed. @returns the error that ended it */
  readonly run: (command: readonly string[]) => Promise<Error | undefined>
}

/** Runs the commands of keys, returns to the screen, and finally prints what ran. */
export async function showUntilQuit(screen: TriageScreen, terminal: TriageTerminal): Promise<void> {
  const {prompts, note, isStopped, run} = terminal
  try {
    while (!isStopped()) {
      const {command} = await prompts.showScreen(screen)
      if (command === undefined) return
      await note(`$ ${formatCommandLine('storectl', command)}`)
      screen.endCommand(command, isCancelled(await run(command)))
      await prompts.askText('Press Enter to go back to the screen')
    }
  } finally {
    const {transcript} = screen
    if (transcript.length > 0)
      await note(['Commands of this session:', ...transcript.map(each => `  ${each}`)].join('\n'))
  }
}

/** Whether a person was asked and did not agree. */
function isCancelled(failure: Error | undefined): boolean {
  const code = failure instanceof StorectlError ? failure.code : undefined
  return code === 'stopped.declined' || code === 'stopped.not_confirmed' || failure instanceof Stopped
}
