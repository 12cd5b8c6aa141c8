import type {RunStore} from '../../runs/journal/run-store.js'
import type {ReplayFlags} from './replay-input.js'

/** What a replay of delivered events is for: given again, it carries on instead of beginning anew. */
export interface Purpose {
  /** The same for every command that means the same events. */
  readonly of: string
  /** What earlier runs of this purpose sent again is sent once more. */
  readonly isAfresh: boolean
}

/** A purpose as a run remembers it. */
interface Remembered {
  readonly of: string
  readonly sinceMs: number
}

/** The purpose that words and filters say; a time ago is the same purpose whenever it is said. */
export function purposeOf(words: readonly string[], flags: ReplayFlags, isAfresh: boolean): Purpose {
  const {status, type, since, until} = flags
  const epoch = new Date(0)
  const said = [words, status, type, since?.(epoch), until?.(epoch)]
  return {of: JSON.stringify(said.map(part => part ?? null)), isAfresh}
}

/**
 * Since when deliveries count for a purpose: since its first run began, unless it is to begin afresh.
 *
 * @returns milliseconds since 1970
 */
export async function sinceWhen(
  {of, isAfresh}: Purpose,
  target: string,
  runs: Pick<RunStore, 'list'>,
  now: Date,
): Promise<number> {
  if (isAfresh) return now.getTime()
  for await (const {options} of runs.list({kind: 'replay', target})) {
    const remembered = options.purpose as Remembered | undefined
    if (remembered?.of === of) return remembered.sinceMs
  }
  return now.getTime()
}
