import {Readable} from 'node:stream'
import {StorectlError} from '../../errors.js'
import {escapePlain} from '../../shopware/json-escape.js'
import {FAULTS_PATH, STATUS_PATH, TRIGGER_PATH} from '../../wire/control-paths.js'
import type {FaultRow, ServerReport} from '../../wire/schemas/server.js'
import type {ActiveFault, FaultInjector} from '../faults/active-faults.js'
import {type FaultRule, parseFaultRule} from '../faults/parse.js'
import type {RouteMethod, RouteResponse, ShopRequest, ShopRoute} from '../http/route.js'
import {areHashesEqual, hashOfSecret} from '../oauth/secrets.js'
import {makeWebhookCalls} from '../provider/trigger.js'
import {buildProviderPath} from '../runtime/provider-address.js'
import {type Parameters, type RuleDeps, readParameter, type ShopRuntime} from '../runtime/runtime.js'
import {createShopError, ShopError} from '../runtime/shop-error.js'
import {findIntegration} from '../store/accounts.js'
import type {ShopConnection} from '../store/schema/schema.js'
import {countShop} from '../store/store.js'

/**
 * Lists, adds and removes the faults of a server that supports them: `GET`, `POST {"rules":["status=503"]}` and
 * `DELETE` on one path, and `DELETE` with an id. For the shop's administrators, by HTTP Basic.
 */
export function createFaultRoutes(reads: ShopConnection, faults: FaultInjector | undefined): ShopRoute[] {
  if (!faults) return []
  const route = (
    method: RouteMethod,
    path: string,
    work: (request: ShopRequest) => RouteResponse,
  ): ShopRoute => ({
    method,
    path,
    auth: 'none',
    handle: async request => {
      await requireAdministrator(reads, request.headers.authorization)
      return work(request)
    },
  })
  return [
    route('GET', FAULTS_PATH, () => createJsonAnswer({faults: faults.list().map(buildFaultRow)})),
    route('POST', FAULTS_PATH, request => {
      const rules = readRules(request.parameters)
      return createJsonAnswer({faults: rules.map(rule => buildFaultRow(faults.add(rule)))})
    }),
    route('DELETE', FAULTS_PATH, () => {
      faults.clear()
      return {status: 204}
    }),
    route('DELETE', `${FAULTS_PATH}/:id`, request => remove(faults, request.params.id ?? '')),
  ]
}

function buildFaultRow({id, rule, matched, injected}: ActiveFault): FaultRow {
  return {id, rule: rule.text, matched, injected}
}

/** Parses all of the rules, or throws. */
function readRules(parameters: Parameters): FaultRule[] {
  const rules = readParameter(parameters, 'rules')
  if (!Array.isArray(rules) || rules.length === 0 || !rules.every(rule => typeof rule === 'string')) {
    throw createShopError(400, 'STORECTL__FAULT_RULE', '"rules" must be a list of strings.')
  }
  try {
    return rules.map(parseFaultRule)
  } catch (error) {
    if (error instanceof StorectlError) throw createShopError(400, 'STORECTL__FAULT_RULE', error.message)
    throw error
  }
}

function remove(faults: FaultInjector, id: string): RouteResponse {
  if (/^\d{1,9}$/.test(id) && faults.remove(Number(id))) return {status: 204}
  throw createShopError(404, 'STORECTL__NO_SUCH_FAULT', `Unknown fault ${id}.`, {parameters: {id}})
}

function createJsonAnswer(value: unknown): RouteResponse {
  return {contentType: 'application/json', body: escapePlain(JSON.stringify(value))}
}

/** What the control routes report about the server of this shop. */
export interface ServerIdentity {
  /** Version of the program. */
  readonly version: string
  /** UTC. */
  readonly startedAt: string
}

interface StatusDeps extends Pick<ShopRuntime, 'provider' | 'tokenPrefix'> {
  readonly reads: ShopConnection
  /** Absent inside a command, where no other process uses the shop. */
  readonly server: ServerIdentity | undefined
}

/** The status of a server, for the shop's administrators, by HTTP Basic. */
export function createStatusRoutes({server, ...deps}: StatusDeps): ShopRoute[] {
  if (!server) return []
  return [
    {
      method: 'GET',
      path: STATUS_PATH,
      auth: 'none',
      handle: async request => {
        await requireAdministrator(deps.reads, request.headers.authorization)
        return report(server, deps)
      },
    },
  ]
}

/** `POST` makes the provider call webhooks; responds with a line of JSON after each call. */
export function createTriggerRoutes({server, ...deps}: Omit<StatusDeps, 'reads'> & RuleDeps): ShopRoute[] {
  if (!server) return []
  return [
    {
      method: 'POST',
      path: TRIGGER_PATH,
      auth: 'none',
      isApart: true,
      handle: async request => {
        await requireAdministrator(deps.db.reads, request.headers.authorization)
        const calls = await makeWebhookCalls(
          request,
          `${request.origin}${buildProviderPath(deps.provider)}`,
          deps,
        )
        return {contentType: 'application/x-ndjson', body: Readable.from(calls)}
      },
    },
  ]
}

async function report(
  {version, startedAt}: ServerIdentity,
  {reads, provider, tokenPrefix}: Omit<StatusDeps, 'server'>,
): Promise<RouteResponse> {
  const counts = await countShop(reads)
  const said: ServerReport = {version, startedAt, provider, tokenPrefix, counts}
  return {contentType: 'application/json', body: escapePlain(JSON.stringify(said))}
}

/**
 * Requires the id and secret of an administrator's integration: a token would have to be requested first, and a fault
 * might prevent that.
 *
 * @param authorization the unchanged header
 * @throws ShopError 401 and 403
 * @see RFC 7617
 */
async function requireAdministrator(reads: ShopConnection, authorization: string | undefined): Promise<void> {
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
  const detail = "Requires the id and secret of the shop's own integration."
  const {status, entries} = createShopError(401, 'STORECTL__UNKNOWN_CALLER', detail)
  return new ShopError(status, entries, {'www-authenticate': 'Basic realm="storectl"'})
}
