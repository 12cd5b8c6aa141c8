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
  /** Its present content; empty when there is no file, or none with a JSON object: see `isBroken`. */
  read(): Promise<JsonObject>
  /** Whether the last `read` found a file without a JSON object. */
  isBroken(): boolean
  /**
   * Reads, changes and writes under a lock. A file without a JSON object is renamed before the first write.
   *
   * @param change gets the present content; the file stays untouched when it returns `undefined`
   */
  update(change: (current: JsonObject) => JsonObject | undefined): Promise<void>
}

export interface JsonStoreOptions {
  readonly clock: Clock
  /** Folder for locks. */
  readonly locks: string
  /** Called when a file is not JSON: at the first read, and with its new name when a change has renamed it. */
  readonly onBroken: (file: string, movedTo?: string) => Promise<void>
  /** The first content in place of a file that was renamed; default: empty. */
  readonly afresh?: (movedTo: string) => JsonObject
}

const LOCK_TIMEOUT_MS = 15_000
const PRIVATE_FILE = 0o600

/**
 * A store over one file, mode 0600. It is created at the first change, never by reading.
 *
 * Changes are written with conf. Reads do without: conf takes milliseconds to load, creates the folder of a missing
 * file, and rejects a byte order mark.
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

/** The JSON object in the file, `undefined` when there is none. */
function readObject(file: string): JsonObject | undefined {
  try {
    return parseObject(readTextIfThere(file) ?? '{}')
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** @throws SyntaxError for text that is not a JSON object */
function parseObject(text: string): JsonObject {
  const value: unknown = JSON.parse(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  throw new SyntaxError('not a JSON object')
}

function formatObject(value: JsonObject): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** @param path of the file itself: conf replaces a link whose target does not exist yet */
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
 * Replaces the file completely or not at all, also after a power cut, a kill or on a full disk. conf mistakes a short
 * write on a full disk for a complete one, so it writes under another name, and the file is renamed once it has been
 * read back and synced.
 *
 * @throws StorectlError as `createFileError` lists them
 */
async function writeByConf(target: string, file: string, next: JsonObject): Promise<void> {
  const temporary = `${target}.${process.pid}.tmp`
  try {
    removeLeftovers(target)
    // conf retries for a second where it has no permission to write.
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

/** Removes temporary files of killed processes, ours and conf's; nobody else writes while the lock is held. */
function removeLeftovers(target: string): void {
  const folder = dirname(target)
  const name = basename(target).replaceAll('.', '\\.')
  const leftover = new RegExp(`^${name}\\.\\d+\\.tmp(\\.tmp-\\w+)?$`)
  for (const each of readdirSync(folder)) if (leftover.test(each)) rmSync(join(folder, each), {force: true})
}
