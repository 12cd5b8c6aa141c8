import {createHash} from 'node:crypto'
import {join} from 'node:path'
import {LOCAL} from '../auth/profile/profile.js'
import type {Context} from '../context.js'
import {
  entitiesFrom,
  entitiesIn,
  type ShopEntities,
  storedEntities,
} from '../customer/fields/entity-schema.js'
import {makePrivateFolder, readTextIfThere, writeWhole} from '../platform/files/files.js'

const SCHEMA_PATH = '/api/_info/entity-schema.json'

/** Plugins come and go seldom; who cannot wait asks for it. */
const OLDEST_MS = 24 * 60 * 60 * 1000

export interface SchemaWish {
  /** How old what is kept may be; a day when it is left out. */
  readonly oldestMs?: number | undefined
  /** Ask the shop even where its answer of today is kept. */
  readonly refresh?: boolean | undefined
  /** Do not ask the shop. */
  readonly onlyKept?: boolean | undefined
}

/**
 * How the chosen shop describes its entities; kept for a day in the cache folder.
 *
 * @returns `undefined` for the bundled shop, which our own description is of, and for a shop that does not tell
 */
export async function openSchema(context: Context, wish: SchemaWish): Promise<ShopEntities | undefined> {
  const {profile} = await context.chosen()
  if (!profile || profile.name === LOCAL) return undefined
  const now = context.host.clock.now().getTime()
  const file = join(context.paths.cache, `entity-schema-${digest(profile.url.href)}.json`)
  const kept = wish.refresh ? undefined : keptIn(file, now, wish.oldestMs)
  if (kept || wish.onlyKept) return kept
  const entities = await asked(context)
  if (entities) keep(file, JSON.stringify({at: now, entities: storedEntities(entities)}))
  return entities
}

function digest(url: string): string {
  return createHash('sha256').update(url).digest('hex').slice(0, 16)
}

function keptIn(file: string, now: number, oldestMs = OLDEST_MS): ShopEntities | undefined {
  try {
    const {at, entities} = JSON.parse(readTextIfThere(file) ?? 'null') ?? {}
    return typeof at === 'number' && now - at < oldestMs && now >= at ? entitiesFrom(entities) : undefined
  } catch {
    return undefined
  }
}

/** A cache that cannot be written is none. */
function keep(file: string, text: string): void {
  try {
    makePrivateFolder(join(file, '..'))
    writeWhole(file, text)
  } catch {}
}

async function asked(context: Context): Promise<ShopEntities | undefined> {
  const {patient} = await context.connect()
  const {stopping} = context.host.interruption
  const headers = {accept: 'application/json'}
  const answer = await patient.call({method: 'GET', path: SCHEMA_PATH, headers, signal: stopping})
  if (answer.status !== 200) return undefined
  try {
    return entitiesIn(JSON.parse(answer.body.toString('utf8')))
  } catch {
    return undefined
  }
}
