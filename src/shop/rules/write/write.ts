import {findModel} from '../../../shopware/entities/entities.js'
import type {Association, Entity, SecretKind} from '../../../shopware/entity.js'
import {type Principal, requirePrivilege, requireVerifiedCaller} from '../../oauth/caller.js'
import {hashOfPassword, hashOfSecret} from '../../oauth/secrets.js'
import {createYielder} from '../../runtime/event-loop.js'
import {WRITE} from '../../runtime/limits.js'
import type {OpenWrite, RuleDeps} from '../../runtime/runtime.js'
import {createHttpError, createNothingThereError, type ShopError} from '../../runtime/shop-error.js'
import {ACCESS_ENTITIES, dropAccounts, followWrittenAccess, VERIFIED_ENTITIES} from '../../store/accounts.js'
import {countUsages, listBelongings, removeEntities} from '../../store/entities/entity-writes.js'
import {exists} from '../../store/entities/read-entities.js'
import {removeConfigOf} from '../../store/schema/system-config.js'
import {applyPlan, updateOrderCounts} from './apply-plan.js'
import {createPlan, type Mode, planWrite} from './plan.js'
import {isJsonObject, type Values} from './values.js'
import {createInUseError, createPayloadError} from './violations.js'

/** What is written of one thing, and on whose behalf. */
interface WriteRequest {
  readonly entity: Entity
  readonly written: Values
  readonly mode: Exclude<Mode, 'upsert'>
  readonly caller: Principal
}

/**
 * Adds one thing with all that is nested in it, or changes one.
 *
 * @returns its id
 * @throws ShopError 400 with everything that is wrong, then for an id that is taken, 403, 500 for ids that lead nowhere;
 *   nothing is kept
 */
export async function writeOne(
  {entity, written, mode, caller}: WriteRequest,
  {db: {writes}, now, edition}: RuleDeps,
): Promise<string> {
  if (VERIFIED_ENTITIES.includes(entity.name)) requireVerifiedCaller(caller)
  // A change carries the id of its path.
  const own = mode === 'update' ? Object.keys(written).filter(name => name !== 'id') : Object.keys(written)
  if (own.length === 0) throw createPayloadError()
  const hashes = await hashSecrets([[entity, written]])
  return writes.run(async db => {
    const plan = createPlan()
    const id = await planWrite(
      {entity, written, mode, path: '/0'},
      {db, now, edition, hashes, plan, around: {}},
    )
    await applyPlan(plan, caller, {db, now, edition})
    return id
  })
}

/**
 * Takes one thing away, with all that belongs to it.
 *
 * @throws ShopError 404, 403, and 409 when something else cannot do without it
 */
export async function removeOne(
  entity: Entity,
  id: string,
  caller: Principal,
  {db: {writes}, now, edition}: RuleDeps,
): Promise<void> {
  if (VERIFIED_ENTITIES.includes(entity.name)) requireVerifiedCaller(caller)
  await writes.run(async db => {
    if (!(await removeEntityIfThere(entity, id, caller, {db, now, edition})))
      throw createNothingThereError(entity.name, id)
  })
}

/**
 * As part of a write: takes one thing away, if there is such a thing.
 *
 * @returns whether there was
 * @throws ShopError 403; 409 when something else cannot do without it
 */
export async function removeEntityIfThere(
  entity: Entity,
  id: string,
  caller: Principal,
  write: OpenWrite,
): Promise<boolean> {
  const {db, now} = write
  if (!(await exists(db, entity.name, id))) return false
  requirePrivilege(caller, `${entity.name}:delete`)
  const doomed = await listBelongings(db, entity, id)
  const users = await countUsages(db, doomed)
  if (Object.keys(users).length > 0) throw createInUseError(entity.name, users)
  await updateOrderCounts(doomed, write, () => removeEntities(db, doomed))
  for (const gone of doomed.get('sales_channel') ?? []) await removeConfigOf(db, gone)
  if (ACCESS_ENTITIES.includes(entity.name)) {
    await dropAccounts(db, [id])
    await followWrittenAccess(db, now())
  }
  return true
}

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
    for (const one of listNested(nested, kind)) collect(findModel(entity).get(target), one, found)
  }
}

function listNested(nested: unknown, kind: Association['kind']): readonly unknown[] {
  if (typeof nested !== 'object' || nested === null) return []
  return kind === 'to-one' ? [nested] : Object.values(nested)
}

function createTooManySecretsError(count: number): ShopError {
  return createHttpError(400, `The write holds ${count} secrets; ${WRITE.secrets} is the most.`)
}
