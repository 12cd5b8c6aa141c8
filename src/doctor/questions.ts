import type {Caller} from '../http/caller.js'
import {missingPrivileges, readErrors} from '../wire/read-errors.js'

const JSON_BOTH_WAYS = {accept: 'application/json', 'content-type': 'application/json'}

/** What the commands read. @see protocol.md §3.4 */
const READ_ENTITIES = ['customer', 'order-transaction', 'fulfillment-order']

/** The privileges that the access token misses to read what the commands read, each once. */
export async function privilegesMissing(caller: Caller): Promise<string[]> {
  const missing = await Promise.all(READ_ENTITIES.map(entity => missingFor(entity, caller)))
  return [...new Set(missing.flat())]
}

async function missingFor(entity: string, caller: Caller): Promise<string[]> {
  const path = `/api/search-ids/${entity}`
  const answer = await caller.call({method: 'POST', path, headers: JSON_BOTH_WAYS, body: '{"limit":1}'})
  if (answer.status !== 403) return []
  const missing = missingPrivileges(readErrors(answer.body))
  return missing.length > 0 ? missing : [`${entity.replaceAll('-', '_')}:read`]
}

/** What the shop says about the provider's registration of its webhook, `undefined` where it says nothing. @see protocol.md §4.1 */
export async function registration(provider: string, caller: Caller): Promise<string | undefined> {
  const path = `/api/_action/${provider}/webhook/status/null`
  const {status, body} = await caller.call({method: 'GET', path, headers: {accept: 'application/json'}})
  if (status !== 200) return undefined
  try {
    const {result} = JSON.parse(body.toString('utf8')) as {result?: unknown}
    return typeof result === 'string' ? result : undefined
  } catch {
    return undefined
  }
}
