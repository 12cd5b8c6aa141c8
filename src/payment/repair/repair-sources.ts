import type {InboxEvent, WebhookEvent} from '../../webhook/event/event.js'
import {readEvent} from '../../webhook/event/read-event.js'
import type {Inbox} from '../../webhook/inbox/inbox.js'
import type {FoundDrift} from '../reconcile/drift-row.js'
import {type ProviderApi, parseObject} from '../reconcile/provider-api.js'
import type {RepairSources} from './choose-repair.js'
import {listTransitions, type TransitionShop} from './transitions.js'

export interface RepairSourcesDeps {
  readonly inbox: Pick<Inbox, 'find' | 'findPaymentEvents'>
  /** Name of the shop in the inbox. */
  readonly target: string
  readonly shop: Pick<TransitionShop, 'patient' | 'refusal'>
  readonly provider: ProviderApi
  readonly now: () => Date
  /** Asks the provider who sent stored events, and stores its answer. */
  readonly askSenders: (events: readonly InboxEvent[]) => Promise<unknown>
}

const EVENTS = '/v1/notifications/webhooks-events'

/** An event is created moments after the money has moved, or long before if the money was held back. */
const MARGIN_MS = 24 * 3_600_000

/** Reads the sources of repairs: the inbox, the provider's events and the shop's transitions. */
export function createRepairSources(deps: RepairSourcesDeps): RepairSources {
  const {inbox, target, shop} = deps
  return {
    findEvents: async transaction => {
      const name = `id:${transaction}`
      const ids = ((await inbox.findPaymentEvents(target, [name])).get(name) ?? []).map(({id}) => id)
      const find = async () => [...(await inbox.find(target, ids)).values()]
      // A second body under an id has an id that the provider does not know.
      const asked = (await find()).filter(({id, sender}) => sender === 'unverified' && !id.includes('~'))
      if (asked.length > 0) await deps.askSenders(asked)
      return (await find()).sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime())
    },
    findProviderEvents: found => listProviderEvents(found, deps),
    listTransitions: transaction => listTransitions(transaction, shop),
  }
}

/** Events about the last movement of money; the provider need not have any. */
async function listProviderEvents(
  {facts}: FoundDrift,
  {provider, now}: RepairSourcesDeps,
): Promise<readonly WebhookEvent[]> {
  const movement = [...facts.provider.movements]
    .sort((one, other) => one.at.getTime() - other.at.getTime())
    .at(-1)
  if (!movement) return []
  const query = new URLSearchParams({
    page_size: '10',
    start_time: new Date(movement.at.getTime() - MARGIN_MS).toISOString(),
    end_time: new Date(Math.min(movement.at.getTime() + MARGIN_MS, now().getTime())).toISOString(),
    transaction_id: movement.id,
  })
  const headers = {accept: 'application/json'}
  const answer = await provider.patient.call({method: 'GET', path: `${EVENTS}?${query}`, headers})
  if (answer.status !== 200) throw provider.refusal(answer, 'the list of events')
  const {events} = parseObject(answer)
  return (Array.isArray(events) ? events : []).flatMap(event => {
    const read = readEvent(Buffer.from(JSON.stringify(event)), 'provider', now())
    return 'unusable' in read ? [] : [read]
  })
}

/**
 * One event of the provider's.
 *
 * @returns `undefined` if it has no such event
 * @throws StorectlError as `HttpClient` and `refusal` do
 */
export async function fetchProviderEvent(
  id: string,
  provider: ProviderApi,
  now: Date,
): Promise<WebhookEvent | undefined> {
  const path = `${EVENTS}/${encodeURIComponent(id)}`
  const answer = await provider.patient.call({method: 'GET', path, headers: {accept: 'application/json'}})
  if (answer.status === 404) return undefined
  if (answer.status !== 200) throw provider.refusal(answer, 'an event')
  const read = readEvent(answer.body, 'provider', now)
  return 'unusable' in read ? undefined : read
}
