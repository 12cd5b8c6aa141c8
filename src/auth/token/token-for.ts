import {usageError} from '../../errors.js'
import type {Clock} from '../../platform/clock.js'
import type {AccessToken} from '../credentials/secrets.js'
import type {Tokens} from './token-source.js'
import {endsWithin} from './token-times.js'

/**
 * A token that is good for at least so long.
 *
 * @param minTtlMs milliseconds, 0 or more
 * @param signal ends the waiting
 * @throws StorectlError `usage.min_ttl` when even a new token ends sooner
 */
export async function tokenFor(
  minTtlMs: number,
  tokens: Tokens,
  clock: Clock,
  signal: AbortSignal,
): Promise<AccessToken> {
  const token = await tokens.current(signal)
  if (!endsWithin(token, clock.now(), minTtlMs)) return token
  const renewed = await tokens.after(token, signal)
  if (renewed && !endsWithin(renewed, clock.now(), minTtlMs)) return renewed
  const {expiresAt} = renewed ?? token
  const leftS = Math.floor(((expiresAt?.getTime() ?? 0) - clock.now().getTime()) / 1000)
  throw usageError(
    'min_ttl',
    renewed
      ? `The shop gives no token for ${minTtlMs / 1000} s: a new one ends in ${leftS} s.`
      : `The token ends in ${leftS} s, and there is nothing to renew it with.`,
    [renewed ? 'storectl auth token --min-ttl 60s' : `storectl auth token --min-ttl ${leftS}s`],
  )
}
