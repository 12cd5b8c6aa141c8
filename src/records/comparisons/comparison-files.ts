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

/** Nobody resumes a comparison that is older, milliseconds. */
const OLDEST_UNFINISHED_MS = 7 * 24 * 3_600_000

/** A comparison that no other process works on. */
export interface HeldComparison {
  readonly comparison: StoredComparison
  readonly store: OpenComparisonStore
  /** It is complete: earlier ones of its shop go, and of it only what was found stays. */
  complete(at: Date): Promise<void>
  close(): Promise<void>
}

/** Comparisons in a folder: a description and a database each. */
export interface ComparisonFiles {
  /** Those of a shop, the newest first. */
  list(target: string): StoredComparison[]
  /** @throws StorectlError `unavailable.locked` where another process works on it */
  hold(comparison: StoredComparison): Promise<HeldComparison>
  /** Opens what a complete comparison has found. */
  openFound(comparison: StoredComparison): Promise<OpenComparisonStore>
  /** Removes what a killed process left, once nobody would resume it. */
  removeOld(now: Date): Promise<void>
}

/** @param folder made at the first comparison, for the owner alone */
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

/** Nothing for a file that is no description. */
function parseComparison(text: string | undefined): StoredComparison[] {
  try {
    const value = JSON.parse(text ?? '') as Partial<StoredComparison> | null
    const isWhole = typeof value?.id === 'string' && typeof value.target === 'string'
    return isWhole && typeof value.startedAt === 'string' ? [value as StoredComparison] : []
  } catch {
    return []
  }
}
