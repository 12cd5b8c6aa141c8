import {formatCounted} from '../../output/cell.js'
import type {Clock} from '../../platform/clock.js'
import {digestToken} from '../event/webhook-token.js'

/** What is needed to end the trust in earlier webhook tokens of a shop. */
export interface LeakDeps {
  /** The shop's name in the records. */
  readonly target: string
  readonly tokens: {
    /** @returns how many events now have a wrong token */
    noteLeaked(target: string, current: Buffer | undefined, since: Date, at: Date): Promise<number>
  }
  /** The token that the profile has. */
  readonly findOwn: () => Promise<string | undefined>
  readonly clock: Pick<Clock, 'now'>
}

/** Flags for leaked webhook tokens. */
export interface LeakFlags {
  readonly leaked: boolean
  readonly 'leaked-since'?: ((now: Date) => Date) | undefined
}

/** Since when leaked tokens no longer count; `undefined` if none leaked. */
export function findLeak({leaked, 'leaked-since': leakedSince}: LeakFlags, now: Date): Date | undefined {
  return leaked ? new Date(0) : leakedSince?.(now)
}

/**
 * Ends the trust in all webhook tokens of a shop except the present one, because they leaked.
 *
 * @param current the shop's present token; if the shop does not show it, the profile's
 * @returns the result, for the person
 */
export async function dropEarlierTokens(
  current: string | undefined,
  since: Date,
  {target, tokens, findOwn, clock}: LeakDeps,
): Promise<string> {
  const kept = current ?? (await findOwn())
  const digest = kept === undefined ? undefined : digestToken(kept)
  const count = await tokens.noteLeaked(target, digest, since, clock.now())
  return `Earlier tokens no longer count; ${formatCounted(count, ['event is', 'events are'])} now wrong-token`
}
