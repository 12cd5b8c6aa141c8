import {randomBytes} from 'node:crypto'
import {type FileHandle, link, open, rename, rm, stat} from 'node:fs/promises'
import {dirname} from 'node:path'
import {usageError} from '../errors.js'
import {behindLinks, fileError} from './files.js'
import type {Sink} from './streams.js'

/** A file that is being written, and has its name only once it is whole. */
export interface FileOutput {
  /** Where it lies until then, empty at first, for whoever writes it by its name. */
  readonly temporary: string
  /** No faster than the disk takes it. */
  readonly sink: Sink
  /** Puts what was written, now on disk, in its place. */
  keep(): Promise<void>
  /** Lets go of it; what was not kept is gone. */
  close(): Promise<void>
}

const PRIVATE_FILE = 0o600

/**
 * Opens a file to be written as a whole or not at all, for the owner alone.
 *
 * @param replaces whether a file of that name may be replaced
 * @throws StorectlError `usage.file_exists`, `usage.no_folder`, and as `fileError` lists them; so do `write` and `keep`
 */
export async function openFileOutput(path: string, replaces: boolean): Promise<FileOutput> {
  const target = behindLinks(path)
  if (!replaces && (await isThere(target))) throw fileExists(path)
  const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`
  const failed = (error: unknown) => (isNoEntry(error) ? noFolder(path) : fileError(error, path, 'written'))
  const handle = await open(temporary, 'wx', PRIVATE_FILE).catch(error => {
    throw failed(error)
  })
  let isOpen = true
  return {
    temporary,
    sink: {
      isTerminal: false,
      columns: undefined,
      write: text =>
        writeAll(handle, Buffer.from(text as string)).catch(error => Promise.reject(failed(error))),
    },
    keep: async () => {
      try {
        await handle.sync()
        await (replaces ? rename(temporary, target) : link(temporary, target))
      } catch (error) {
        throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? fileExists(path) : failed(error)
      }
    },
    close: async () => {
      if (isOpen) await handle.close()
      isOpen = false
      await rm(temporary, {force: true}).catch(() => undefined)
    },
  }
}

/** A disk that fills up takes a part of the bytes without an error; the next write then fails. */
async function writeAll(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined
}

function isNoEntry(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

function noFolder(path: string) {
  return usageError('no_folder', `There is no folder ${dirname(path)}.`, [`mkdir -p ${dirname(path)}`])
}

function fileExists(path: string) {
  return usageError('file_exists', `${path} is there already.`, [
    'give --force to replace it, or another name',
  ])
}
