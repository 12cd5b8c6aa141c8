import {randomBytes} from 'node:crypto'
import {type FileHandle, link, mkdir, open, readdir, rename, rm, stat} from 'node:fs/promises'
import {basename, dirname, join} from 'node:path'
import {createUsageError} from '../../errors.js'
import {identifyProcess, isRunning} from '../processes.js'
import type {Sink} from '../streams.js'
import {identifyHost} from './exclusive-lock.js'
import {createFileError, resolveLinks, syncFolder} from './files.js'

/** A file that gets its name only once it is complete. */
export interface FileOutput {
  /** Its path until then, empty at first, for code that writes to it by path. */
  readonly temporary: string
  /** With backpressure; bytes are written unchanged. */
  readonly sink: Sink
  /** Syncs the written file to disk, and renames it to its final name. */
  keep(): Promise<void>
  /** Closes it, and deletes it unless `keep` was called. */
  close(): Promise<void>
}

const PRIVATE_FILE = 0o600

/**
 * Opens a file that is written completely or not at all, readable by the owner only. Removes what killed processes left
 * of the same file.
 *
 * @param replaces whether a file of that name may be replaced
 * @param makesFolder whether missing folders are created
 * @throws StorectlError `usage.file_exists`, `usage.no_folder`, and as `createFileError`; also `write` and `keep`
 */
export async function openFileOutput(
  path: string,
  replaces: boolean,
  makesFolder = false,
): Promise<FileOutput> {
  const target = resolveLinks(path)
  if (!replaces && (await isThere(target))) throw createFileExistsError(path)
  if (makesFolder) await makeFolder(target)
  await removeLeftovers(target)
  const temporary = `${target}${UNFINISHED}${identifyWriter()}_${randomBytes(4).toString('hex')}.tmp`
  const createWriteError = (error: unknown) =>
    isNoEntry(error) ? createNoFolderError(path) : createFileError(error, path, 'written')
  const handle = await open(temporary, 'wx', PRIVATE_FILE).catch(error => {
    throw createWriteError(error)
  })
  let isOpen = true
  return {
    temporary,
    sink: {
      isTerminal: false,
      columns: undefined,
      write: text =>
        writeAll(handle, typeof text === 'string' ? Buffer.from(text) : text).catch(error =>
          Promise.reject(createWriteError(error)),
        ),
    },
    keep: async () => {
      try {
        await handle.sync()
        await (replaces ? rename(temporary, target) : link(temporary, target))
        syncFolder(dirname(target))
      } catch (error) {
        throw (error as NodeJS.ErrnoException).code === 'EEXIST'
          ? createFileExistsError(path)
          : createWriteError(error)
      }
    },
    close: async () => {
      if (isOpen) await handle.close()
      isOpen = false
      await rm(temporary, {force: true}).catch(() => undefined)
    },
  }
}

async function makeFolder(target: string): Promise<void> {
  await mkdir(dirname(target), {recursive: true}).catch(error => {
    throw createFileError(error, target, 'written')
  })
}

/** Between a file's name and its writer's, so that a person who finds one knows what it is. */
const UNFINISHED = '.unfinished_'

/** An unfinished file, or SQLite's journal of one. */
const LEFTOVER = /\.tmp(?:-journal)?$/

/** A name may have 255 characters, most of which the file's own name needs. */
const LONGEST_HOST = 40

function identifyWriter(): string {
  const {pid, start} = identifyProcess()
  return [pid, start, identifyHost().slice(-LONGEST_HOST)].join('_')
}

/** For files of another host nobody can tell whether they are still being written. */
async function removeLeftovers(target: string): Promise<void> {
  const begin = `${basename(target)}${UNFINISHED}`
  const names = await readdir(dirname(target)).catch(() => [])
  for (const name of names.filter(each => each.startsWith(begin) && LEFTOVER.test(each))) {
    const [pid, start = '0', host] = name.slice(begin.length).split('_')
    if (host !== identifyHost().slice(-LONGEST_HOST) || isRunning(Number(pid), start)) continue
    await rm(join(dirname(target), name), {force: true}).catch(() => undefined)
  }
}

/** A disk that fills up may write a part of the bytes without an error; the next write then fails. */
async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined
}

function isNoEntry(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

function createNoFolderError(path: string) {
  return createUsageError('no_folder', `Folder not found: ${dirname(path)}.`, [`mkdir -p ${dirname(path)}`])
}

function createFileExistsError(path: string) {
  return createUsageError('file_exists', `${path} already exists.`, [
    'add --force to overwrite it, or use another name',
  ])
}
