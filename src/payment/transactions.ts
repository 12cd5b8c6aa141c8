import {StorectlError} from '../errors.js'
import type {HttpClient, HttpResponse} from '../http/http.js'
import type {PaymentDefinition} from '../providers/provider.js'
import {findProvider} from '../providers/providers.js'
import type {TransactionFacts, TransactionKey} from '../providers/traits.js'
import {createOtherAnswerError} from './other-answer.js'

/** An order transaction as the shop has it now. */
export interface Transaction extends TransactionFacts {
  readonly id: string
  /** ISO 4217; absent where the shop does not tell it. */
  readonly currency?: string
  /** The provider's order; absent where none is stored. */
  readonly orderId?: string
  /** Id of the provider's authorization or capture that it has; absent where none is stored. */
  readonly resourceId?: string
  /** Whether the instructions of a payment upon invoice are stored; absent where they are not. */
  readonly hasInstructions?: true
  /** How many transactions carry what was looked for, this one among them; absent for one. */
  readonly alike?: number
}

/** Looks at the shop's transactions. */
export interface Transactions {
  /**
   * The transaction that an event names, as it is now. Those who ask at the same time share a call.
   *
   * @returns `undefined` when the shop does not know it, or the key names none
   * @throws StorectlError as `HttpClient`, and as the shop's refusal says; `rejected.no_state` when it does not tell the
   * state
   */
  find(key: TransactionKey): Promise<Transaction | undefined>
  /** The same, where nothing waits for the answer: it may wait for others, a moment at most, to share their call. */
  findSoon(key: TransactionKey): Promise<Transaction | undefined>
  /** Asks at once for what waits for others. */
  askNow(): void
}

export interface TransactionsDeps {
  /** Signed, and patient with a shop that is busy. */
  readonly search: HttpClient
  readonly refusal: (answer: HttpResponse, doing: string) => StorectlError
  /** Name of the payment provider, whose plugin writes into the transactions. */
  readonly provider?: string | undefined
}

/** Keys of one call; the shop answers 500 rows at most. */
const KEYS_AT_ONCE = 250

/** How long a look-up that nothing waits for waits for others, milliseconds. */
const GATHERED_MS = 200

/** Look-ups that wait for others at most. */
const MOST_GATHERED = 240

/** How a key is looked for. */
type By = 'id' | 'payment' | 'order'

interface Wanted {
  readonly by: By
  readonly value: string
  readonly resolve: (found: Transaction | undefined) => void
  readonly reject: (error: unknown) => void
}

/** @see protocol.md §6.1, §6.3 */
export function createTransactions(deps: TransactionsDeps): Transactions {
  let wanted: Wanted[] = []
  let soon: Wanted[] = []
  let timer: NodeJS.Timeout | undefined
  let busy = false
  const lookFor = createSearcher(deps)
  const work = async () => {
    busy = true
    await new Promise(resolve => setImmediate(resolve))
    gather()
    while (wanted.length > 0) {
      const all = wanted
      wanted = []
      for (const by of ['id', 'payment', 'order'] as const) {
        await answerAll(
          all.filter(each => each.by === by),
          by,
          lookFor,
        )
      }
      if (wanted.length > 0) gather()
    }
    busy = false
  }
  const gather = () => {
    clearTimeout(timer)
    timer = undefined
    wanted.push(...soon)
    soon = []
  }
  const askNow = () => {
    if (wanted.length + soon.length > 0 && !busy) void work()
    else if (busy) gather()
  }
  const ask = (key: TransactionKey, add: (wanted: Wanted) => void) => {
    const named = findSearchKey(key)
    if (!named) return Promise.resolve(undefined)
    return new Promise<Transaction | undefined>((resolve, reject) => add({...named, resolve, reject}))
  }
  return {
    askNow,
    find: key =>
      ask(key, one => {
        wanted.push(one)
        if (!busy) void work()
      }),
    findSoon: key =>
      ask(key, one => {
        soon.push(one)
        if (soon.length >= MOST_GATHERED) askNow()
        else timer ??= setTimeout(askNow, GATHERED_MS)
      }),
  }
}

