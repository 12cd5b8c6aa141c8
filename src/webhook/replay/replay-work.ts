import {createUsageError, StorectlError} from '../../errors.js'
import type {HttpResponse} from '../../http/http.js'
import type {FindOrdered} from '../../payment/compare-amounts.js'
import type {Transactions} from '../../payment/transactions.js'
import type {BulkWork, ExecutionDeps} from '../../runs/execution.js'
import type {Item, Result} from '../../runs/journal/item.js'
import type {LedgerEntry} from '../../runs/journal/journal-entry.js'
import {readAttemptEnd} from '../../runs/pool/grace-period.js'
import type {ClaimedItem} from '../../runs/workers/claimed-items.js'
import {createShopTransport, type DeliveryTransport, type Shop} from '../delivery/delivery.js'
import type {InboxEvent} from '../event/event.js'
import type {Inbox} from '../inbox/inbox.js'
import {createActivityLookup} from '../inbox/payment-activity.js'
import {findCountedSince} from '../plan/action.js'
import type {ReplayOptions} from '../plan/replay-input.js'
import {findAttemptEnd} from '../plan/unknown-result.js'
import type {Provider} from '../provider/provider.js'
import {createProviderTransport} from '../provider/provider-delivery.js'
import {createReplayOperation, type PlannedDelivery} from './replay-operation.js'
import type {ReplayRow} from './replay-row.js'

/** What sending the events of a replay needs. */
export interface DeliveryDeps extends ExecutionDeps {
  readonly inbox: Inbox
  /** Name of the shop in inbox, ledger and lease. */
  readonly target: string
  /** The chosen shop in messages: `prod (https://shop.example)`. */
  readonly shopName: string
  readonly shop: Shop & {
    readonly profile: {readonly protected: boolean}
    webhookToken(): Promise<string>
    confirmWrite(what: string): Promise<void>
  }
  /** `undefined` when states are not checked. */
  readonly transactions: Transactions | undefined
  readonly userAgent: string
  /** The records were restored from a backup, and nobody has checked them yet. */
  readonly isRestored: boolean
  /** How long a response asks us to wait, milliseconds. */
  readonly retryAfterMs: (answer: HttpResponse) => number | undefined
  /** The shop's own webhook at the provider; `undefined` where the shop does not say. */
  readonly findWebhookId: () => Promise<string | undefined>
  /** What the provider's order has captured; `undefined` where it cannot be asked. */
  readonly findOrdered: FindOrdered
  /** The provider's own API; opened only when it is to deliver. */
  readonly openProvider: () => Promise<Provider>
}

type SharedWork = Pick<BulkWork<PlannedDelivery, ReplayRow>, 'operation' | 'settings' | 'blocksKey'>

/** How the events of a replay are sent. */
export function createWork(
  run: string,
  options: ReplayOptions,
  transport: DeliveryTransport,
  {inbox, target, transactions, findOrdered, clock}: DeliveryDeps,
): SharedWork {
  const operation = createReplayOperation({
    ...{run, transport, transactions, rules: options},
    findActivity: createActivityLookup(inbox, target, findCountedSince(options)),
    findOrdered: options.offline === true ? undefined : findOrdered,
    now: () => clock.now(),
  })
  return {operation, settings: options, blocksKey: true}
}

/** Reads the events that a worker has claimed, with their bytes. */
export function createReader(
  {isNamed, includeUnknown}: {readonly isNamed: boolean; readonly includeUnknown: boolean},
  {inbox, target, store}: DeliveryDeps,
) {
  return async (claimed: readonly ClaimedItem[]): Promise<Item<PlannedDelivery>[]> => {
    const ids = claimed.map(({item}) => item)
    const unsure = claimed.filter(({isUnsure}) => isUnsure).map(({item}) => item)
    const [events, contents, ledger] = await Promise.all([
      inbox.find(target, ids),
      inbox.readContents(target, ids),
      store.findLedgerEntries('replay', target, unsure),
    ])
    return claimed.map(({item, orderingKey, isUnsure, metadata, blockedBy, facts}) => {
      const [event, content] = [events.get(item), contents.get(item)]
      if (!event || !content)
        throw new StorectlError('internal.body_gone', `The body of ${item} is no longer in the inbox.`)
      const planned = {
        event,
        orderingKey,
        action: 'send',
        reason: null,
        detail: null,
        state: metadata,
        isUnsure,
        isNamed,
      } as const
      return {
        ...{key: item, orderingKey, contentHash: event.sha256, unsure: isUnsure, blockedBy},
        amount: event.traits.amount,
        attemptFacts: isUnsure
          ? buildAttemptFacts(facts, event, ledger.get(item), includeUnknown)
          : undefined,
        value: {...planned, content},
      }
    })
  }
}

/**
 * What was stored with an earlier attempt whose result is unknown, and when it ended.
 *
 * @param ofRun with an attempt of this run
 * @param isReleased its missing effect counts at once: a person said so
 */
function buildAttemptFacts(
  ofRun: Result['facts'],
  event: InboxEvent,
  ledger: LedgerEntry | undefined,
  isReleased: boolean,
): Result['facts'] {
  const facts = ofRun ?? ledger?.facts
  if (isReleased) return {...facts, endedAt: new Date(0).toISOString()}
  const endedAt = readAttemptEnd(ofRun) ?? findAttemptEnd(event, ledger)
  return endedAt ? {...facts, endedAt: endedAt.toISOString()} : facts
}

/**
 * What the events are sent through.
 *
 * @throws StorectlError `auth.no_webhook_token`, `auth.no_provider_credentials`, `usage.provider_unseen`
 */
export async function openTransport(options: ReplayOptions, deps: DeliveryDeps): Promise<DeliveryTransport> {
  const {transactions} = deps
  if (options.via !== 'provider')
    return createShopTransport({
      ...deps,
      token: await deps.shop.webhookToken(),
      rules: options,
    })
  if (!transactions) throw createUnseenError()
  const provider = await deps.openProvider()
  const {versions, providerWaitMs: patienceMs} = options
  const findEvent = async (id: string) => (await deps.inbox.find(deps.target, [id])).get(id)
  return createProviderTransport({...deps, provider, transactions, versions, patienceMs, findEvent})
}

function createUnseenError(): StorectlError {
  return createUsageError(
    'provider_unseen',
    '--via provider needs the state check, which --no-check-state turns off.',
    ['omit --no-check-state', 'or omit --via provider'],
  )
}

/** `https://shop.example (profile)` */
export function describeShop({profile: {name, url}}: Shop): string {
  return `${url.href.replace(/\/$/, '')} (${name})`
}
