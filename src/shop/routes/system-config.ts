import type {RouteResponse, ShopRequest, ShopRoute} from '../http/route.js'
import {
  parseConfigurationScope,
  readConfiguration,
  requireKnownBundles,
  writeConfiguration,
} from '../rules/configuration.js'
import {escapeJsonApi} from '../runtime/json-escape.js'
import {type Parameters, readParameter} from '../runtime/runtime.js'
import type {ShopDatabase} from '../store/schema/shop-dialect.js'

const PATH = '/api/_action/system-config'
const WRITERS = ['system_config:update', 'system_config:create', 'system_config:delete']

/**
 * Settings of the shop and of single sales channels, webhook tokens among them: read by domain, written one place or
 * several at a time.
 *
 * @see protocol.md §4.1, where tokens are kept
 */
export function createSystemConfigRoutes(db: ShopDatabase): ShopRoute[] {
  return [
    {
      method: 'GET',
      path: PATH,
      privileges: ['system_config:read'],
      handle: request => answerSettings(db, request),
    },
    {
      method: 'POST',
      path: PATH,
      privileges: WRITERS,
      handle: ({parameters, query}) =>
        save(db, [[readParameter(query, 'salesChannelId'), readSettings(parameters)]]),
    },
    {
      method: 'POST',
      path: `${PATH}/batch`,
      privileges: WRITERS,
      handle: ({parameters}) => {
        const scopes = Object.entries(parameters).map(([scope, one]) => [scope, readSettings(one)] as const)
        for (const [, settings] of scopes) requireKnownBundles(settings)
        return save(db, scopes)
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

/** All of them, or none. */
async function save(
  {writes, rowLocks}: ShopDatabase,
  scopes: readonly (readonly [unknown, Settings])[],
): Promise<RouteResponse> {
  await writes.run(async db => {
    for (const [name, settings] of scopes) {
      await writeConfiguration(settings, parseConfigurationScope(name), {db, rowLocks})
    }
  })
  return {status: 204}
}

function readSettings(value: Parameters | unknown): Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Settings) : {}
}
