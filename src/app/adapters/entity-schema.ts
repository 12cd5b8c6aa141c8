import {createHash} from 'node:crypto'
import {join} from 'node:path'
import {type Connection, LOCAL, type Profile} from '../../auth/profile/profile.js'
import type {DescriptionQuery} from '../../customer/fields/customer-fields.js'
import {
  parseEntitySchema,
  parseStoredEntities,
  type ShopEntities,
  serializeEntities,
} from '../../customer/fields/customer-fields.js'
import {makePrivateFolder, readTextIfThere, writeWhole} from '../../platform/files/files.js'
import type {Host} from '../host.js'

const SCHEMA_PATH = '/api/_info/entity-schema.json'

/** Plugins change rarely; `--refresh` does not wait. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000

/** The chosen shop, which is asked if nothing is stored. */
interface ChosenShop {
  readonly home: {readonly paths: {readonly cache: string}}
  findChosenProfile(): Promise<{readonly profile?: Profile | undefined}>
  connect(): Promise<Connection>
}

/** The chosen shop's description of its entities; `undefined` for the bundled one, which our own description matches. */
export async function describeEntities(
  host: Host,
  shop: ChosenShop,
  query: DescriptionQuery,
): Promise<ShopEntities | undefined> {
  const {profile} = await shop.findChosenProfile()
  if (!profile || profile.name === LOCAL) return undefined
  const deps = {cacheFolder: shop.home.paths.cache, connect: () => shop.connect()}
  return openEntitySchema(host, profile, deps, query)
}

interface EntitySchemaDeps {
  readonly cacheFolder: string
  readonly connect: () => Promise<Connection>
}

/**
 * A shop's description of its entities; stored for a day in the cache folder.
 *
 * @returns `undefined` for a shop without a description, and if only a stored one is wanted and none is
 */
async function openEntitySchema(
  {clock, interruption}: Host,
  profile: Profile,
  {cacheFolder, connect}: EntitySchemaDeps,
  {refresh, onlyStored, maxAgeMs}: DescriptionQuery,
): Promise<ShopEntities | undefined> {
  const now = clock.now().getTime()
  const file = join(cacheFolder, `entity-schema-${digest(profile.url.href)}.json`)
  const stored = refresh ? undefined : readStored(file, now, maxAgeMs)
  if (stored || onlyStored) return stored
  const entities = await fetchEntities(await connect(), interruption.stopping)
  if (entities) store(file, JSON.stringify({at: now, entities: serializeEntities(entities)}))
  return entities
}

function digest(url: string): string {
  return createHash('sha256').update(url).digest('hex').slice(0, 16)
}

function readStored(file: string, now: number, maxAgeMs = MAX_AGE_MS): ShopEntities | undefined {
  try {
    const {at, entities} = JSON.parse(readTextIfThere(file) ?? 'null') ?? {}
    return typeof at === 'number' && now - at < maxAgeMs && now >= at
      ? parseStoredEntities(entities)
      : undefined
  } catch {
    return undefined
  }
}

/** A cache that cannot be written is ignored. */
function store(file: string, text: string): void {
  try {
    makePrivateFolder(join(file, '..'))
    writeWhole(file, text)
  } catch {}
}

async function fetchEntities({patient}: Connection, signal: AbortSignal): Promise<ShopEntities | undefined> {
  const headers = {accept: 'application/json'}
  const answer = await patient.call({method: 'GET', path: SCHEMA_PATH, headers, signal, answer: 'page'})
  if (answer.status !== 200) return undefined
  try {
    return parseEntitySchema(JSON.parse(answer.body.toString('utf8')))
  } catch {
    return undefined
  }
}