function findSearchKey(key: TransactionKey): {by: By; value: string} | undefined {
  if (key.by === 'id') return {by: 'id', value: key.id}
  if (key.by === 'parent-payment') return {by: 'payment', value: key.payment}
  return key.by === 'provider-order' ? {by: 'order', value: key.order} : undefined
}

type LookFor = (by: By, values: readonly string[]) => Promise<Map<string, Transaction>>

async function answerAll(wanted: readonly Wanted[], by: By, lookFor: LookFor): Promise<void> {
  const calls: Promise<void>[] = []
  for (let from = 0; from < wanted.length; from += KEYS_AT_ONCE)
    calls.push(answerSome(wanted.slice(from, from + KEYS_AT_ONCE), by, lookFor))
  await Promise.all(calls)
}

async function answerSome(some: readonly Wanted[], by: By, lookFor: LookFor): Promise<void> {
  try {
    const found = await lookFor(by, [...new Set(some.map(each => each.value))])
    for (const {value, resolve} of some) resolve(found.get(value))
  } catch (error) {
    for (const {reject} of some) reject(error)
  }
}

function findField(by: Exclude<By, 'id'>, payment: PaymentDefinition | null): string {
  return (by === 'payment' ? payment?.paymentField : payment?.orderField) ?? 'none'
}

/** Looks for transactions, and for the names of states that do not come with them. */
function createSearcher({search, refusal, provider}: TransactionsDeps): LookFor {
  const {payment} = findProvider(provider)
  const names = new Map<string, string>()
  const fetchRows = async <Row>(entity: string, criteria: object): Promise<Row[]> => {
    const answer = await search.call({
      method: 'POST',
      path: `/api/search/${entity}`,
      headers: {'content-type': 'application/json', accept: 'application/json'},
      body: JSON.stringify(criteria),
    })
    return answer.status === 200
      ? readData<Row>(answer, refusal)
      : Promise.reject(refusal(answer, `the search for ${entity}`))
  }
  const learnNames = async (rows: readonly TransactionRow[]) => {
    const ids = new Set(rows.filter(row => !row.stateMachineState).map(row => row.stateId))
    const unknown = [...ids].filter(id => id !== undefined && !names.has(id))
    if (unknown.length === 0) return
    const states = await fetchRows<{id: string; technicalName: string}>('state-machine-state', {ids: unknown})
    for (const {id, technicalName} of states) names.set(id, technicalName)
  }
  return async (by, values) => {
    const which =
      by === 'id'
        ? {ids: values}
        : {
            filter: [{type: 'equalsAny', field: `customFields.${findField(by, payment)}`, value: values}],
            limit: 500,
          }
    const rows = await fetchRows<TransactionRow>('order-transaction', {...which, ...READ})
    const selectKey = (row: TransactionRow) =>
      String(by === 'id' ? row.id : row.customFields?.[findField(by, payment)])
    const asked = new Set(values.map(value => value.toLowerCase()))
    if (!rows.every(row => asked.has(selectKey(row).toLowerCase())))
      throw createOtherAnswerError('other transactions than those that were asked for')
    await learnNames(rows)
    const found = new Map<string, Transaction>()
    for (const row of rows) {
      const before = found.get(selectKey(row))
      const facts = buildTransaction(row, names, payment)
      found.set(selectKey(row), before ? {...facts, alike: (before.alike ?? 1) + 1} : facts)
    }
    return found
  }
}

/** What is asked for of a transaction; an order is large, and its currency is all that is read of it. */
const READ = {
  associations: {stateMachineState: {}, paymentMethod: {}, order: {associations: {currency: {}}}},
  includes: {order: ['currency'], currency: ['isoCode']},
}

