import {closeSync, fdatasync, openSync, statSync} from 'node:fs'

/**
 * The write-ahead log beside a database, which commits are appended to. SQLite would bring it to the disk itself and
 * keep the whole process waiting; here a thread of Node's waits, and requests are read meanwhile.
 *
 * @see https://sqlite.org/wal.html
 */
export class LogFile {
  #descriptor: number | undefined

  constructor(private readonly databaseFile: string) {}

  /** Resolves once everything that was committed before is on disk. */
  sync(): Promise<void> {
    // The log is there from the first commit on, and stays while a connection is open.
    this.#descriptor ??= openSync(`${this.databaseFile}-wal`, 'r+')
    const descriptor = this.#descriptor
    return new Promise((resolve, reject) => {
      fdatasync(descriptor, error => (error ? reject(error) : resolve()))
    })
  }

  /** 0 where there is none. */
  get sizeBytes(): number {
    return statSync(`${this.databaseFile}-wal`, {throwIfNoEntry: false})?.size ?? 0
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }
}
