import {chmodSync, closeSync, existsSync, mkdirSync, openSync} from 'node:fs'
import {dirname} from 'node:path'

/** Readable and writable by the owner alone: the files hold addresses of customers and secrets. */
const PRIVATE_FILE = 0o600
const PRIVATE_FOLDER = 0o700

/**
 * Makes the folder and an empty file where there is none, for the owner's eyes only. SQLite gives its WAL and
 * shared-memory files the same mode as the database, so the first file decides for all three.
 */
export function prepareDatabaseFile(file: string): void {
  mkdirSync(dirname(file), {recursive: true, mode: PRIVATE_FOLDER})
  if (existsSync(file)) return
  closeSync(openSync(file, 'a', PRIVATE_FILE))
  chmodSync(file, PRIVATE_FILE)
}
