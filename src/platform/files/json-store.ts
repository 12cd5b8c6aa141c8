import {accessSync, closeSync, constants, fsyncSync, openSync, readdirSync, renameSync, rmSync} from 'node:fs'
import {basename, dirname, join} from 'node:path'
import type Conf from 'conf'
import type {Clock} from '../clock.js'
import {withLock} from './exclusive-lock.js'
import {
  createFileError,
  isWholeFileThere,
  makePrivateFolder,
  readTextIfThere,
  resolveLinks,
  syncFolder,
} from './files.js'

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
const PRIVATE_FILE = 0o600

/**
 * A store over one file, mode 0600. It is made at the first change, never by reading.
 *
 * Changes write by conf. Reads do without: conf takes milliseconds to load, makes the folder of a file that is missing,
 * and takes a byte order mark for a fault.
 */
export function openJsonStore(file: string, options: JsonStoreOptions): JsonStore {
  const lock = join(options.locks, basename(file, '.json'))
  let isBroken = false
  return {
    file,
    isBroken: () => isBroken,
    read: async () => {
      const found = isWholeFileThere(file) ? readObject(file) : {}
      const wasBroken = isBroken
      isBroken = !found
      if (isBroken && !wasBroken) await options.onBroken(file)
      return found ?? {}
    },
    update: change => withLock(lock, LOCK_TIMEOUT_MS, () => changeFile(file, change, options)),
  }
}

async function changeFile(
  file: string,
  change: (current: JsonObject) => JsonObject | undefined,
  {clock, afresh, onBroken}: JsonStoreOptions,
): Promise<void> {
  const target = resolveLinks(file)
  const found = isWholeFileThere(file) ? readObject(file) : {}
  const movedTo = `${file}.broken-${clock.now().toISOString().replaceAll(':', '')}`
  const next = change(found ?? afresh?.(movedTo) ?? {})
  if (!next) return
  makePrivateFolder(dirname(file))
  if (!found) {
    renameSync(target, movedTo)
    await onBroken(file, movedTo)
  }
  await writeByConf(target, file, next)
}

/** The object that the file holds, `undefined` when it holds none. */
function readObject(file: string): JsonObject | undefined {
  try {
    return parseObject(readTextIfThere(file) ?? '{}')
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** @throws SyntaxError for a text that is no JSON, or that holds anything but an object */
function parseObject(text: string): JsonObject {
  const value: unknown = JSON.parse(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  throw new SyntaxError('not a JSON object')
}

function formatObject(value: JsonObject): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** @param path of the file itself: conf replaces a link whose file is not there yet */
async function openConf(path: string): Promise<Conf<JsonObject>> {
  const {default: Conf} = await import('conf')
  return new Conf<JsonObject>({
    cwd: dirname(path),
    configName: basename(path),
    fileExtension: '',
    configFileMode: PRIVATE_FILE,
    serialize: formatObject,
    deserialize: parseObject,
  })
}

/**
 * Replaces the file by a whole new one or leaves it as it was, whatever happens meanwhile: power cut, kill, full disk.
 * conf writes under another name, because it takes the short write of a full disk for a whole one; what it wrote gets
 * the file's name once it has been read back and is on disk.
 *
 * @throws StorectlError as `createFileError` lists them
 */
async function writeByConf(target: string, file: string, next: JsonObject): Promise<void> {
  const temporary = `${target}.${process.pid}.tmp`
  try {
    removeLeftovers(target)
    // conf tries again for a second where it may not write.
    accessSync(dirname(target), constants.W_OK)
    const conf = await openConf(temporary)
    conf.store = next
    if (!holds(conf, next)) throw Object.assign(new Error('the disk stored fewer bytes'), {code: 'ENOSPC'})
    syncFile(temporary)
    renameSync(temporary, target)
  } catch (error) {
    rmSync(temporary, {force: true})
    throw createFileError(error, file, 'written')
  }
  syncFolder(dirname(target))
}

function holds(conf: Conf<JsonObject>, value: JsonObject): boolean {
  try {
    return formatObject(conf.store) === formatObject(value)
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

function syncFile(file: string): void {
  const descriptor = openSync(file, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Temporary files of processes that were killed, ours and conf's; nobody else writes while the lock is held. */
function removeLeftovers(target: string): void {
  const folder = dirname(target)
  const name = basename(target).replaceAll('.', '\\.')
  const leftover = new RegExp(`^${name}\\.\\d+\\.tmp(\\.tmp-\\w+)?$`)
  for (const each of readdirSync(folder)) if (leftover.test(each)) rmSync(join(folder, each), {force: true})
}
