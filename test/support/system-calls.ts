import {type ChildProcess, spawn, spawnSync} from 'node:child_process'
import {cpSync} from 'node:fs'
import {join} from 'node:path'
import {inject} from 'vitest'
import {seeded} from '../webhook/killed.js'
import {temporaryFolder} from './home.js'
import {storectl} from './storectl.js'

/** Whether `strace` is here and may watch processes. */
export function hasStrace(): boolean {
  return spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status === 0
}

/** A fault of one call of the system, on the files of the records. */
export interface SystemFault {
  readonly call: 'pwrite64' | 'fsync' | 'fdatasync'
  readonly kind: 'EIO' | 'ENOSPC' | 'EINTR' | 'slow'
  /** Which call of its thread is met, from 1. */
  readonly at: number
}

/** Calls of one thread that a short run makes on its records, about. */
const MOST_CALLS = {pwrite64: 45, fdatasync: 5, fsync: 2}

/** @param seed a whole number; the same fault for the same one */
export function chooseFault(seed: number): SystemFault {
  const random = seeded(seed * 7919 + 1)
  const choose = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T
  // What SQLite writes to a file is pwrite64; our own sync of the log is fdatasync.
  const call = choose(['pwrite64', 'pwrite64', 'pwrite64', 'fdatasync', 'fdatasync', 'fsync'] as const)
  const kind = choose(
    call === 'pwrite64'
      ? (['EIO', 'ENOSPC', 'EINTR'] as const)
      : (['EIO', 'ENOSPC', 'EINTR', 'slow'] as const),
  )
  return {call, kind, at: 1 + Math.floor(random() * MOST_CALLS[call])}
}

/** Half a second, microseconds. */
const SLOW_US = 500_000

/**
 * Starts the installed `storectl` with one fault of a system call. The process is `storectl` itself: strace watches from a
 * process of its own.
 *
 * @param log where strace writes down what it injected
 */
export function startWithFault(
  argv: readonly string[],
  {call, kind, at}: SystemFault,
  {
    home,
    env,
    log,
  }: {readonly home: string; readonly env: Readonly<Record<string, string>>; readonly log: string},
): ChildProcess {
  const what = kind === 'slow' ? `delay_exit=${SLOW_US}` : `error=${kind}`
  const files = ['records.db', 'records.db-wal'].flatMap(name => ['-P', join(home, name)])
  const watch = ['-D', '-f', '--seccomp-bpf', '-qq', '-s', '0', '-o', log, ...files]
  const injected = ['-e', `trace=${call}`, '-e', `inject=${call}:${what}:when=${at}`]
  return spawn('strace', [...watch, ...injected, inject('node'), inject('storectl'), ...argv], {
    env: {PATH: process.env.PATH ?? '', ...env, STORECTL_HOME: home},
    stdio: 'pipe',
  })
}

/** A home whose records have their tables and nothing else, so that faults meet what a run writes. */
export async function makeTemplate(): Promise<string> {
  const home = temporaryFolder()
  const env = {
    STORECTL_URL: 'http://127.0.0.1:9',
    STORECTL_TOKEN: 'x',
    STORECTL_WEBHOOK_TOKEN: 'x'.repeat(32),
  }
  await storectl(['webhook', 'list'], {home, env})
  return home
}

export function copyHome(template: string): string {
  const home = temporaryFolder()
  cpSync(template, home, {recursive: true})
  return home
}
