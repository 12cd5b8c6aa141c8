import {StorectlError} from '../../errors.js'
import type {HttpClient} from '../../http/http.js'
import {createTransactions, type Transactions, type TransactionsDeps} from '../../payment/transactions.js'

/**
 * The states of transactions, as a replay checks them: what fails there names the way to send without them.
 *
 * @param connection signed, and patient with a shop that is busy
 */
export function createStateLookups(connection: {
  readonly patient: HttpClient
  readonly refusal: TransactionsDeps['refusal']
}): Transactions {
  const {patient, refusal} = connection
  return createTransactions({
    search: requireSignInForStateCheck(patient),
    refusal: (answer, doing) => addWayOut(refusal(answer, doing)),
  })
}

/** Reports a missing sign-in as an error of the state check: sending itself needs only the webhook token. */
function requireSignInForStateCheck({baseUrl, call}: HttpClient): HttpClient {
  return {
    baseUrl,
    call: async request => {
      try {
        return await call(request)
      } catch (error) {
        if (!(error instanceof StorectlError) || error.exitName !== 'auth') throw error
        throw addWayOut(error, error)
      }
    },
  }
}

function addWayOut({code, message, nextSteps}: StorectlError, cause?: StorectlError): StorectlError {
  return new StorectlError(code, message, {
    nextSteps: [...nextSteps, 'or add --verify none to send without a look at the states'],
    cause,
  })
}