/** What we read of the shop's transactions. Associations may not come along. */
interface TransactionRow {
  readonly id: string
  readonly stateId?: string
  readonly stateMachineState?: {readonly technicalName?: string} | null
  readonly paymentMethod?: {
    readonly technicalName?: string | null
    readonly handlerIdentifier?: string | null
  } | null
  readonly amount?: {readonly totalPrice?: number} | null
  readonly order?: {readonly currency?: {readonly isoCode?: string} | null} | null
  readonly customFields?: Readonly<Record<string, unknown>> | null
}

function readData<Row>(answer: HttpResponse, refusal: TransactionsDeps['refusal']): Row[] {
  try {
    const {data} = JSON.parse(answer.body.toString('utf8')) as {data?: Row[]}
    if (Array.isArray(data)) return data
  } catch {}
  throw refusal(answer, 'a search')
}

function buildTransaction(
  row: TransactionRow,
  names: ReadonlyMap<string, string>,
  payment: PaymentDefinition | null,
): Transaction {
  const {id, stateId, stateMachineState, paymentMethod, amount, order, customFields} = row
  const currency = order?.currency?.isoCode
  const state = stateMachineState?.technicalName ?? names.get(stateId ?? '')
  if (state === undefined) {
    throw new StorectlError('rejected.no_state', `The shop does not return the state of transaction ${id}.`)
  }
  return {
    id,
    state,
    amountTotal: Number(amount?.totalPrice ?? Number.NaN),
    ...(currency === undefined ? {} : {currency}),
    payUponInvoice:
      payment !== null &&
      (paymentMethod?.technicalName === payment.invoiceMethod ||
        payment.invoiceHandler.test(paymentMethod?.handlerIdentifier ?? '')),
    ...(payment === null ? {} : readProviderFields(customFields ?? {}, payment)),
  }
}

function readProviderFields(
  fields: Readonly<Record<string, unknown>>,
  {orderField, resourceField, instructionsField}: PaymentDefinition,
) {
  const [orderId, resourceId] = [fields[orderField], fields[resourceField]]
  return {
    ...(typeof orderId === 'string' && orderId !== '' ? {orderId} : {}),
    ...(typeof resourceId === 'string' && resourceId !== '' ? {resourceId} : {}),
    ...(fields[instructionsField] ? ({hasInstructions: true} as const) : {}),
  }
}

/** The transaction that an event names as the shop has it now, or why that is not known. */
export type Present =
  | {readonly kind: 'found'; readonly transaction: Transaction}
  | {readonly kind: 'absent'}
  /** The event names none. */
  | {readonly kind: 'unnamed'}
  /** `next` is the command line that would help, where one is known. */
  | {readonly kind: 'not-known'; readonly why: string; readonly next?: string | undefined}

/** Opens the shop's transactions at the first look. */
export type OpenTransactions = () => Promise<Transactions>

/**
 * Looks at the transactions of some events, those that are asked for at once in one call. A shop that cannot be asked is no
 * error: the answer says why, and nobody asks it again.
 *
 * @param open `undefined` when nothing is to be looked at
 */
export function presentStates(open: OpenTransactions | undefined): (key: TransactionKey) => Promise<Present> {
  let opened: Promise<Transactions> | undefined
  let next: string | undefined
  let failed: string | undefined = open ? undefined : 'state check is off (--no-check-state)'
  return async key => {
    if (key.by === 'nothing' || key.by === 'fault') return {kind: 'unnamed'}
    if (failed !== undefined || !open) return {kind: 'not-known', why: failed ?? '', next}
    try {
      opened ??= open()
      const transaction = await (await opened).find(key)
      return transaction ? {kind: 'found', transaction} : {kind: 'absent'}
    } catch (error) {
      if (!(error instanceof StorectlError)) throw error
      failed = error.message
      next = error.nextSteps[0]
      return {kind: 'not-known', why: failed, next}
    }
  }
}
