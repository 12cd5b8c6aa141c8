/** Why an event names no transaction, to follow its id. */
export const FAULT_WORDS = {
  'wrong-resource': 'its resource_version and resource_type do not fit its type',
  'no-custom-id': 'it names no transaction: no custom_id',
  'no-transaction-id': 'it names no transaction: custom_id has no orderTransactionId',
  'invalid-transaction-id': 'it names no transaction of a shop: its custom_id is not an id',
  'no-parent-payment': 'it names no transaction: no parent_payment',
  'no-route': 'its transaction is named by the address that it was sent to, which is not known',
} as const
