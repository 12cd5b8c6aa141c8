import {type Parameters, readParameter} from '../runtime/parameters.js'
import {createHttpError, type ShopError} from '../runtime/shop-error.js'

/** Where the shop keeps its webhook tokens, one for all sales channels and one for each that has its own. */
export const WEBHOOK_TOKEN_KEY = 'SwagPayPal.settings.webhookExecuteToken'

/**
 * Whether the query carries a token of this shop, and what to answer if not.
 *
 * Everything but letters and digits is dropped from the token before it is compared, and case does not count; any
 * sales channel's token will do.
 *
 * @param tokens every token that the shop knows
 * @returns the refusal, or `undefined` when the token is good
 * @see protocol.md §4.1, §4.2 rows 4 to 6
 */
export function checkWebhookToken(
  query: Parameters,
  prefix: string,
  tokens: readonly string[],
): ShopError | undefined {
  const name = `${prefix}-token`
  const sent = readParameter(query, name) ?? ''
  if (typeof sent !== 'string')
    return createHttpError(400, `Input value "${name}" contains a non-scalar value.`)
  const given = sent.replace(/[^a-z0-9]/gi, '').toLowerCase()
  const isKnown = given !== '' && tokens.some(token => token.toLowerCase() === given)
  return isKnown ? undefined : createHttpError(400, 'Shopware token is invalid')
}

/** A query string without the webhook token, in whatever way it is spelled; everything else stays byte for byte. */
export function removeWebhookToken(queryString: string, prefix: string): string {
  const name = `${prefix}-token`
  return queryString
    .split('&')
    .filter(pair => !decodePairName(pair).startsWith(name))
    .join('&')
}

function decodePairName(pair: string): string {
  const name = pair.split('=', 1)[0] as string
  try {
    return decodeURIComponent(name.replaceAll('+', ' ')).trimStart()
  } catch {
    return name
  }
}
