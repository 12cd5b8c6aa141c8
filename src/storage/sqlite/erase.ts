import type {EraseResult} from '../engine/database.js'
import type {SqliteConnection} from './connection.js'
import {isBusy} from './errors.js'

/** How long others may keep the file to themselves, and how often it is tried. */
const PATIENCE_MS = 10_000
const PAUSE_MS = 100

/**
 * Rewrites a database file without what was deleted from it, now or ever, and empties its log. Others may go on reading and
 * writing; what they still look at stays in the log until they are done.
 *
 * @param connection the one that writes; nothing else may be under way on it
 */
export async function erase(connection: SqliteConnection): Promise<EraseResult> {
  connection.execute('pragma secure_delete = on')
  const isRewritten = await patiently(() => {
    connection.execute('vacuum')
    return true
  })
  if (!isRewritten) return {kind: 'in-use', why: 'another process has been writing to it for too long'}
  const isEmptied = await patiently(() => {
    const [row] = connection.all('pragma wal_checkpoint(truncate)', []) as {busy: number}[]
    return row?.busy === 0
  })
  if (isEmptied) return {kind: 'erased'}
  return {kind: 'in-use', why: 'another process has been reading it for too long'}
}

async function patiently(step: () => boolean): Promise<boolean> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    try {
      if (step()) return true
    } catch (error) {
      if (!isBusy(error)) throw error
    }
    if (performance.now() >= deadline) return false
    await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
  }
}
