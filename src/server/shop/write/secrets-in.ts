import type {Entity} from '../../../shop-model/entity.js'
import {WRITE} from '../../limits.js'
import type {Shop} from '../../shop.js'
import {httpError, type ShopError} from '../../shop-error.js'
import {hashOfPassword, hashOfSecret} from '../secrets.js'
import {isObject} from './check-value.js'

/**
 * Hashes of all secrets that stand in what is to be written, nested things included, by secret: a slow hash takes its
 * time, and while a write is under way nobody else can write.
 *
 * @throws ShopError 400 for more than anybody waits for
 */
export async function hashSecrets(
  shop: Shop,
  entity: Entity,
  written: unknown,
  hashes: Map<string, string> = new Map(),
): Promise<Map<string, string>> {
  if (!isObject(written)) return hashes
  for (const [name, kind] of Object.entries(entity.writing?.secrets ?? {})) {
    const secret = Object.hasOwn(written, name) ? written[name] : undefined
    if (typeof secret !== 'string' || hashes.has(secret)) continue
    if (hashes.size >= WRITE.secrets) throw tooManySecrets()
    hashes.set(secret, kind === 'password' ? await hashOfPassword(secret) : hashOfSecret(secret))
  }
  for (const {name, target, kind} of entity.associations) {
    const nested = Object.hasOwn(written, name) ? written[name] : undefined
    if (typeof nested !== 'object' || nested === null) continue
    const many = kind === 'to-one' ? [nested] : Object.values(nested)
    for (const one of many) await hashSecrets(shop, shop.model.get(target), one, hashes)
  }
  return hashes
}

function tooManySecrets(): ShopError {
  return httpError(400, `The write holds more than ${WRITE.secrets} secrets; send fewer at once.`)
}
