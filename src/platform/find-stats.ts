import {lstatSync, type Stats, statSync} from 'node:fs'

/**
 * The stats of a file or folder; `undefined` where there is none, also where a parent of its path is a file: there Node
 * 20 throws, and later versions do so for links only.
 */
export function findStats(path: string): Stats | undefined {
  return find(() => statSync(path, {throwIfNoEntry: false}))
}

/** The stats of a symbolic link itself, not of its target. */
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
