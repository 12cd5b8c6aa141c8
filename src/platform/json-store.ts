import {readdirSync, renameSync, rmSync} from 'node:fs'
import {basename, dirname, join} from 'node:path'
import type {Clock} from './clock.js'
import {behindLinks, makePrivateFolder, readTextIfThere, writeWhole} from './files.js'
import {withLock} from './lock.js'

export type JsonObject = {[key: string]: unknown}

/** A small JSON file that several processes read and write. */
export interface JsonStore {
  readonly file: string
  /** What is in it now; empty when there is no file, or nothing in it that can be understood: see `isBroken`. */
  read(): Promise<JsonObject>
  /** Whether what `read` found last was a file without a JSON object in it. */
  isBroken(): boolean
  /**
   * Reads, changes and writes while no other process does. A file that cannot be understood is set aside before it is
   * written for the first time.
   *
   * @param change gets what is there now; the file is not touched when it returns `undefined`
   */
  update(change: (current: JsonObject) => JsonObject | undefined): Promise<void>
}

export interface JsonStoreOptions {
  readonly clock: Clock
  /** Folder of locks. */
  readonly locks: string
  /** Told when a file is not JSON: at the first read, and with its new name when a change has set it aside. */
  readonly onBroken: (file: string, movedTo?: string) => Promise<void>
  /** What a file begins with in place of one that is set aside; nothing unless given. */
  readonly afresh?: (movedTo: string) => JsonObject
}

/** Nobody writes such a file for longer than a moment. */
const LOCK_TIMEOUT_MS = 15_000

/**
 * A store over one file, mode 0600. It is made at the first change, never by reading.
 */
export function jsonStore(file: string, options: JsonStoreOptions): JsonStore {
  const alone = <T>(work: () => Promise<T>) =>
    withLock(join(options.locks, basename(file, '.json')), LOCK_TIMEOUT_MS, work)
  const setAside = async (movedTo: string) => {
    renameSync(behindLinks(file), movedTo)
    await options.onBroken(file, movedTo)
  }
  let isBroken = false
  return {
    file,
    isBroken: () => isBroken,
    read: async () => {
      const found = parsed(readTextIfThere(file))
      const wasBroken = isBroken
      isBroken = !found
      if (isBroken && !wasBroken) await options.onBroken(file)
      return found ?? {}
    },
    update: change =>
      alone(async () => {
        const found = parsed(readTextIfThere(file))
        const movedTo = `${file}.broken-${options.clock.now().toISOString().replaceAll(':', '')}`
        const next = change(found ?? options.afresh?.(movedTo) ?? {})
        if (!next) return
        if (!found) await setAside(movedTo)
        await write(file, next)
      }),
  }
}

/** The object that the text holds, `undefined` when it holds none. */
function parsed(text: string | undefined): JsonObject | undefined {
  if (text === undefined) return {}
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as JsonObject) : undefined
  } catch {
    return undefined
  }
}

/**
 * Writes by conf. Its own way to write takes a short write for a whole one, which a full disk gives, and replaces a
 * link to a file that is not there yet; so the bytes go out by `writeWhole`.
 */
async function write(file: string, next: JsonObject): Promise<void> {
  const folder = dirname(file)
  makePrivateFolder(folder)
  removeLeftovers(file)
  const {default: Conf} = await import('conf')
  const conf = new Conf({
    cwd: folder,
    configName: basename(file, '.json'),
    projectName: 'storectl',
    projectSuffix: '',
    configFileMode: 0o600,
  })
  const writing = {_write: (value: JsonObject) => writeWhole(file, `${JSON.stringify(value, null, 2)}\n`)}
  Object.assign(conf, writing)
  conf.store = next
}

/** Temporary files of processes that were killed; nobody else writes while the lock is held. */
function removeLeftovers(file: string): void {
  const target = behindLinks(file)
  const folder = dirname(target)
  const leftover = new RegExp(`^${basename(target).replaceAll('.', '\\.')}\\.\\d+\\.tmp$`)
  for (const name of readdirSync(folder)) if (leftover.test(name)) rmSync(join(folder, name), {force: true})
}
