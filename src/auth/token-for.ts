import {usageError} from '../errors.js'
import type {Clock} from '../platform/clock.js'
import {endsWithin} from './expiry.js'
import type {AccessToken} from './secrets.js'
import type {Tokens} from './tokens.js'

/**
 * A token that is good for at least so long.
 *
 * @param minTtlMs milliseconds, 0 or more
 * @throws StorectlError `usage.min_ttl` when even a new token ends sooner
 */
export async function tokenFor(minTtlMs: number, tokens: Tokens, clock: Clock): Promise<AccessToken> {
  const token = await tokens.current()
  if (!endsWithin(token, clock.now(), minTtlMs)) return token
  const renewed = await tokens.after(token)
  if (renewed && !endsWithin(renewed, clock.now(), minTtlMs)) return renewed
  const {expiresAt} = renewed ?? token
  const leftMs = (expiresAt?.getTime() ?? 0) - clock.now().getTime()
  throw usageError(
    'min_ttl',
    `The shop gives no token for ${minTtlMs / 1000} s: a new one ends in ${Math.floor(leftMs / 1000)} s.`,
    ['storectl auth token --min-ttl 60s'],
  )
}
