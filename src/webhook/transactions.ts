import type {StorectlError} from '../errors.js'
import type {Answer, Caller} from '../http/caller.js'
import {PROVIDER_ORDER_FIELD, PROVIDER_PAYMENT_FIELD} from '../shop-model/webhook-handlers.js'
import type {TransactionFacts} from '../shop-model/webhook-handlers-effect.js'
import type {TransactionKey} from '../shop-model/webhook-handlers-lookup.js'

/** An order transaction as the shop has it now. */
export interface Transaction extends TransactionFacts {
  readonly id: string
}

/** Looks at the shop's transactions. */
export interface Transactions {
  /**
   * The transaction that an event names, as it is now. Those who ask at the same time share a call.
   *
   * @returns `undefined` when the shop does not know it, or the key names none
   * @throws StorectlError as `Caller`, and as the shop's refusal says; `unavailable.no_state` when it does not tell
   * the state
   */
  find(key: TransactionKey): Promise<Transaction | undefined>
}

export interface TransactionsDeps {
  /** Signed, and patient with a shop that is busy. */
  readonly search: Caller
  readonly refusal: (answer: Answer, doing: string) => StorectlError
}

/** Keys of one call; the shop answers 500 rows at most. */
const KEYS_AT_ONCE = 250

/** The provider's way to pay by invoice, as the shop's payment methods name it. */
const PAY_UPON_INVOICE = 'swag_paypal_pui'

/** How a key is looked for. */
type By = 'id' | 'payment' | 'order'

interface Wanted {
  readonly by: By
  readonly value: string
  readonly resolve: (found: Transaction | undefined) => void
  readonly reject: (error: unknown) => void
}

/** @see protocol.md §6.1, §6.3 */
export function transactionsOf(deps: TransactionsDeps): Transactions {
  let wanted: Wanted[] = []
  let busy = false
  const work = async () => {
    busy = true
    await new Promise(resolve => setImmediate(resolve))
    while (wanted.length > 0) {
      const all = wanted
      wanted = []
      for (const by of ['id', 'payment', 'order'] as const) {
        await answerAll(
          all.filter(each => each.by === by),
          by,
          deps,
        )
      }
    }
    busy = false
  }
  return {
    find: key => {
      const named = namedBy(key)
      if (!named) return Promise.resolve(undefined)
      return new Promise((resolve, reject) => {
        wanted.push({...named, resolve, reject})
        if (!busy) void work()
      })
    },
  }
}

function namedBy(key: TransactionKey): {by: By; value: string} | undefined {
  if (key.by === 'id') return {by: 'id', value: key.id}
  if (key.by === 'parent-payment') return {by: 'payment', value: key.payment}
  return key.by === 'provider-order' ? {by: 'order', value: key.order} : undefined
}

async function answerAll(wanted: readonly Wanted[], by: By, deps: TransactionsDeps): Promise<void> {
  for (let from = 0; from < wanted.length; from += KEYS_AT_ONCE) {
    const some = wanted.slice(from, from + KEYS_AT_ONCE)
    try {
      const found = await search(by, [...new Set(some.map(each => each.value))], deps)
      for (const {value, resolve} of some) resolve(found.get(value))
    } catch (error) {
      for (const {reject} of some) reject(error)
    }
  }
}

const FIELD: Readonly<Record<Exclude<By, 'id'>, string>> = {
  payment: PROVIDER_PAYMENT_FIELD,
  order: PROVIDER_ORDER_FIELD,
}

async function search(
  by: By,
  values: readonly string[],
  {search: caller, refusal}: TransactionsDeps,
): Promise<Map<string, Transaction>> {
  const which =
    by === 'id'
      ? {ids: values}
      : {filter: [{type: 'equalsAny', field: `customFields.${FIELD[by]}`, value: values}], limit: 500}
  const answer = await caller.call({
    method: 'POST',
    path: '/api/search/order-transaction',
    headers: {'content-type': 'application/json', accept: 'application/json'},
    body: JSON.stringify({...which, associations: {stateMachineState: {}, paymentMethod: {}}}),
  })
  if (answer.status !== 200) throw refusal(answer, 'the search for transactions')
  const rows = rowsOf(answer, refusal)
  return new Map(
    rows.map(row => [by === 'id' ? row.id : String(row.customFields?.[FIELD[by]] ?? ''), factsOf(row)]),
  )
}

/** What we read of the shop's transactions. */
interface TransactionRow {
  readonly id: string
  readonly stateMachineState?: {readonly technicalName?: string} | null
  readonly paymentMethod?: {readonly technicalName?: string | null} | null
  readonly amount?: {readonly totalPrice?: number} | null
  readonly customFields?: Readonly<Record<string, unknown>> | null
}

function rowsOf(answer: Answer, refusal: TransactionsDeps['refusal']): TransactionRow[] {
  try {
    const {data} = JSON.parse(answer.body.toString('utf8')) as {data?: TransactionRow[]}
    if (Array.isArray(data))
      return data.filter(row => typeof row?.stateMachineState?.technicalName === 'string')
  } catch {}
  throw refusal({...answer, status: 400}, 'the search for transactions')
}

function factsOf({id, stateMachineState, paymentMethod, amount}: TransactionRow): Transaction {
  return {
    id,
    state: stateMachineState?.technicalName as string,
    amountTotal: Number(amount?.totalPrice ?? Number.NaN),
    payUponInvoice: paymentMethod?.technicalName === PAY_UPON_INVOICE,
  }
}
