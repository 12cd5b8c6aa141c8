import type {RunRef} from '../../runs/journal/run-store.js'

/**
 * Repairs and replays of a shop share one lease: both change its payments. Runs that mark events send nothing, and each has a
 * lease of its own, so that none waits for another.
 */
export function chooseLeaseKind({kind, id}: Pick<RunRef, 'kind' | 'id'>): string {
  if (kind === 'resolve' || kind === 'undo') return `${kind} ${id}`
  return kind === 'repair' ? 'replay' : kind
}
