import type {EventRules} from './effects.js'
import {readBodyMember} from './event-head.js'
import {PAYPAL_RULES} from './paypal/event-rules.js'
import {PAYPAL} from './paypal/paypal.js'
import type {ProviderDefinition} from './provider.js'
import {formatTransactionKey, type TransactionKey} from './traits.js'

/** Rules in code, by the name of the provider. */
const RULES: ReadonlyMap<string, EventRules> = new Map([[PAYPAL.name, PAYPAL_RULES]])

/** The rules of a provider's events. */
export function findEventRules(provider: ProviderDefinition): EventRules {
  return RULES.get(provider.name) ?? createDataRules(provider)
}

const ID = /^[0-9a-f]{32}$/

function createDataRules({
  name,
  body: {transaction: where, orderingKeys = [], ...members},
}: ProviderDefinition): EventRules {
  const findTransaction = (body: object, transaction: string | undefined): TransactionKey => {
    const isInRoute = where.in === 'route'
    const text = isInRoute ? transaction : readBodyMember(body, where.member)
    if (text === undefined) return {by: 'fault', fault: isInRoute ? 'no-route' : 'no-transaction-id'}
    const id = text.toLowerCase()
    return ID.test(id) ? {by: 'id', id} : {by: 'fault', fault: 'invalid-transaction-id'}
  }
  return {
    listOrderingKeys: (body, transaction) => {
      const key = findTransaction(body, transaction)
      const own = [
        members.repeatsId ? readBodyMember(body, members.id) : undefined,
        ...orderingKeys.map(path => readBodyMember(body, path)),
      ]
      const ids = own.filter(each => each !== undefined).map(each => `provider:${each}`)
      return [...new Set([...(key.by === 'id' ? [`transaction:${key.id}`] : []), ...ids])]
    },
    readTraits: (_type, body, transaction) => {
      const key = findTransaction(body, transaction)
      const value = members.amount && readBodyMember(body, members.amount.value)
      const currency = members.amount && readBodyMember(body, members.amount.currency)
      const invoice = members.invoice === undefined ? undefined : readBodyMember(body, members.invoice)
      return {
        ...{provider: name, key, keyText: formatTransactionKey(key)},
        ...(value === undefined || currency === undefined ? {} : {amount: {value, currency}}),
        ...(invoice === undefined ? {} : {invoice}),
      }
    },
  }
}
