import type {Tested} from '../../language/where/comparison.js'
import {describeNotStored, NOT_STORED} from '../inbox/capture-inbox.js'
import {countEvents, type Inbox, type InboxQuery} from '../inbox/inbox.js'

const UNKNOWN: Tested = {kind: 'single', field: 'orderNumber', type: 'text', operator: '=', value: null}

/** A note on how many events a condition on order numbers cannot decide; `undefined` if it has none, or all are known. */
export async function describeUnknownOrders(
  inbox: Pick<Inbox, 'countGroups'>,
  target: string,
  query: InboxQuery,
): Promise<string | undefined> {
  if (!query.where || !asksForOrders(query.where)) return undefined
  const count = await countEvents(inbox, target, {...query, where: UNKNOWN})
  if (count === 0) return undefined
  const events = count === 1 ? '1 event' : `${count.toLocaleString('en-US')} events`
  return `order number not known of ${events}, whose payments were not looked up: storectl webhook diagnose`
}

/** What a list of the inbox cannot decide, in sentences for a person. */
export async function listInboxNotes(
  inbox: Inbox,
  target: string,
  query: InboxQuery,
  now: Date,
): Promise<string[]> {
  const orders = await describeUnknownOrders(inbox, target, query)
  return [orders ?? [], describeNotStored(await inbox.readPosition(target, NOT_STORED), now) ?? []].flat()
}

function asksForOrders(condition: Tested): boolean {
  if (condition.kind === 'not') return asksForOrders(condition.part)
  if ('parts' in condition) return condition.parts.some(asksForOrders)
  return condition.field === 'orderNumber'
}
