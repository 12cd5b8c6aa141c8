import type {StorectlError} from '../errors.js'
import type {Answer, Caller} from '../http/caller.js'

/**
 * Asks the shop for its version: the smallest call that only a valid token gets through.
 *
 * @param signed adds the token
 * @returns `undefined` where the caller may not know it, or the shop does not say
 * @throws the refusal for a 401, 429, a redirect and 5xx, and what `Caller` throws
 * @see protocol.md §1.7
 */
export async function shopVersion(
  signed: Caller,
  refusal: (answer: Answer, doing: string) => StorectlError,
): Promise<string | undefined> {
  const answer = await signed.call({
    method: 'GET',
    path: '/api/_info/version',
    headers: {accept: 'application/json'},
  })
  const {status} = answer
  if (status === 401 || status === 429 || status >= 500 || (status >= 300 && status < 400)) {
    throw refusal(answer, 'the check of the access token')
  }
  try {
    const {version} = JSON.parse(answer.body.toString('utf8')) as {version?: unknown}
    return typeof version === 'string' ? version : undefined
  } catch {
    return undefined
  }
}
