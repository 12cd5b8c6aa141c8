import {StorectlError} from '../errors.js'
import type {HttpResponse} from '../http/http.js'
import type {PaymentDefinition} from '../providers/provider.js'
import type {TransactionFacts} from '../providers/traits.js'
import {listMissingPrivileges} from './search-rows.js'

/** An order transaction as the shop has it now. */
export interface Transaction extends TransactionFacts {
  readonly id: string
  /** ISO 4217; absent if the shop does not return it. */
  readonly currency?: string
  /** Whether the role may not read the currency. */
  readonly isCurrencyHidden?: true
  /** Of its order; absent if the shop does not return it, or the role may not read it. */
  readonly orderNumber?: string
  /** The provider's order; absent if none is stored. */
  readonly orderId?: string
  /** Id of its authorization or capture at the provider; absent if none is stored. */
  readonly resourceId?: string
  /** Whether the instructions of a payment upon invoice are stored; absent if not. */
  readonly hasInstructions?: true
  /** How many transactions match the look-up, including this one; absent for one. */
  readonly alike?: number
}

const [ORDER, CURRENCY] = ['order:read', 'currency:read']

/** Of the privileges that a refusal names, those that a look-up can do without; none if it also needs others. */
export function findOptional(answer: HttpResponse): string[] {
  const named = listMissingPrivileges(answer)
  return named.every(each => each === ORDER || each === CURRENCY) ? named : []
}

/** The requested fields of a transaction; an order is large, and little of it is needed. */
export function buildRead(missing: ReadonlySet<string>) {
  const own = {stateMachineState: {}, paymentMethod: {}}
  if (missing.has(ORDER)) return {associations: own}
  if (missing.has(CURRENCY)) return {associations: {...own, order: {}}, includes: {order: ['orderNumber']}}
  return {
    associations: {...own, order: {associations: {currency: {}}}},
    includes: {order: ['currency', 'orderNumber'], currency: ['isoCode']},
  }
}

/** The fields read of the shop's transactions. Associations may be missing. */
export interface TransactionRow {
  readonly id: string
  readonly stateId?: string
  readonly stateMachineState?: {readonly technicalName?: string} | null
  readonly paymentMethod?: {
    readonly technicalName?: string | null
    readonly handlerIdentifier?: string | null
  } | null
  readonly amount?: {readonly totalPrice?: number} | null
  readonly order?: {
    readonly orderNumber?: string | null
    readonly currency?: {readonly isoCode?: string} | null
  } | null
  readonly customFields?: Readonly<Record<string, unknown>> | null
}

/** @throws StorectlError `rejected.no_state` if the shop does not return the state */
export function buildTransaction(
  row: TransactionRow,
  names: ReadonlyMap<string, string>,
  {payment, missing}: {readonly payment: PaymentDefinition | null; readonly missing: ReadonlySet<string>},
): Transaction {
  const {id, stateId, stateMachineState, paymentMethod, amount, order, customFields} = row
  const currency = order?.currency?.isoCode
  const orderNumber = order?.orderNumber ?? undefined
  const state = stateMachineState?.technicalName ?? names.get(stateId ?? '')
  if (state === undefined) {
    throw new StorectlError('rejected.no_state', `The shop does not return the state of transaction ${id}.`)
  }
  return {
    id,
    state,
    amountTotal: Number(amount?.totalPrice ?? Number.NaN),
    ...(currency === undefined ? {} : {currency}),
    ...(currency === undefined && missing.size > 0 ? ({isCurrencyHidden: true} as const) : {}),
    ...(orderNumber === undefined ? {} : {orderNumber}),
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
