import {parseStoredProfiles} from '../auth/profile/stored-profiles.js'
import {listOrderWords} from '../language/list-order.js'
import {machineClock} from '../platform/clock.js'
import type {Adapters} from './adapters/adapters.js'
import type {Host} from './host.js'

/** Most values offered, about a screenful. */
const OFFERED = 20

/** The flag or argument to complete. */
export interface CompletedWord {
  /** Name of the argument, or of the flag with its dashes. */
  readonly name: string
  /** Of the command: `webhook:list`. */
  readonly id: string
  /** Arguments before it. */
  readonly given: readonly string[]
  /** The part typed so far. */
  readonly begun: string
}

/** Longest wait at the press of a key: a database may be locked, or remote and gone. */
const PATIENCE_MS = 5000

/**
 * Values of a flag or argument that are not in the manifest. None if they cannot be read: a key press must not show an
 * error.
 */
export async function listKnownValues(
  host: Host,
  adapters: Adapters,
  word: CompletedWord,
): Promise<readonly string[]> {
  const isDone = new AbortController()
  const patience = machineClock.sleep(PATIENCE_MS, isDone.signal).then(() => [])
  const values = readKnownValues(host, adapters, word).catch(() => [])
  return Promise.race([values, patience]).finally(() => isDone.abort())
}

async function readKnownValues(
  host: Host,
  adapters: Adapters,
  {name, id, given, begun}: CompletedWord,
): Promise<readonly string[]> {
  const [noun] = id.split(':')
  if (noun === 'config') return listSettingWords(adapters, name, given)
  if (noun === 'api') return listCallWords(adapters, name)
  if (name === 'run') return listRunIds(adapters)
  if (name === '--profile' || name === '--confirm' || (noun === 'profile' && name === 'name')) {
    return listProfileNames(adapters)
  }
  if (noun === 'webhook') return listWebhookWords(adapters, name, id)
  if (noun === 'order' || noun === 'run') return listFieldWords(noun, name)
  if (noun === 'payment') return listPaymentWords(host, adapters, name)
  return noun === 'customer' ? listCustomerWords(host, adapters, name, begun) : []
}

/** A condition begins with a field; so do the other flags. The shop is not asked, but its stored description is used. */
async function listCustomerWords(
  host: Host,
  adapters: Adapters,
  name: string,
  begun: string,
): Promise<readonly string[]> {
  if (!['--fields', '--sort', '--where', '--facet', 'association'].includes(name)) return []
  const {findDescribedEntities} = await import('../customer/fields/customer-fields.js')
  const {completeAssociationPath, completeFieldPath} = await import('../customer/fields/field-view.js')
  const {describeEntities} = await import('./adapters/entity-schema.js')
  const kept = await describeEntities(host, adapters, {onlyStored: true}).catch(() => undefined)
  const described = findDescribedEntities(kept)
  if (name === 'association') return completeAssociationPath(begun, ...described)
  const facets = name === '--facet' ? (await import('../customer/search/facets.js')).FACET_FIELDS : {}
  return [...Object.keys(facets), ...completeFieldPath(begun, ...described)]
}

async function listSettingWords(
  adapters: Adapters,
  name: string,
  [key]: readonly string[],
): Promise<readonly string[]> {
  const {SETTING_KEYS, SETTINGS} = await import('../config/setting-definitions.js')
  if (name === 'key') return SETTING_KEYS
  if (name === '--profile' || (name === 'value' && key === 'profile')) return listProfileNames(adapters)
  return (
    (name === 'value' && SETTING_KEYS.find(each => each === key) && SETTINGS[key as 'output'].choices) || []
  )
}

async function listCallWords(adapters: Adapters, name: string): Promise<readonly string[]> {
  const {METHODS, WELL_KNOWN_PATHS} = await import('../call/target.js')
  if (name === 'method') return [...METHODS, ...WELL_KNOWN_PATHS]
  if (name === 'path') return WELL_KNOWN_PATHS
  return name === '--profile' || name === '--confirm' ? listProfileNames(adapters) : []
}

async function listWebhookWords(adapters: Adapters, name: string, id: string): Promise<readonly string[]> {
  if (name === 'id' || name === 'event') return listEventIds(adapters, id)
  if (name === '--type') return (await import('../providers/providers.js')).listEventTypes()
  return listFieldWords('webhook', name === '--fields' ? '--where' : name)
}

/** Fields of a list, for `--where` and `--sort`; `undefined` if a noun has none. */
async function loadListFields(noun: string): Promise<readonly [string[], readonly string[]] | undefined> {
  if (noun === 'order') {
    const {ORDER_ROW_FIELDS, ORDERS_SORTED_BY} = await import('../order/list-orders.js')
    return [Object.keys(ORDER_ROW_FIELDS), ORDERS_SORTED_BY]
  }
  if (noun === 'payment') {
    const {PAYMENT_FIELDS, PAYMENTS_SORTED_BY} = await import('../payment/reconcile/payment-fields.js')
    return [Object.keys(PAYMENT_FIELDS), PAYMENTS_SORTED_BY]
  }
  if (noun === 'run') {
    const names = Object.keys((await import('../runs/report/run-fields.js')).RUN_FIELDS)
    return [names, names]
  }
  if (noun !== 'webhook') return undefined
  const {EVENT_FIELDS, ORDER_FIELDS} = await import('../webhook/event/event-fields.js')
  return [Object.keys(EVENT_FIELDS), ORDER_FIELDS]
}

async function listFieldWords(noun: string, flag: string): Promise<readonly string[]> {
  if (flag !== '--where' && flag !== '--sort') return []
  const [compared, sorted] = (await loadListFields(noun)) ?? [[], []]
  return flag === '--where' ? compared : listOrderWords(sorted)
}

async function listPaymentWords(host: Host, adapters: Adapters, name: string): Promise<readonly string[]> {
  if (name !== '--resume') return listFieldWords('payment', name)
  const {openComparisons} = await import('./adapters/comparisons.js')
  const {files, target} = await openComparisons(host, adapters)
  const ids = files.list(target).map(({id}) => id)
  return ids.length === 0 ? [] : ['last', ...ids.slice(0, OFFERED)]
}

/** The newest events; for `resolve` and `replay`, only those that could be resolved or replayed. */
async function listEventIds(adapters: Adapters, id: string): Promise<readonly string[]> {
  const {NEEDS_DOING} = await import('../webhook/event/event-status.js')
  const {inbox, target} = await adapters.openInbox()
  const isOpen = ['webhook:resolve', 'webhook:replay', 'webhook:diagnose'].includes(id)
  const ids = []
  const query = {limit: OFFERED, ...(isOpen ? {statuses: NEEDS_DOING} : {})}
  for await (const event of inbox.list(target, query)) ids.push(event.id)
  return ids
}

async function listProfileNames(adapters: Adapters): Promise<readonly string[]> {
  const {settings} = await adapters.home.openStores()
  return ['local', ...Object.keys(parseStoredProfiles(await settings.read()))]
}

async function listRunIds(adapters: Adapters): Promise<readonly string[]> {
  const {runs} = await adapters.openRecords()
  const ids = ['last']
  for await (const {id} of runs.list({limit: OFFERED})) ids.push(id)
  return ids
}
