import type {Credentials} from '../credentials.js'
import {equalHashes, hashOfSecret} from '../oauth/secrets.js'
import type {Shop} from '../runtime/runtime.js'
import {ShopError, shopError} from '../runtime/shop-error.js'
import type {ShopCounts} from '../store/counts.js'

/** What a running server says of itself, as it goes over the wire. */
export interface ServerReport {
  /** Of the program that runs it. */
  readonly version: string
  /** UTC. */
  readonly startedAt: string
  readonly provider: string
  readonly tokenPrefix: string
  readonly counts: ShopCounts
}

/**
 * Lets only the shop's own administrators through, by the id and the secret of their integration: a token would have
 * to be asked for first, and a fault may stand in the way of that.
 *
 * @param authorization the header as it came
 * @throws ShopError 401 and 403
 * @see RFC 7617
 */
export async function requireAdministrator(shop: Shop, authorization: string | undefined): Promise<void> {
  const {accounts, db} = shop.store
  const [id = '', secret = ''] = basicCredentials(authorization)
  const integration = id === '' ? undefined : await accounts.findIntegration(db.reads, id)
  if (!integration || !equalHashes(hashOfSecret(secret), integration.secret_hash)) throw unknownCaller()
  if (integration.admin !== 1) {
    throw shopError(403, 'STORECTL__ADMINISTRATORS_ONLY', 'Only an administrator may change the server.')
  }
}

function basicCredentials(authorization: string | undefined): string[] {
  const [, encoded] = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(authorization ?? '') ?? []
  const text = Buffer.from(encoded ?? '', 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 ? [] : [text.slice(0, colon), text.slice(colon + 1)]
}

function unknownCaller(): ShopError {
  const detail = "The id and secret of the shop's own integration are needed."
  const {status, entries} = shopError(401, 'STORECTL__UNKNOWN_CALLER', detail)
  return new ShopError(status, entries, {'www-authenticate': 'Basic realm="storectl"'})
}

/**
 * What a running server says of itself.
 *
 * @returns `undefined` when it is of a time that does not say, or does not know these credentials
 * @throws StorectlError as the caller does
 */
export async function askReport(
  caller: ControlCaller,
  credentials: Pick<Credentials, 'clientId' | 'clientSecret'>,
): Promise<ServerReport | undefined> {
  const headers = administratorHeader(credentials)
  const {status, body} = await caller.call({method: 'GET', path: STATUS_PATH, headers})
  return status === 200 ? (JSON.parse(body.toString('utf8')) as ServerReport) : undefined
}

/** Calls to a running server; `http` gives such. */
export interface ControlCaller {
  call(call: {
    method: string
    path: string
    headers?: Readonly<Record<string, string>>
    body?: string
  }): Promise<{status: number; body: Buffer}>
}

/** What lets a command in at the control routes. @see RFC 7617 */
export function administratorHeader({
  clientId,
  clientSecret,
}: Pick<Credentials, 'clientId' | 'clientSecret'>): {authorization: string} {
  return {authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`}
}

/** Where commands talk to a server of ours about itself. No shop has such a path, and no fault strikes it. */
export const CONTROL_PATH = '/_storectl'

/** The faults of a running server. */
export const FAULTS_PATH = `${CONTROL_PATH}/faults`

/** What a running server says of itself. */
export const STATUS_PATH = `${CONTROL_PATH}/status`
