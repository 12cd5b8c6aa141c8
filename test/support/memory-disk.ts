import {chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync} from 'node:fs'
import {join} from 'node:path'
import process from 'node:process'
import {isRunning} from '../../src/platform/processes.js'

/** A disk in memory, where Linux has one. */
const DISK = '/dev/shm'
const PREFIX = 'storectl-tests-'
/** In bytes. The tests use up to 0.4 GiB of it at a time. */
const ENOUGH = 2 * 1024 ** 3

/**
 * Has tests keep their temporary files in memory: a real file system, whose syncs wait for no disk. What a power cut
 * leaves is tested by recorded writes, and `npm run test:long` stays on the disk.
 * Where `TMPDIR` is set, or memory is short, they stay in the system's folder.
 */
export function useMemoryDisk(): void {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return
  removeLeftOvers()
  const folder = mkdtempSync(join(DISK, `${PREFIX}${process.pid}-`))
  // Started by root, PostgreSQL runs as a user of its own.
  chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  process.on('exit', () => rmSync(folder, {recursive: true, force: true}))
}

function hasRoom(): boolean {
  try {
    const {bavail, bsize} = statfsSync(DISK)
    return bavail * bsize >= ENOUGH
  } catch {
    return false
  }
}

/** Removes the folders of test runs that were killed. */
function removeLeftOvers(): void {
  for (const name of readdirSync(DISK)) {
    const [pid] = name.startsWith(PREFIX) ? name.slice(PREFIX.length).split('-') : []
    if (pid !== undefined && !isRunning(Number(pid), '0')) removeOwn(join(DISK, name))
  }
}

/** Leaves the folder of another user as it is. */
function removeOwn(folder: string): void {
  try {
    rmSync(folder, {recursive: true, force: true})
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
