import {spawn} from 'node:child_process'
import {once} from 'node:events'
import type {Env} from './processes.js'

export interface ShellCommand {
  /** As a shell reads it. */
  readonly command: string
  /** Written to its stdin. */
  readonly input: string
  readonly env: Env
  /** Ends it at once, with its child processes. */
  readonly signal: AbortSignal
}

/** Characters of stderr that an error includes. */
const MOST_ERROR = 200

/**
 * Runs a command that the user has configured. Its stdout is not read; its background processes are not waited for.
 *
 * @throws Error with the end of its stderr, if it does not exit with 0
 */
export async function runShellCommand({command, input, env, signal}: ShellCommand): Promise<void> {
  const isGroup = process.platform !== 'win32'
  const child = spawn(command, {
    ...{shell: true, env, detached: isGroup, windowsHide: true},
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let printed = ''
  child.stderr?.setEncoding('utf8').on('data', (part: string) => {
    printed = (printed + part).slice(-MOST_ERROR)
  })
  // A command need not read its stdin.
  child.stdin?.on('error', () => undefined).end(input)
  const kill = () => {
    try {
      if (child.pid !== undefined) process.kill(isGroup ? -child.pid : child.pid, 'SIGKILL')
    } catch {
      // It has already ended.
    }
  }
  signal.addEventListener('abort', kill, {once: true})
  if (signal.aborted) kill()
  try {
    const [exit, by] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
    const said = printed.trim().split('\n').at(-1) ?? ''
    if (exit !== 0)
      throw new Error(`the command ended with ${by ?? `exit ${exit}`}${said === '' ? '' : `: ${said}`}`)
  } finally {
    signal.removeEventListener('abort', kill)
    child.stderr?.destroy()
  }
}
