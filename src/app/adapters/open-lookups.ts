import type {Context} from '../../context.js'
import {type Transactions, transactionsOf} from '../../payment/transactions.js'
import {type TokenNow, tokenNow} from '../../webhook/diagnose/token-comparison.js'
import {openRegistration} from '../registration.js'

/** Looks at the shop; each is opened at the first use. */
export interface Lookups {
  readonly transactions: () => Promise<Transactions>
  readonly token: () => Promise<TokenNow>
}

/** What is looked up about events without sending any. */
export function openLookups(context: Context): Lookups {
  return {
    transactions: async () => {
      const {patient, refusal} = await context.connect()
      return transactionsOf({search: patient, refusal})
    },
    token: tokenNow(() => openRegistration(context)),
  }
}
