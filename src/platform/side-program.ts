import {spawn} from 'node:child_process'
import {once} from 'node:events'

export interface SideProgram {
  /** A file with JavaScript. */
  readonly program: string
  readonly args: readonly string[]
  /** Ends the program at once. */
  readonly signal: AbortSignal
}

/**
 * Runs one of our programs in a separate process, for work that would keep this one from handling signals.
 *
 * @returns what it wrote to stdout
 * @throws the reason of `signal`; Error where it cannot be started, or its exit code is not 0
 */
export async function runSideProgram({program, args, signal}: SideProgram): Promise<string> {
  signal.throwIfAborted()
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
  })
  const kill = () => void child.kill('SIGKILL')
  signal.addEventListener('abort', kill, {once: true})
  try {
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
    const [exit, by] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
    signal.throwIfAborted()
    if (exit !== 0) throw new Error(`${program} ended with ${by ?? `exit ${exit}`}`)
    return text
  } finally {
    signal.removeEventListener('abort', kill)
  }
}
