import {createUsageError, StorectlError} from '../../errors.js'
import {formatCounted} from '../../output/cell.js'
import type {Transactions} from '../../payment/transactions.js'
import {
  createShopTransport,
  type DeliveryTransport,
  type Shop,
  type ShopTransportDeps,
} from '../delivery/delivery.js'
import type {Inbox} from '../inbox/inbox.js'
import type {ReplayPlan} from '../plan/planned.js'
import type {ReplayInput, ReplayOptions} from '../plan/replay-input.js'
import type {Provider} from '../provider/provider.js'
import {createProviderTransport, type ProviderTransportDeps} from '../provider/provider-delivery.js'
import {listFacts} from './plan-notes.js'

/** The confirmation: the question, lines above it, and what did not happen if nobody agrees. */
interface Change {
  readonly what: string
  readonly facts?: readonly string[]
  readonly verb: 'sent'
}

/** The shop that events are sent to, in the question. */
export interface ConfirmableShop extends Shop {
  readonly profile: Shop['profile'] & {readonly protected: boolean}
  /** @throws StorectlError `auth.no_webhook_token` */
  webhookToken(): Promise<string>
  /** Asks the person. @throws StorectlError when nobody agrees */
  confirmWrite(change: Change): Promise<void>
}

/** Opens the way of the events and asks the person. */
export interface ConfirmationDeps
  extends Pick<ShopTransportDeps, 'userAgent'>,
    Pick<ProviderTransportDeps, 'clock' | 'retryAfterMs' | 'stopping' | 'findWebhookId'> {
  readonly inbox: Pick<Inbox, 'find'>
  /** Name of the shop in inbox, ledger and lease. */
  readonly target: string
  readonly shop: ConfirmableShop
  /** `undefined` when states are not checked. */
  readonly transactions: Transactions | undefined
  /** The provider's own API; opened only if it is to deliver. */
  readonly openProvider: () => Promise<Provider>
}

/**
 * The second part of a replay: opens the way of the events, and asks the person.
 *
 * Both throw StorectlError `auth.no_webhook_token`, `auth.no_provider_credentials`, `usage.provider_unseen`, and as
 * `confirmWrite` does.
 */
export interface Confirmation {
  /** @throws StorectlError `stopped.too_many` besides */
  confirmPlan(plan: ReplayPlan, input: ReplayInput): Promise<DeliveryTransport>
  /** @param run id of the run that this worker would join */
  confirmJoin(run: string, options: ReplayOptions): Promise<DeliveryTransport>
}

export function createConfirmation(deps: ConfirmationDeps): Confirmation {
  const {shop} = deps
  return {
    confirmPlan: async (plan, input) => {
      requireAtMost(plan.sends, input)
      const transport = await openTransport(input.options, deps)
      await shop.confirmWrite(describeSends(plan, input.options, shop))
      return transport
    },
    confirmJoin: async (run, options) => {
      const transport = await openTransport(options, deps)
      await shop.confirmWrite({what: `join run ${run}, which sends to ${nameShop(shop)}`, verb: 'sent'})
      return transport
    },
  }
}

async function openTransport(options: ReplayOptions, deps: ConfirmationDeps): Promise<DeliveryTransport> {
  const {transactions} = deps
  if (options.via !== 'provider')
    return createShopTransport({...deps, token: await deps.shop.webhookToken(), rules: options})
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

function requireAtMost(sends: number, {options: {max}, approved}: ReplayInput): void {
  if (max === undefined || sends <= max) return
  const raise = `add --max ${sends}`
  // The events of a plan file are fixed: filters cannot be combined with it.
  throw new StorectlError(
    'stopped.too_many',
    `${sends} events would be sent; --max allows ${max}. Nothing was sent.`,
    {nextSteps: approved ? [raise] : ['narrow it with --type, --since or --until', `or ${raise}`]},
  )
}

function describeSends(plan: ReplayPlan, options: ReplayOptions, shop: Shop): Change {
  const who = options.via === 'provider' ? 'have the provider send' : 'send'
  const amount = plan.amounts.format()
  const events = `${formatCounted(plan.sends, ['event', 'events'])}${amount === '' ? '' : ` (${amount})`}`
  return {
    what: `${who} ${events} to ${nameShop(shop)}`,
    facts: listFacts(plan, options, formatUrl(shop.profile)),
    verb: 'sent',
  }
}

/** The name of a shop without a profile. */
const UNNAMED = 'url'

/** The shop in a question: its profile, or its URL without one. */
function nameShop({profile}: Shop): string {
  return profile.name === UNNAMED ? formatUrl(profile) : profile.name
}

function formatUrl({url}: Shop['profile']): string {
  return url.href.replace(/\/$/, '')
}
