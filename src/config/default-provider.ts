/** The payment provider of a shop whose profile names none. */
export const DEFAULT_PROVIDER = 'paypal'
