import type {ReplayRow} from '../../contract/replay-rows.js'
import {StorectlError} from '../../errors.js'
import type {FindOrdered} from '../../payment/compare-amounts.js'
import type {Clock} from '../../platform/clock.js'
import type {BulkWork} from '../../runs/execution.js'
import type {Item, Result} from '../../runs/journal/item.js'
import type {LedgerEntry} from '../../runs/journal/journal-entry.js'
import type {RunStore} from '../../runs/journal/run-store.js'
import {readAttemptEnd} from '../../runs/pool/grace-period.js'
import type {ClaimedItem} from '../../runs/workers/claimed-items.js'
import type {DeliveryTransport} from '../delivery/delivery.js'
import type {InboxEvent} from '../event/event.js'
import type {Inbox} from '../inbox/inbox.js'
import {createActivityLookup} from '../inbox/payment-activity.js'
import {findCountedSince} from '../plan/action.js'
import type {ReplayOptions} from '../plan/replay-input.js'
import {findAttemptEnd} from '../plan/unknown-result.js'
import {createReplayOperation, type PlannedDelivery, type ReplayOperationDeps} from './replay-operation.js'

/** Dependencies of reading and sending the events of a replay. */
export interface WorkDeps extends Pick<ReplayOperationDeps, 'transactions'> {
  readonly inbox: Inbox
  /** Name of the shop in inbox, ledger and lease. */
  readonly target: string
  readonly store: Pick<RunStore, 'findLedgerEntries'>
  readonly clock: Pick<Clock, 'now'>
  /** What the provider's order has captured; `undefined` if it cannot be asked. */
  readonly findOrdered: FindOrdered
}

/** The run and worker that send, and how. */
export interface WorkRequest {
  readonly run: string
  /** Whether this worker began the run; it opens it for the others. */
  readonly isFounder: boolean
  /** The events were named by their ids. */
  readonly isNamed: boolean
  readonly options: ReplayOptions
  readonly transport: DeliveryTransport
}

type SharedWork = Pick<BulkWork<PlannedDelivery, ReplayRow>, 'operation' | 'settings' | 'blocksKey' | 'items'>

/** The third part of a replay: how a worker reads and sends its events. */
export type CreateWork = (request: WorkRequest) => SharedWork

export function createReplayWork(
  {run, isFounder, isNamed, options, transport}: WorkRequest,
  deps: WorkDeps,
): SharedWork {
  const {inbox, target, transactions, findOrdered, clock} = deps
  const operation = createReplayOperation({
    ...{run, transport, transactions, rules: options},
    findActivity: createActivityLookup(inbox, target, findCountedSince(options)),
    findOrdered: options.offline === true ? undefined : findOrdered,
    now: () => clock.now(),
  })
  const read = createReader({isNamed, includeUnknown: options.includeUnknown}, deps)
  return {operation, settings: options, blocksKey: true, items: {isFounder, read}}
}

/** Reads the events that a worker has claimed, with their bytes. */
function createReader(
  {isNamed, includeUnknown}: {readonly isNamed: boolean; readonly includeUnknown: boolean},
  {inbox, target, store}: Pick<WorkDeps, 'inbox' | 'target' | 'store'>,
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
 * @param isReleased its missing effect counts at once, as a person requested
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
