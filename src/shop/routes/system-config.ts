import {escapeJsonApi} from '../../shopware/json-escape.js'
import type {RouteResponse, ShopRequest, ShopRoute} from '../http/route.js'
import {followSettings} from '../provider/webhook-settings.js'
import {
  isKnownDomain,
  parseConfigurationScope,
  readConfiguration,
  requireKnownBundles,
  writeConfiguration,
} from '../rules/configuration.js'
import type {WebhookRegistrationDeps} from '../rules/webhook-registration.js'
import {type Parameters, readParameter} from '../runtime/runtime.js'
import type {ShopDatabase} from '../store/schema/schema.js'

const PATH = '/api/_action/system-config'
const WRITERS = ['system_config:update', 'system_config:create', 'system_config:delete']

/**
 * Settings of the shop and of single sales channels, including webhook tokens: read by domain, written for one or
 * several sales channels at a time.
 *
 * @see protocol.md §4.1, where tokens are kept
 */
export function createSystemConfigRoutes(deps: WebhookRegistrationDeps): ShopRoute[] {
  const {db} = deps
  return [
    {
      method: 'GET',
      path: PATH,
      privileges: ['system_config:read'],
      handle: request => answerSettings(db, request),
    },
    {
      method: 'GET',
      path: `${PATH}/check`,
      privileges: ['system_config:read'],
      // True for a known domain, even without any settings.
      handle: ({query}) => ({
        contentType: 'application/json',
        body: String(isKnownDomain(readParameter(query, 'domain'))),
      }),
    },
    {
      method: 'POST',
      path: PATH,
      privileges: WRITERS,
      handle: request => {
        const {parameters, query} = request
        const scope = readParameter(query, 'salesChannelId')
        return save(deps, request, [[scope, readSettings(parameters)]])
      },
    },
    {
      method: 'POST',
      path: `${PATH}/batch`,
      privileges: WRITERS,
      handle: request => {
        const {parameters} = request
        const scopes = Object.entries(parameters).map(([scope, one]) => [scope, readSettings(one)] as const)
        for (const [, settings] of scopes) requireKnownBundles(settings)
        return save(deps, request, scopes)
      },
    },
  ]
}

async function answerSettings(db: ShopDatabase, {query}: ShopRequest): Promise<RouteResponse> {
  const scope = parseConfigurationScope(readParameter(query, 'salesChannelId'))
  const inherit = ['1', 'true', 'on', 'yes'].includes(String(readParameter(query, 'inherit')))
  const settings = await readConfiguration(readParameter(query, 'domain'), {...scope, inherit}, db.reads)
  return {contentType: 'application/json', body: escapeJsonApi(JSON.stringify(settings))}
}

type Settings = Readonly<Record<string, unknown>>

/** Saves all settings or none. If the provider refuses to register the webhook for them, responds with its errors. */
async function save(
  deps: WebhookRegistrationDeps,
  {origin, path}: ShopRequest,
  given: readonly (readonly [unknown, Settings])[],
): Promise<RouteResponse> {
  const {writes} = deps.db
  const scopes = given.map(
    ([name, settings]) => [parseConfigurationScope(name).salesChannelId, settings] as const,
  )
  const write = () =>
    writes.run(async db => {
      for (const [salesChannelId, settings] of scopes)
        await writeConfiguration(settings, {salesChannelId}, {db, now: deps.now})
    })
  const payPalWebhookErrors = await followSettings(new Map(scopes), {origin, path}, {...deps, write})
  if (payPalWebhookErrors.length === 0) return {status: 204}
  return {contentType: 'application/json', body: escapeJsonApi(JSON.stringify({payPalWebhookErrors}))}
}

function readSettings(value: Parameters | unknown): Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Settings) : {}
}
