import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs'
import {dirname, resolve} from 'node:path'
import {createUsageError, StorectlError} from '../../errors.js'
import {decodeText} from '../decode-text.js'
import {findLinkStats, findStats} from '../find-stats.js'

/** Owner only: the files contain secrets. */
const PRIVATE_FILE = 0o600
const PRIVATE_FOLDER = 0o700

/** Settings and secrets are shorter; anything longer is the wrong file, or endless like `/dev/zero`. */
const LONGEST_TEXT_BYTES = 16 * 1024 * 1024
const PIECE_BYTES = 64 * 1024

/**
 * The text of a file, without a byte order mark; `undefined` when the file does not exist. A pipe is read to its end.
 *
 * @throws StorectlError `usage.file_too_long`, and as `createFileError` lists them
 */
export function readTextIfThere(file: string): string | undefined {
  try {
    return readText(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw createFileError(error, file, 'read')
  }
}

function readText(file: string): string {
  const descriptor = openSync(file, 'r')
  try {
    const pieces: Buffer[] = []
    for (let size = 0; size <= LONGEST_TEXT_BYTES; ) {
      const piece = Buffer.allocUnsafe(PIECE_BYTES)
      const length = readSync(descriptor, piece)
      if (length === 0) return decodeText(Buffer.concat(pieces))
      pieces.push(piece.subarray(0, length))
      size += length
    }
  } finally {
    closeSync(descriptor)
  }
  // No `mv` for a device such as /dev/zero.
  throw createTooLongError(file, statSync(file).isFile() ? [`mv ${file} ${file}.aside`] : [])
}

function createTooLongError(file: string, nextSteps: string[]): StorectlError {
  return createUsageError('file_too_long', `${file} exceeds 16 MiB.`, nextSteps)
}

/**
 * Whether there is a file, short enough to be read as a whole.
 *
 * @throws StorectlError `usage.file_too_long`, `usage.not_a_file` for a device or pipe, and as `createFileError` lists
 * them
 */
export function isWholeFileThere(file: string): boolean {
  const stats = readStatsIfThere(file)
  if (!stats) return false
  const nextSteps = [`mv ${file} ${file}.aside`]
  if (stats.size > LONGEST_TEXT_BYTES) throw createTooLongError(file, nextSteps)
  if (stats.isFile()) return true
  const kind = stats.isDirectory() ? 'folder' : 'pipe or a device'
  throw createUsageError('not_a_file', `${file} is a ${kind}, not a file.`, nextSteps)
}

function readStatsIfThere(file: string): Stats | undefined {
  try {
    return statSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw createFileError(error, file, 'read')
  }
}

/** Size of a file in bytes, 0 when it does not exist. */
export function readSizeIfThere(file: string): number {
  return findStats(file)?.size ?? 0
}

/**
 * Creates the folder and its parents with mode 0700; existing ones keep their mode. Syncs new ones, so that durable
 * files in them survive a power cut.
 */
export function makePrivateFolder(folder: string): void {
  try {
    makeFolder(folder)
  } catch (error) {
    throw createFileError(error, folder, 'written')
  }
}

/** Mode bits: writable by the group or by everybody. */
const WRITABLE_BY_OTHERS = 0o022

/**
 * Refuses a folder for secrets that another user created or may change: it could contain prepared files and links. A
 * missing folder is accepted, and so is any where files have no owners (Windows).
 *
 * @throws StorectlError `usage.folder_not_private`
 */
export function requirePrivateFolder(folder: string): void {
  const stats = findStats(folder)
  if (!stats || process.getuid === undefined) return
  const elsewhere = 'export STORECTL_HOME=/a/folder/of/yours'
  const refuse = (what: string, nextSteps: string[]) =>
    createUsageError('folder_not_private', `${folder} ${what}: storectl stores secrets there.`, nextSteps)
  if (stats.uid !== process.getuid())
    throw refuse(`belongs to another user (uid ${stats.uid})`, [`ls -ld ${folder}`, elsewhere])
  if ((stats.mode & WRITABLE_BY_OTHERS) !== 0)
    throw refuse('can be written by other users', [`chmod go-w ${folder}`, elsewhere])
}

/** Node's own `recursive` never returns where no folder can be created, such as in `/proc`. */
function makeFolder(folder: string, isWithParents = true): void {
  try {
    mkdirSync(folder, {mode: PRIVATE_FOLDER})
    syncFolder(dirname(folder))
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException
    if (findStats(folder)?.isDirectory()) return
    if (code !== 'ENOENT' || !isWithParents || dirname(folder) === folder) throw error
    makeFolder(dirname(folder))
    makeFolder(folder, false)
  }
}

/**
 * Replaces a file's text completely or not at all, also after a power cut, a kill or on a full disk. Mode 0600. A
 * symbolic link stays one, and the file that it points to is replaced.
 *
 * @throws StorectlError as `createFileError` lists them
 */
export function writeWhole(file: string, text: string): void {
  const target = resolveLinks(file)
  const temporary = `${target}.${process.pid}.tmp`
  try {
    writeDurably(temporary, Buffer.from(text))
    renameSync(temporary, target)
  } catch (error) {
    rmSync(temporary, {force: true})
    throw createFileError(error, file, 'written')
  }
  syncFolder(dirname(target))
}

function writeDurably(file: string, bytes: Uint8Array): void {
  const descriptor = openSync(file, 'w', PRIVATE_FILE)
  try {
    chmodSync(file, PRIVATE_FILE)
    // A disk that fills up may write a part of the bytes without an error; the next write then fails.
    for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Removes a file, or a folder with its contents; does nothing when there is none. */
export function removeIfThere(file: string): void {
  try {
    rmSync(file, {force: true, recursive: true})
  } catch (error) {
    throw createFileError(error, file, 'written')
  }
}

/** Names of a folder's entries; empty when it does not exist. */
export function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw createFileError(error, folder, 'read')
  }
}

/** Makes a rename durable. Not every system lets a folder be opened. */
export function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r')
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch {}
}

