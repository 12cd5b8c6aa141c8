import {existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync} from 'node:fs'
import {hostname} from 'node:os'
import {dirname, join} from 'node:path'
import {StorectlError} from '../../errors.js'
import {retryWithBackoff} from '../backoff.js'
import {isRunning, processSpace, startOf} from '../processes.js'
import {createFileError, makePrivateFolder} from './files.js'

/** The name of the single file in a lock's folder while it is free. */
const FREE = 'free'

const WAITS = {firstMs: 5, longestMs: 50}

/**
 * After this time a lock held on another machine or container, whose processes we cannot check, is taken over: no
 * command holds one for so long. A heartbeat would have to be written even by commands that only renew a token.
 */
const FOREIGN_HOLDER_MS = 5 * 60_000

/**
 * Does some work while no other process, and nothing else in this one, holds the same lock.
 *
 * A lock is a folder with exactly one file, whose name says who holds it: to take it, release it, or take it over from
 * a dead holder is one rename of the name that was seen. A rename fails when its source is gone, so only one of several
 * processes that try the same step succeeds.
 *
 * @param folder created where missing, never removed
 * @param timeoutMs how long to wait for others
 * @param signal ends the wait, never the work
 * @throws StorectlError `unavailable.locked` at the timeout; the signal's reason when it fired
 */
export async function withLock<T>(
  folder: string,
  timeoutMs: number,
  work: () => Promise<T> | T,
  signal?: AbortSignal,
): Promise<T> {
  const mine = nameOfHolder()
  await take(folder, mine, timeoutMs, signal)
  try {
    return await work()
  } finally {
    move(folder, mine, FREE)
  }
}

/**
 * Takes a lock without waiting, and holds it until it is released or the process ends.
 *
 * @returns a function that releases it
 * @throws StorectlError `unavailable.locked` where another holds it
 */
export function holdLock(folder: string): Promise<() => Promise<void>> {
  return new Promise((resolve, reject) => {
    const work = () =>
      new Promise<void>(giveBack => {
        resolve(async () => {
          giveBack()
          await held
        })
      })
    const held = withLock(folder, 0, work)
    held.catch(reject)
  })
}

async function take(folder: string, mine: string, timeoutMs: number, signal?: AbortSignal): Promise<void> {
  const options = {...WAITS, timeoutMs, signal, isUnfinished: (other?: string) => other !== undefined}
  const holder = await retryWithBackoff(() => tryTake(folder, mine), options)
  if (holder !== undefined) throw createStillHeldError(folder, holder)
}

/** @returns its present holder; `undefined` when we have taken it */
function tryTake(folder: string, mine: string): string | undefined {
  for (;;) {
    const seen = findLockFile(folder)
    if (seen !== undefined) {
      return (seen === FREE || !isHeld(seen)) && move(folder, seen, mine) ? undefined : seen
    }
    prepare(folder, mine)
  }
}

function nameOfHolder(): string {
  const since = Date.now().toString(36)
  // Not with `node:crypto`: loading it takes longer than most commands hold a lock.
  const [chance = 0] = crypto.getRandomValues(new Uint32Array(1))
  return [process.pid, startOf(process.pid), identifyHost(), since, chance.toString(16)].join('_')
}

/** The scope of this process's id; letters, digits, dots and dashes. */
export function identifyHost(): string {
  return [hostname(), processSpace().replaceAll(/\D/g, '')].map(toWord).filter(Boolean).join('.')
}

function toWord(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9-]/g, '-')
}

function isHeld(name: string): boolean {
  const [pid, start = '0', host, since = ''] = name.split('_')
  if (host === identifyHost()) return isRunning(Number(pid), start)
  // The two clocks need not agree, and either may be set back.
  return Math.abs(Date.now() - Number.parseInt(since, 36)) < FOREIGN_HOLDER_MS
}

/** The listing is not a snapshot: during a rename it may show both names, or none. */
function findLockFile(folder: string): string | undefined {
  try {
    const names = readdirSync(folder)
    return names.find(name => name !== FREE) ?? names[0]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw createFileError(error, folder, 'read')
  }
}

/** Creates a free lock where there is none: a rename replaces a folder only while it is empty. */
function prepare(folder: string, mine: string): void {
  makePrivateFolder(dirname(folder))
  const made = `${folder}.${mine}`
  try {
    mkdirSync(made, {mode: 0o700})
    writeFileSync(join(made, FREE), '', {mode: 0o600})
    renameSync(made, folder)
  } catch (error) {
    rmSync(made, {recursive: true, force: true})
    if (!existsSync(folder)) throw createFileError(error, folder, 'written')
  }
}

function move(folder: string, from: string, to: string): boolean {
  try {
    renameSync(join(folder, from), join(folder, to))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw createFileError(error, folder, 'written')
  }
}

function createStillHeldError(folder: string, name: string): StorectlError {
  const [pid, , host] = name.split('_')
  const isOurs = host === identifyHost()
  const holder = isOurs ? `Process ${pid}` : `Process ${pid} of the machine or container ${host}`
  return new StorectlError('unavailable.locked', `${holder} holds the lock ${folder}.`, {
    nextSteps: [
      isOurs
        ? `ps -fp ${pid}`
        : `rm -r ${folder}   # once that process has gone; the lock expires after 5 minutes`,
      'run the command again',
    ],
  })
}
