import type {Caller} from '../http/http.js'
import {missingPrivileges, readErrors} from '../wire/read-errors.js'

const JSON_BOTH_WAYS = {accept: 'application/json', 'content-type': 'application/json'}

/** What the commands read. @see protocol.md §3.4 */
const READ_ENTITIES = ['customer', 'order-transaction', 'fulfillment-order']

/** The privileges that the access token misses for what the commands read and submit, each once. */
export async function privilegesMissing(caller: Caller): Promise<string[]> {
  const reading = READ_ENTITIES.map(entity =>
    missingFor(`/api/search-ids/${entity}`, '{"limit":1}', `${entity.replaceAll('-', '_')}:read`, caller),
  )
  // An order without any of its fields is refused whoever sends it, so nothing comes of it.
  const submitting = missingFor('/api/fulfillment/order', '{}', 'fulfillment_order:create', caller)
  return [...new Set((await Promise.all([...reading, submitting])).flat())]
}

async function missingFor(path: string, body: string, privilege: string, caller: Caller): Promise<string[]> {
  const answer = await caller.call({method: 'POST', path, headers: JSON_BOTH_WAYS, body})
  if (answer.status !== 403) return []
  const missing = missingPrivileges(readErrors(answer.body))
  return missing.length > 0 ? missing : [privilege]
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
