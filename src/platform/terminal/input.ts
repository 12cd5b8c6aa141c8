import {randomBytes} from 'node:crypto'
import {constants, openSync} from 'node:fs'
import {type FileHandle, open, rm, stat} from 'node:fs/promises'
import {basename, join, resolve} from 'node:path'
import type {Readable} from 'node:stream'
import {createUsageError, StorectlError} from '../../errors.js'
import {createFileError, makePrivateFolder} from '../files/files.js'

/** Input that can be read several times, each time from its beginning. */
export interface Input {
  /** For messages: the file's name, or `stdin`. */
  readonly name: string
  readonly sizeBytes: number
  /** Absolute path; `undefined` for spooled input, which can be read only once. */
  readonly absolutePath: string | undefined
  /**
   * The bytes, in new buffers of at most 64 KiB.
   *
   * @throws StorectlError `usage.input_changed` when the file has changed since it was opened
   */
  read(): AsyncGenerator<Buffer, void, undefined>
  /** Closes it, and deletes spooled input. */
  close(): Promise<void>
}

const PIECE_BYTES = 64 * 1024
const PRIVATE_FILE = 0o600

export interface InputDeps {
  readonly stdin: {open(): Readable}
  /** Folder for spooled input that can be read only once, owner only. */
  readonly spoolFolder: string
  /** Ends the wait for input that does not come or never ends. */
  readonly signal: AbortSignal
}

/**
 * Opens a file, or stdin for `-`. Input that can be read only once is first copied to a file, which is unlinked at once
 * where the system allows that, so that nothing is left behind.
 *
 * @throws StorectlError as `createFileError` lists them, and `usage.no_file`; the signal's reason when it fires first
 */
export async function openInput(path: string, {stdin, spoolFolder, signal}: InputDeps): Promise<Input> {
  if (path === '-') return spoolInput('stdin', stdin.open(), spoolFolder, signal)
  if (await isPipe(path)) return spoolInput(basename(path), await pipeFrom(path), spoolFolder, signal)
  const handle = await open(path, 'r').catch(error => {
    throw createMissingFileError(error, path)
  })
  const opened = await handle.stat()
  if (opened.isDirectory()) {
    await handle.close()
    throw createUsageError('not_a_file', `${path} is a folder, not a file.`)
  }
  // Files below /proc, generated while they are read, report size 0.
  if (!opened.isFile() || opened.size === 0)
    return spoolInput(basename(path), handle.createReadStream(), spoolFolder, signal)
  const check = async () => {
    const {mtimeMs, size} = await handle.stat()
    if (mtimeMs === opened.mtimeMs && size === opened.size) return
    throw createUsageError('input_changed', `${path} was changed while it was being read.`)
  }
  const read = () => readPieces(handle, check)
  return {name: path, sizeBytes: opened.size, absolutePath: resolve(path), read, close: () => handle.close()}
}

async function isPipe(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found?.isFIFO() ?? false
}

/**
 * Reads a named pipe like a socket: a thread that waits for a writer, or for more input, could not be cancelled, and
 * would keep the process from ending.
 */
async function pipeFrom(path: string): Promise<Readable> {
  const {Socket} = await import('node:net')
  try {
    return new Socket({fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), writable: false})
  } catch (error) {
    throw createMissingFileError(error, path)
  }
}

async function spoolInput(
  name: string,
  source: Readable,
  folder: string,
  signal: AbortSignal,
): Promise<Input> {
  const stop = () => source.destroy(signal.reason)
  let sizeBytes = 0
  let scratch: ScratchFile | undefined
  try {
    scratch = await openScratch(folder)
    signal.throwIfAborted()
    signal.addEventListener('abort', stop, {once: true})
    for await (const piece of source) {
      await scratch.append(Buffer.from(piece))
      sizeBytes += piece.length
    }
  } catch (error) {
    await scratch?.close()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
    // Also where nothing was read: a file handle that is left open ends the process on Node 26.
    source.destroy()
  }
  return {name, sizeBytes, absolutePath: undefined, read: scratch.read, close: scratch.close}
}

/** A temporary file for data that does not fit in memory, owner only. */
export interface ScratchFile {
  append(bytes: Uint8Array): Promise<void>
  /** All of it from the beginning, in new buffers of 64 KiB. */
  read(): AsyncGenerator<Buffer, void, undefined>
  close(): Promise<void>
}

/**
 * Opens an empty file that is deleted when it is closed. Where the system allows it, the file is unlinked at once, so
 * that nothing is left behind.
 *
 * @throws StorectlError as `createFileError` lists them; so does `append`
 */
export async function openScratch(folder: string): Promise<ScratchFile> {
  makePrivateFolder(folder)
  const file = join(folder, `spool-${process.pid}-${randomBytes(6).toString('hex')}`)
  const handle = await open(file, 'wx+', PRIVATE_FILE).catch(error => {
    throw createFileError(error, file, 'written')
  })
  const remove = () => rm(file, {force: true}).catch(() => undefined)
  if (process.platform !== 'win32') await remove()
  let isOpen = true
  return {
    append: async bytes => {
      try {
        for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten
      } catch (error) {
        throw createFileError(error, file, 'written')
      }
    },
    read: () => readPieces(handle, async () => {}),
    close: async () => {
      if (isOpen) await handle.close()
      isOpen = false
      await remove()
    },
  }
}

async function* readPieces(
  handle: FileHandle,
  check: () => Promise<void>,
): AsyncGenerator<Buffer, void, undefined> {
  await check()
  for (let position = 0; ; ) {
    const {buffer, bytesRead} = await handle.read(
      Buffer.allocUnsafeSlow(PIECE_BYTES),
      0,
      PIECE_BYTES,
      position,
    )
    if (bytesRead === 0) break
    yield buffer.subarray(0, bytesRead)
    position += bytesRead
  }
  await check()
}

function createMissingFileError(error: unknown, path: string): StorectlError {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return createFileError(error, path, 'read')
  return new StorectlError('usage.no_file', `File not found: ${path}.`, {cause: error})
}
