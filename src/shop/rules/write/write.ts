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

/** A write of an entity, and its caller. */
export interface WriteRequest {
  readonly entity: Entity
  readonly written: Values
  readonly mode: Exclude<Mode, 'upsert'>
  readonly caller: Principal
}

/**
 * Adds or changes an entity, with all that is nested in it.
 *
 * @param plan plans the write, where it is more than the entity
 * @returns its id
 * @throws ShopError 400 with all violations, then for an existing id, 403, 500 for dangling ids; then nothing is
 * written
 */
export async function writeOne(
  request: WriteRequest,
  deps: RuleDeps,
  plan: (planning: Planning) => Promise<string> = planning => planWrite({...request, path: '/0'}, planning),
): Promise<string> {
  const {entity, written, mode, caller} = request
  const {now, edition} = deps
  if (VERIFIED_ENTITIES.includes(entity.name)) requireVerifiedCaller(caller)
  // An update has the id from its path.
  const own = mode === 'update' ? Object.keys(written).filter(name => name !== 'id') : Object.keys(written)
  if (own.length === 0) throw createPayloadError()
  const hashes = await hashSecrets([[entity, written]])
  return deps.db.writes.run(async db => {
    const writing = createPlan()
    const id = await plan({db, now, edition, hashes, plan: writing, around: {}})
    await applyPlan(writing, caller, {db, now, edition})
    return id
  })
}

/** The context for planning a write. */
export type Planning = Parameters<typeof planWrite>[1]

/**
 * Deletes an entity, with all that belongs to it.
 *
 * @throws ShopError 404, 403, and 409 when another row requires it
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
 * Deletes an entity if it exists, as part of a write.
 *
 * @returns whether it existed
 * @throws ShopError 403; 409 when another row requires it
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
 * Hashes all secrets in the values, nested ones included, by secret: hashing is slow, and during a write nobody else
 * can write.
 *
 * @param written values with their entity
 * @throws ShopError 400 for too many
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
  return createHttpError(400, `The write contains ${count} secrets; the maximum is ${WRITE.secrets}.`)
}
