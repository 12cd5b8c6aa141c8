import type {Call, HttpClient} from '../http/http.js'
import {findProvider} from '../providers/providers.js'
import {fillTemplate} from '../providers/route.js'
import {parseMissingPrivileges, readErrors} from '../wire/read-errors.js'
import type {CheckResult} from './doctor.js'

const {viewer = '', editor = ''} = findProvider().registration ?? {}

const TRANSACTIONS = ['order_transaction:read', 'state_machine_state:read']
const PAYMENTS = [...TRANSACTIONS, 'order:read', 'currency:read']

/** What commands may do at the shop. The help of each names its privileges; a test compares the two. */
export const PRIVILEGES: Readonly<Record<string, readonly string[]>> = {
  'customer search': ['customer:read', 'customer_address:read', 'customer_group:read', 'tag:read'],
  'customer show': [
    'customer:read',
    'customer_address:read',
    'customer_group:read',
    'tag:read',
    'order:read',
  ],
  'webhook replay': [...TRANSACTIONS, 'payment_method:read'],
  'webhook diagnose': [...TRANSACTIONS, 'payment_method:read'],
  'webhook triage': [...TRANSACTIONS, 'payment_method:read'],
  'webhook status': [viewer, 'system_config:read'],
  'webhook register': [editor, 'system_config:read'],
  'webhook deregister': [editor, 'system_config:read'],
  'payment list': PAYMENTS,
  'payment show': [...PAYMENTS, 'state_machine_history:read'],
  'payment reconcile': PAYMENTS,
  'order list': ['fulfillment_order:read'],
  'order show': ['fulfillment_order:read'],
  'order submit': ['fulfillment_order:read', 'fulfillment_order:create'],
}

/** The privileges of a command, for its help. */
export function describePrivileges(command: string): string {
  return `Privileges: ${(PRIVILEGES[command] ?? []).join(', ')}.`
}

/** The privileges of `payment reconcile`, and what its repairs need besides. */
export function describeRepairPrivileges(): string {
  const repairs = findProvider().payment?.reportPrivilege
  const also = repairs === undefined ? '' : `\nRepairs also need: ${repairs}.`
  return `${describePrivileges('payment reconcile')}${also}`
}

/** What was found about the privileges. */
export interface PrivilegeFacts {
  /** Each once: `customer:read`. */
  readonly missing: readonly string[]
  /** Things that this shop has no route for: `fulfillment orders`. */
  readonly absent: readonly string[]
}

/** One question, with the criteria that commands send. */
interface Probe {
  readonly call: Pick<Call, 'method' | 'path' | 'body'>
  /** For a refusal that does not name what it misses. */
  readonly privilege: string
  /** What a shop without the route has not. */
  readonly absent?: string
}

function defineSearch(entity: string, associations: object = {}, absent?: string): Probe {
  const name = entity.replaceAll('-', '_')
  const body = JSON.stringify({limit: 2, includes: {[name]: ['id']}, associations})
  return {
    call: {method: 'POST', path: `/api/search/${entity}`, body},
    privilege: `${name}:read`,
    ...(absent === undefined ? {} : {absent}),
  }
}

/** Nothing is written, and no order is submitted: a shop that checks little would store one. */
function listProbes(provider: string): readonly Probe[] {
  const state = {stateMachineState: {}}
  const order = {associations: {...state, currency: {}, transactions: {associations: state}}}
  const parts = {addresses: {}, defaultBillingAddress: {}, group: {}, tags: {}}
  return [
    defineSearch('customer', parts),
    defineSearch('order'),
    defineSearch('order-transaction', {...state, paymentMethod: {}, order}),
    defineSearch('state-machine-history', {fromStateMachineState: {}, toStateMachineState: {}}),
    defineSearch('fulfillment-order', {}, 'fulfillment orders'),
    ...listRegistrationProbes(provider),
  ]
}

function listRegistrationProbes(provider: string): readonly Probe[] {
  const {registration} = findProvider(provider)
  if (registration === null) return []
  const base = fillTemplate(registration.path, {provider})
  return [
    {
      call: {method: 'GET', path: `${base}/status/null`},
      privilege: registration.viewer,
      absent: 'the provider’s webhook',
    },
    {
      call: {method: 'GET', path: `/api/_action/system-config?domain=${registration.settings}`},
      privilege: 'system_config:read',
    },
  ]
}

/** Finds what the access token may not do, with the criteria of the commands. @see protocol.md §3.4 */
export async function probePrivileges(caller: HttpClient, provider: string): Promise<PrivilegeFacts> {
  const results = await Promise.all(listProbes(provider).map(probe => runProbe(probe, caller)))
  return {
    missing: [...new Set(results.flatMap(({missing}) => missing))],
    absent: results.flatMap(({absent}) => absent),
  }
}

const JSON_BOTH_WAYS = {accept: 'application/json', 'content-type': 'application/json'}

async function runProbe({call, privilege, absent}: Probe, caller: HttpClient): Promise<PrivilegeFacts> {
  const {status, body} = await caller.call({...call, headers: JSON_BOTH_WAYS})
  if (status === 404 && absent !== undefined) return {missing: [], absent: [absent]}
  if (status !== 403) return {missing: [], absent: []}
  const missing = parseMissingPrivileges(readErrors(body))
  return {missing: missing.length > 0 ? missing : [privilege], absent: []}
}

/** The privileges of the commands, and what this shop has no route for. */
export async function checkPrivileges(shop: {
  probePrivileges(): Promise<PrivilegeFacts>
}): Promise<CheckResult> {
  const {missing, absent} = await shop.probePrivileges()
  const lacks = absent.length === 0 ? '' : `; this shop has no route for ${absent.join(' and ')}`
  if (missing.length === 0) {
    const things = ['customers', 'payments', ...(absent.includes('fulfillment orders') ? [] : ['orders'])]
    return {state: 'ok', found: `can read ${things.join(', ').replace(/, (?!.*,)/, ' and ')}${lacks}`}
  }
  return {
    state: 'failed',
    found: `missing ${missing.join(', ')}${lacks}`,
    nextSteps: [
      'add them to the role of the integration or user: in the administration, Settings > System > Users & permissions',
      'storectl doctor',
    ],
    exit: 'auth',
  }
}
