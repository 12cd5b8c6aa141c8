import {join} from 'node:path'
import type {StoredComparison} from '../../payment/reconcile/comparison.js'
import {holdLock} from '../../platform/files/exclusive-lock.js'
import {
  listFolder,
  makePrivateFolder,
  readTextIfThere,
  removeIfThere,
  writeWhole,
} from '../../platform/files/files.js'
import {type OpenComparisonStore, openComparisonStore} from './comparison-store.js'

/** Age, milliseconds, from which a comparison is not resumed. */
const OLDEST_UNFINISHED_MS = 7 * 24 * 3_600_000

/** A comparison that this process has locked. */
export interface HeldComparison {
  readonly comparison: StoredComparison
  readonly store: OpenComparisonStore
  /** Marks it as complete: deletes earlier ones of its shop, and all of its data except the findings. */
  complete(at: Date): Promise<void>
  close(): Promise<void>
}

/** Comparisons in a folder: a description and a database each. */
export interface ComparisonFiles {
  /** The comparisons of a shop, the newest first. */
  list(target: string): StoredComparison[]
  /** @throws StorectlError `unavailable.locked` where another process works on it */
  hold(comparison: StoredComparison): Promise<HeldComparison>
  /** Opens the findings of a complete comparison. */
  openFound(comparison: StoredComparison): Promise<OpenComparisonStore>
  /** Removes the leftovers of killed processes, once they are too old to resume. */
  removeOld(now: Date): Promise<void>
}

/** @param folder created at the first comparison, owner only */
export function openComparisonFiles(folder: string, now: () => Date): ComparisonFiles {
  const nameFile = (id: string, ending: string) => join(folder, `${id}.${ending}`)
  const describe = (comparison: StoredComparison) =>
    writeWhole(nameFile(comparison.id, 'json'), `${JSON.stringify(comparison)}\n`)
  const listAll = (): StoredComparison[] =>
    listFolder(folder)
      .flatMap(name => (name.endsWith('.json') ? parseComparison(readTextIfThere(join(folder, name))) : []))
      .sort((one, other) => (one.startedAt < other.startedAt ? 1 : -1))
  const remove = (id: string) => {
    for (const ending of ['db', 'db-wal', 'db-shm', 'lock', 'json']) removeIfThere(nameFile(id, ending))
  }
  const openStore = (id: string) => openComparisonStore(nameFile(id, 'db'), now)
  return {
    list: target => listAll().filter(comparison => comparison.target === target),
    openFound: ({id}) => openStore(id),
    hold: async comparison => {
      const {id, target} = comparison
      makePrivateFolder(folder)
      const giveBack = await holdLock(nameFile(id, 'lock'))
      describe(comparison)
      const store = await openStore(id)
      return {
        ...{comparison, store},
        complete: async at => {
          await store.dropMovements()
          describe({...comparison, completedAt: at.toISOString()})
          for (const other of listAll())
            if (other.target === target && other.id !== id && other.completedAt !== null) remove(other.id)
        },
        close: async () => {
          await store.close()
          await giveBack()
        },
      }
    },
    removeOld: async at => {
      for (const {id, startedAt, completedAt} of listAll()) {
        if (completedAt !== null || at.getTime() - Date.parse(startedAt) < OLDEST_UNFINISHED_MS) continue
        const giveBack = await holdLock(nameFile(id, 'lock')).catch(() => undefined)
        if (!giveBack) continue
        await giveBack()
        remove(id)
      }
    },
  }
}

/** `undefined` for a file that is not a description. */
function parseComparison(text: string | undefined): StoredComparison[] {
  try {
    const value = JSON.parse(text ?? '') as Partial<StoredComparison> | null
    const isWhole = typeof value?.id === 'string' && typeof value.target === 'string'
    return isWhole && typeof value.startedAt === 'string' ? [value as StoredComparison] : []
  } catch {
    return []
  }
}
