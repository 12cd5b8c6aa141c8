import {type ChildProcess, spawn} from 'node:child_process'
import {inject} from 'vitest'
import type {Ended} from './storectl.js'

export interface ProcessOptions {
  /** The whole environment besides `PATH`; nothing of the machine's is handed on. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly stdin?: string | Uint8Array
}

/** Starts the installed `storectl` as a process of its own, with pipes for all three streams. */
export function startProcess(argv: readonly string[], options: ProcessOptions = {}): ChildProcess {
  return spawn(inject('node'), [inject('storectl'), ...argv], {
    env: {PATH: process.env.PATH ?? '', ...options.env},
    cwd: options.cwd,
    stdio: 'pipe',
  })
}

/** Runs the installed `storectl` to its end. */
export async function runProcess(argv: readonly string[], options: ProcessOptions = {}): Promise<Ended> {
  const child = startProcess(argv, options)
  child.stdin?.on('error', () => {})
  child.stdin?.end(options.stdin)
  return ended(child)
}

/** Waits for a process to end and gives all that it printed. */
export async function ended(child: ChildProcess): Promise<Ended> {
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout?.on('data', chunk => out.push(chunk))
  child.stderr?.on('data', chunk => err.push(chunk))
  const exit = await new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(code ?? (signal === 'SIGKILL' ? 137 : 1)))
  })
  return {exit, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString()}
}
