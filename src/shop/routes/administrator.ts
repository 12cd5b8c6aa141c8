import {areHashesEqual, hashOfSecret} from '../oauth/secrets.js'
import {createShopError, ShopError} from '../runtime/shop-error.js'
import {findIntegration} from '../store/accounts.js'
import type {ShopConnection} from '../store/schema/schema.js'

/**
 * Lets only the shop's own administrators through, by the id and the secret of their integration: a token would have
 * to be asked for first, and a fault may stand in the way of that.
 *
 * @param authorization the header as it came
 * @throws ShopError 401 and 403
 * @see RFC 7617
 */
export async function requireAdministrator(
  reads: ShopConnection,
  authorization: string | undefined,
): Promise<void> {
  const [id = '', secret = ''] = parseBasicCredentials(authorization)
  const integration = id === '' ? undefined : await findIntegration(reads, id)
  if (!integration || !areHashesEqual(hashOfSecret(secret), integration.secret_hash))
    throw createUnknownCallerError()
  if (integration.admin !== 1) {
    throw createShopError(
      403,
      'STORECTL__ADMINISTRATORS_ONLY',
      'Only an administrator may change the server.',
    )
  }
}

function parseBasicCredentials(authorization: string | undefined): string[] {
  const [, encoded] = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(authorization ?? '') ?? []
  const text = Buffer.from(encoded ?? '', 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 ? [] : [text.slice(0, colon), text.slice(colon + 1)]
}

function createUnknownCallerError(): ShopError {
  const detail = "The id and secret of the shop's own integration are needed."
  const {status, entries} = createShopError(401, 'STORECTL__UNKNOWN_CALLER', detail)
  return new ShopError(status, entries, {'www-authenticate': 'Basic realm="storectl"'})
}
