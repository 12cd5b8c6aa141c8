import {join} from 'node:path'
import type {Paths} from '../../config/paths.js'
import {StorectlError} from '../../errors.js'
import {withLock} from '../../platform/files/exclusive-lock.js'
import {makePrivateFolder, readTextIfThere, writeWhole} from '../../platform/files/files.js'
import type {SeenRecords} from '../../runs/ledger/seen-records.js'
import type {DatabaseLocation} from '../../storage/engine/database.js'

/** What a home knows about one database of records: a part of a small file, mode 0600. */
export interface SeenStore {
  /** @returns `undefined` in a home that knows nothing about this database */
  read(): SeenRecords | undefined
  /**
   * Reads, changes and writes while no other process does.
   *
   * @param change gets the present value; nothing is written if it returns `undefined`
   * @returns whether it could be written: a read-only home learns nothing, which stops no command
   */
  update(change: (now: SeenRecords | undefined) => SeenRecords | undefined): Promise<boolean>
}

type AllSeen = Readonly<Record<string, SeenRecords>>

/** Writing the file takes only a moment. */
const LOCK_TIMEOUT_MS = 15_000

/**
 * What a home knows about the records at a location. A file is identified by its name in the home, so that a copy of the
 * whole home knows what the home knew; a PostgreSQL by its address.
 */
export function openSeenStore({state}: Pick<Paths, 'state'>, location: DatabaseLocation): SeenStore {
  const file = join(state, 'seen-records.json')
  const name = typeof location === 'string' ? 'records.db' : location.label
  return {
    read: () => readAll(file)[name],
    update: async change => {
      try {
        makePrivateFolder(state)
        await withLock(join(state, 'locks', 'seen-records'), LOCK_TIMEOUT_MS, () => {
          const all = readAll(file)
          const next = change(all[name])
          if (next) writeWhole(file, `${JSON.stringify({...all, [name]: next}, null, 2)}\n`)
        })
        return true
      } catch (error) {
        if (error instanceof StorectlError) return false
        throw error
      }
    },
  }
}

/** An invalid file counts as empty. */
function readAll(file: string): AllSeen {
  try {
    return JSON.parse(readTextIfThere(file) ?? '{}') ?? {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}