/** The real path of a file, also behind a link whose target does not exist yet. */
export function resolveLinks(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    const isLink = findLinkStats(file)?.isSymbolicLink() ?? false
    return isLink ? resolve(dirname(file), readlinkSync(file)) : file
  }
}

/**
 * Turns a file system error into one that a person can act on.
 *
 * Codes: `internal.disk_full`, `usage.file_forbidden`, `usage.folder_is_a_file`, `usage.not_a_file`,
 * `internal.file_failed`.
 */
export function createFileError(error: unknown, file: string, being: 'read' | 'written'): StorectlError {
  if (error instanceof StorectlError) return error
  const {code = '', message} = error as NodeJS.ErrnoException
  const elsewhere = 'export STORECTL_HOME=/some/other/folder'
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new StorectlError('internal.disk_full', `The disk is full: ${file} was left as it was.`, {
        nextSteps: ['free some space and run the command again', elsewhere],
        cause: error,
      })
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new StorectlError('usage.file_forbidden', `${file} may not be ${being} (${code}).`, {
        nextSteps: [`ls -ld ${dirname(file)} ${file}`, elsewhere],
        cause: error,
      })
    case 'ENOTDIR':
    case 'EEXIST':
      return new StorectlError(
        'usage.folder_is_a_file',
        `${file} cannot exist: a parent folder of its path is a file.`,
        {nextSteps: [elsewhere], cause: error},
      )
    case 'EISDIR':
      return new StorectlError('usage.not_a_file', `${file} is a folder, not a file.`, {
        nextSteps: [`mv ${file} ${file}.aside`],
        cause: error,
      })
    default:
      return new StorectlError('internal.file_failed', `${file} could not be ${being}: ${message}`, {
        cause: error,
      })
  }
}

/** A file that the server may send. */
export interface ServedFile {
  /** Its media type. */
  readonly type: string
  readonly sizeBytes: number
  /** Changes with the bytes. */
  readonly tag: string
  read(): Buffer
}

/** Files that the build has collected, served by name. */
export interface ServedFolder {
  /** `undefined` for a name that is not in the folder's list, even if such a file exists. */
  find(name: string): ServedFile | undefined
}

/** The folder's list, written by the build: `{"start.js": {"type", "sizeBytes", "tag"}}`. */
const LIST = 'files.json'

type List = Readonly<Record<string, Omit<ServedFile, 'read'>>>

/** Opens a folder, and reads nothing before the first request. A missing folder is empty. */
export function serveFolder(read: (name: string) => Buffer): ServedFolder {
  let list: List | undefined
  return {
    find(name) {
      list ??= readList(read)
      const file = Object.hasOwn(list, name) ? list[name] : undefined
      return file && {...file, read: () => read(name)}
    },
  }
}

function readList(read: (name: string) => Buffer): List {
  try {
    return JSON.parse(read(LIST).toString('utf8'))
  } catch {
    return {}
  }
}
