import {lstatSync, type Stats, statSync} from 'node:fs'

/**
 * What the system knows of a file or a folder; `undefined` where there is none, also where a parent folder of its path
 * is a file: Node 20 throws there, and later versions do so for links alone.
 */
export function findStats(path: string): Stats | undefined {
  return find(() => statSync(path, {throwIfNoEntry: false}))
}

/** The same of a symbolic link itself, not of what it points to. */
export function findLinkStats(path: string): Stats | undefined {
  return find(() => lstatSync(path, {throwIfNoEntry: false}))
}

function find(look: () => Stats | undefined): Stats | undefined {
  try {
    return look()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined
    throw error
  }
}
