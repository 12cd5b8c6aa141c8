import {ENTITY_MODEL} from '../../model/entities/entities.js'
import type {Entity, SecretKind} from '../../model/entity.js'
import {hashOfPassword, hashOfSecret} from '../../oauth/secrets.js'
import {createYielder} from '../../runtime/event-loop.js'
import {WRITE} from '../../runtime/limits.js'
import {createHttpError, type ShopError} from '../../runtime/shop-error.js'
import {isJsonObject} from './check-value.js'

/**
 * Hashes of all secrets that stand in what is to be written, nested things included, by secret: a slow hash takes its
 * time, and while a write is under way nobody else can write.
 *
 * @param written things with the entity that each is to be
 * @throws ShopError 400 for more than anybody waits for
 */
export async function hashSecrets(
  written: Iterable<readonly [Entity, unknown]>,
): Promise<Map<string, string>> {
  const turn = createYielder()
  const found = new Map<string, SecretKind>()
  for (const [entity, one] of written) {
    await turn()
    collect(entity, one, found)
  }
  if (found.size > WRITE.secrets) throw createTooManySecretsError(found.size)
  const hashes = new Map<string, string>()
  for (const [secret, kind] of found) {
    hashes.set(secret, kind === 'password' ? await hashOfPassword(secret) : hashOfSecret(secret))
  }
  return hashes
}

function collect(entity: Entity, written: unknown, found: Map<string, SecretKind>): void {
  if (!isJsonObject(written)) return
  for (const [name, kind] of Object.entries(entity.writing?.secrets ?? {})) {
    const secret = Object.hasOwn(written, name) ? written[name] : undefined
    if (typeof secret === 'string' && !found.has(secret)) found.set(secret, kind)
  }
  for (const {name, target, kind} of entity.associations) {
    const nested = Object.hasOwn(written, name) ? written[name] : undefined
    if (typeof nested !== 'object' || nested === null) continue
    const many = kind === 'to-one' ? [nested] : Object.values(nested)
    for (const one of many) collect(ENTITY_MODEL.get(target), one, found)
  }
}

function createTooManySecretsError(count: number): ShopError {
  return createHttpError(400, `The write holds ${count} secrets; ${WRITE.secrets} is the most.`)
}
