import type {StorectlError} from '../errors.js'
import type {HttpClient, HttpResponse} from '../http/http.js'
import type {PaymentDefinition} from '../providers/provider.js'
import {findProvider} from '../providers/providers.js'
import type {TransactionKey} from '../providers/traits.js'
import {describeHidden} from './order-numbers.js'
import {createOtherAnswerError} from './other-answer.js'
import {
  buildRead,
  buildTransaction,
  findOptional,
  type Transaction,
  type TransactionRow,
} from './transaction-row.js'

export type {Transaction}

/** Looks up the shop's transactions. */
export interface Transactions {
  /**
   * The transaction that an event names, as it is now. Simultaneous look-ups share a call.
   *
   * @returns `undefined` if the shop does not have it, or the key names none
   * @throws StorectlError as `HttpClient`, and as the shop's refusal says; `rejected.no_state` if it does not return the
   *   state
   */
  find(key: TransactionKey): Promise<Transaction | undefined>
  /** The same, if nothing waits for the answer: the look-up may wait a moment for others, to share their call. */
  findSoon(key: TransactionKey): Promise<Transaction | undefined>
  /** Starts the waiting look-ups at once. */
  askNow(): void
}

export interface TransactionsDeps {
  /** Signed, with retries for a busy shop. */
  readonly search: HttpClient
  readonly refusal: (answer: HttpResponse, doing: string) => StorectlError
  /** Name of the payment provider, whose plugin writes into the transactions. */
  readonly provider?: string | undefined
  /** Tells a person what the look-ups leave out. */
  readonly note?: ((text: string) => unknown) | undefined
}

/** Keys per call; the shop returns at most 500 rows. */
const KEYS_AT_ONCE = 250

/** How long a look-up without a waiting caller waits for others, milliseconds. */
const GATHERED_MS = 200

/** Most look-ups that wait for others. */
const MOST_GATHERED = 240

/** How a key is looked up. */
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

/** Fetches transactions without fields that the role may not read. @param missing known missing privileges; added to */
function createFetcher(
  {refusal, note}: Pick<TransactionsDeps, 'refusal' | 'note'>,
  missing: Set<string>,
  call: (entity: string, criteria: object) => Promise<HttpResponse>,
) {
  const fetchTransactions = async (which: object): Promise<TransactionRow[]> => {
    const without = new Set(missing)
    const answer = await call('order-transaction', {...which, ...buildRead(without)})
    const named = findOptional(answer).filter(each => !without.has(each))
    // Simultaneous calls are refused alike: only the first is reported.
    const fresh = named.filter(each => !missing.has(each))
    for (const each of fresh) missing.add(each)
    if (fresh.length > 0) note?.(describeHidden(fresh))
    if (named.length > 0) return fetchTransactions(which)
    if (answer.status === 200) return readData(answer, refusal)
    throw refusal(answer, 'the search for order-transaction')
  }
  return fetchTransactions
}

/** Looks up transactions, and the names of states missing in the answer. */
function createSearcher({search, refusal, provider, note}: TransactionsDeps): LookFor {
  const {payment} = findProvider(provider)
  const names = new Map<string, string>()
  const missing = new Set<string>()
  const call = (entity: string, criteria: object) =>
    search.call({
      method: 'POST',
      path: `/api/search/${entity}`,
      headers: {'content-type': 'application/json', accept: 'application/json'},
      body: JSON.stringify(criteria),
    })
  const fetchRows = async <Row>(entity: string, criteria: object): Promise<Row[]> => {
    const answer = await call(entity, criteria)
    return answer.status === 200
      ? readData<Row>(answer, refusal)
      : Promise.reject(refusal(answer, `the search for ${entity}`))
  }
  const fetchTransactions = createFetcher({refusal, note}, missing, call)
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
    const rows = await fetchTransactions(which)
    const selectKey = (row: TransactionRow) =>
      String(by === 'id' ? row.id : row.customFields?.[findField(by, payment)])
    const asked = new Set(values.map(value => value.toLowerCase()))
    if (!rows.every(row => asked.has(selectKey(row).toLowerCase())))
      throw createOtherAnswerError('transactions that were not asked for')
    await learnNames(rows)
    const found = new Map<string, Transaction>()
    for (const row of rows) {
      const before = found.get(selectKey(row))
      const facts = buildTransaction(row, names, {payment, missing})
      found.set(selectKey(row), before ? {...facts, alike: (before.alike ?? 1) + 1} : facts)
    }
    return found
  }
}

function readData<Row>(answer: HttpResponse, refusal: TransactionsDeps['refusal']): Row[] {
  try {
    const {data} = JSON.parse(answer.body.toString('utf8')) as {data?: Row[]}
    if (Array.isArray(data)) return data
  } catch {}
  throw refusal(answer, 'a search')
}
