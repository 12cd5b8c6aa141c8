import type {Call, HttpClient} from '../http/http.js'
import {findProvider} from '../providers/providers.js'
import {fillTemplate} from '../providers/route.js'
import {parseMissingPrivileges} from '../shopware/error-texts.js'
import {readErrors} from '../wire/read-errors.js'
import type {CheckResult} from './doctor.js'

const {viewer = '', editor = ''} = findProvider().registration ?? {}

const TRANSACTIONS = ['order_transaction:read', 'state_machine_state:read']
const PAYMENTS = [...TRANSACTIONS, 'order:read', 'currency:read']

const REPLAYED = [...TRANSACTIONS, 'payment_method:read', 'order:read', 'currency:read']

/** The privileges of commands at the shop. The help of each names them; a test compares the two. */
export const PRIVILEGES: Readonly<Record<string, readonly string[]>> = {
  'customer search': ['customer:read', 'customer_address:read', 'customer_group:read', 'tag:read'],
  'customer show': [
    'customer:read',
    'customer_address:read',
    'customer_group:read',
    'tag:read',
    'order:read',
  ],
  'webhook replay': REPLAYED,
  'webhook diagnose': REPLAYED,
  'webhook triage': REPLAYED,
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

/** Privileges that look-ups of events can do without: then order numbers and currencies are missing. */
const OPTIONAL: ReadonlySet<string> = new Set(['order:read', 'currency:read'])

/** The privileges of a command, for its help. */
export function describePrivileges(command: string): string {
  return `Privileges: ${(PRIVILEGES[command] ?? []).join(', ')}.`
}

/** The privileges of `payment reconcile`, and those that its repairs also need. */
export function describeRepairPrivileges(): string {
  const repairs = findProvider().payment?.reportPrivilege
  const also = repairs === undefined ? '' : `\nRepairs also need: ${repairs}.`
  return `${describePrivileges('payment reconcile')}${also}`
}

/** The result of the check of privileges. */
export interface PrivilegeFacts {
  /** Each once: `customer:read`. */
  readonly missing: readonly string[]
  /** Things that this shop has no route for: `fulfillment orders`. */
  readonly absent: readonly string[]
}

/** Features for which a shop may have no route. */
const ORDERS = 'fulfillment orders'
const WEBHOOK = 'the provider’s webhook'

/** One question, with the criteria that commands send. */
interface Probe {
  readonly call: Pick<Call, 'method' | 'path' | 'body'>
  /** For a refusal that does not name the missing privilege. */
  readonly privilege: string
  /** The feature missing in a shop without the route. */
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
    defineSearch('fulfillment-order', {}, ORDERS),
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
      absent: WEBHOOK,
    },
    {
      call: {method: 'GET', path: `/api/_action/system-config?domain=${registration.settings}`},
      privilege: 'system_config:read',
    },
  ]
}

/** Finds missing privileges of the access token, with the criteria of the commands. @see protocol.md §3.4 */
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
  const missing = parseMissingPrivileges(readErrors(body)[0]?.detail ?? '')
  return {missing: missing.length > 0 ? missing : [privilege], absent: []}
}

/** The purposes of a role, and the commands that each needs. */
export const PURPOSES = {
  search: ['customer search', 'customer show'],
  replay: ['webhook replay', 'webhook diagnose', 'webhook triage'],
  register: ['webhook register', 'webhook deregister', 'webhook status'],
  reconcile: ['payment reconcile', 'payment list', 'payment show'],
  submit: ['order submit', 'order list', 'order show'],
} as const satisfies Readonly<Record<string, readonly string[]>>
export type RolePurpose = keyof typeof PURPOSES

/** What a command lacks: privileges, or a route of the shop. */
interface Lack {
  readonly command: string
  readonly missing: readonly string[]
  /** What the shop has no route for. */
  readonly absent: string | undefined
}

/**
 * What commands lack. Without a purpose this is information: it fails only if no command is left.
 *
 * @param purposes of the role; empty if not given
 */
export async function checkPrivileges(
  shop: {probePrivileges(): Promise<PrivilegeFacts>},
  purposes: readonly RolePurpose[] = [],
): Promise<CheckResult> {
  const facts = await shop.probePrivileges()
  const isAsked = purposes.length > 0
  const commands: readonly string[] = isAsked
    ? purposes.flatMap(each => PURPOSES[each])
    : Object.keys(PRIVILEGES)
  const lacks = commands.map(command => findLack(command, facts))
  const [able, unable] = [lacks.filter(isAble), lacks.filter(lack => !isAble(lack))]
  const missing = [...new Set(unable.flatMap(lack => lack.missing))]
  const reduced = able.filter(lack => lack.missing.length > 0)
  const state = (isAsked && unable.length > 0) || able.length === 0 ? 'failed' : 'ok'
  const isWhole = !isAsked && unable.length + reduced.length === 0
  const found = [
    isWhole ? 'no command lacks a privilege' : `can ${listCommands(able)}`,
    ...describeLacks(unable),
    ...describeLacks(reduced).map(text => `${text} (order numbers and currencies are not read)`),
    ...(isAsked ? listUntried(commands) : []),
  ]
  return {
    state,
    found: found.join('; '),
    ...(state === 'ok'
      ? {}
      : {nextSteps: missing.length > 0 ? ADD_TO_ROLE : [], exit: missing.length > 0 ? 'auth' : 'rejected'}),
  }
}

const ADD_TO_ROLE = [
  'add them to the role of the integration or user: in the administration, Settings > System > Users & permissions',
  'storectl doctor',
]

function findLack(command: string, {missing, absent}: PrivilegeFacts): Lack {
  const needed = PRIVILEGES[command] ?? []
  const needs = command.startsWith('order ') ? ORDERS : needed.some(isOfRegistration) ? WEBHOOK : undefined
  return {
    command,
    missing: needed.filter(each => missing.includes(each)),
    absent: absent.find(each => each === needs),
  }
}

function isOfRegistration(privilege: string): boolean {
  return privilege === viewer || privilege === editor
}

function isAble({command, missing, absent}: Lack): boolean {
  const isEvents = PRIVILEGES[command] === REPLAYED
  return absent === undefined && missing.every(each => isEvents && OPTIONAL.has(each))
}

function listCommands(lacks: readonly Lack[]): string {
  return lacks.length === 0 ? 'nothing' : lacks.map(({command}) => command).join(', ')
}

/** Commands that lack the same, together: `webhook replay, webhook diagnose: missing payment_method:read`. */
function describeLacks(lacks: readonly Lack[]): string[] {
  const groups = new Map<string, Lack[]>()
  for (const lack of lacks) {
    const {absent, missing} = lack
    const what =
      absent === undefined ? `missing ${missing.join(', ')}` : `the shop has no route for ${absent}`
    groups.set(what, [...(groups.get(what) ?? []), lack])
  }
  return [...groups].map(([what, some]) => `${listCommands(some)}: ${what}`)
}

/** Privileges that only a change would show. */
function listUntried(commands: readonly string[]): string[] {
  const needed = new Set(commands.flatMap(command => PRIVILEGES[command] ?? []))
  const untried = [...needed].filter(each => !each.endsWith(':read') && each !== viewer)
  return untried.length === 0 ? [] : [`${untried.join(', ')} not tried: it would change something`]
}
