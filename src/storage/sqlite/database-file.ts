import {randomUUID} from 'node:crypto'
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs'
import {dirname} from 'node:path'
import {createFileError, makePrivateFolder} from '../../platform/files/files.js'
import {findStats} from '../../platform/find-stats.js'
import {createEmptyFileError} from './errors.js'

/** Readable and writable by the owner only: the files contain secrets and customers' addresses. */
const PRIVATE_FILE = 0o600

const PAGE_BYTES = 4096

/**
 * Creates the folder and a database without tables where there is none, readable by the owner only. SQLite gives its
 * WAL and shared-memory files the same mode as the database.
 *
 * The file gets its name once its first page is written, so that an empty file is never ours.
 *
 * @throws StorectlError as `createFileError` lists them: an unwritable home has one code, whatever is created first
 */
export function prepareDatabaseFile(file: string): void {
  makePrivateFolder(dirname(file))
  if (existsSync(file)) return
  const unfinished = `${file}.unfinished_${randomUUID()}.tmp`
  try {
    writeFirstPage(unfinished)
    nameFile(unfinished, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return
    throw createFileError(error, file, 'written')
  } finally {
    rmSync(unfinished, {force: true})
  }
}

/** Never replaces a file. Copies the file where there are no hard links. */
function nameFile(unfinished: string, file: string): void {
  try {
    linkSync(unfinished, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error
    copyFileSync(unfinished, file, constants.COPYFILE_EXCL)
  }
}

/** @throws StorectlError `internal.database_unreadable` for an empty file */
export function refuseEmptyFile(file: string): void {
  if (findStats(file)?.size === 0) throw createEmptyFileError(file)
}

function writeFirstPage(file: string): void {
  const descriptor = openSync(file, 'wx', PRIVATE_FILE)
  try {
    writeSync(descriptor, buildEmptyDatabase())
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * A database without tables, in WAL mode.
 *
 * @see https://sqlite.org/fileformat.html §1.3 (the header) and §1.6 (the page of the schema)
 */
function buildEmptyDatabase(): Buffer {
  const page = Buffer.alloc(PAGE_BYTES)
  page.write('SQLite format 3\0', 0, 'latin1')
  page.writeUInt16BE(PAGE_BYTES, 16)
  // Write and read version: 2 is WAL. Then the fixed payload fractions.
  page.set([2, 2, 0, 64, 32, 32], 18)
  page.writeUInt32BE(1, 24) // change counter
  page.writeUInt32BE(1, 28) // size in pages
  page.writeUInt32BE(1, 56) // UTF-8
  page.writeUInt32BE(1, 92) // version-valid-for number
  page.writeUInt32BE(SQLITE_VERSION, 96)
  page.writeUInt8(LEAF_OF_TABLE, 100)
  page.writeUInt16BE(PAGE_BYTES, 105) // start of the cell content area
  return page
}

/** 3.40.0, the oldest in a supported Node. */
const SQLITE_VERSION = 3_040_000
const LEAF_OF_TABLE = 0x0d
