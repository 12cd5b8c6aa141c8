import {ENTITIES} from '../../model/entities/entities.js'
import type {Entity} from '../../model/entity.js'
import {isId} from '../../model/ids.js'
import {findMissingPrivileges, type Principal, requireVerifiedCaller} from '../../oauth/caller.js'
import {createYielder} from '../../runtime/event-loop.js'
import {type OpenWrite, type Parameters, type RuleDeps, readParameter} from '../../runtime/runtime.js'
import {createShopError, ShopError} from '../../runtime/shop-error.js'
import {VERIFIED_ENTITIES} from '../../store/accounts.js'
import {applyPlan} from './apply-plan.js'
import {addViolation, createPlan, planWrite} from './plan.js'
import {isJsonObject, type Values} from './values.js'
import {createIdViolation, createTypeViolation, createViolationEntry} from './violations.js'
import {hashSecrets, removeEntityIfThere} from './write.js'

interface Operation {
  /** Its name, or its position in a list. */
  readonly key: string
  readonly entity: Entity
  readonly action: 'upsert' | 'delete'
  readonly payload: readonly unknown[]
}

type IdsByEntity = Record<string, string[]>

/** What a sync has done. */
interface Synced {
  /** Ids of what was added or changed. */
  readonly data: IdsByEntity
  /** What was to be taken away and was not there. */
  readonly notFound: Record<string, {id: string}[]>
  readonly deleted: IdsByEntity
}

/**
 * Does several writes at once, in their order, all or none.
 *
 * @throws ShopError as single writes, and 400 for an operation that is none
 * @see protocol.md §3.2, `single-operation`
 */
export async function sync(
  parameters: Parameters,
  caller: Principal,
  {db: {writes, rowLocks}, now}: RuleDeps,
): Promise<Synced> {
  const operations = Object.keys(parameters).map(key => readOperation(key, readParameter(parameters, key)))
  const deletes = operations.filter(({action}) => action === 'delete')
  const refusal = findMissingPrivileges(caller, [
    ...new Set(deletes.map(({entity}) => `${entity.name}:delete`)),
  ])
  if (refusal) throw refusal
  if (deletes.some(({entity}) => VERIFIED_ENTITIES.includes(entity.name))) requireVerifiedCaller(caller)
  const hashes = await hashSecrets(listWrites(operations))
  return writes.run(async db => {
    const write = {db, rowLocks, now}
    const synced: Synced = {data: {}, notFound: {}, deleted: {}}
    for (const operation of operations) {
      if (operation.action === 'delete') await removeAll(operation, synced, write)
      else await upsertAll(operation, synced, {...write, caller, hashes})
    }
    return synced
  })
}

function* listWrites(operations: readonly Operation[]): Generator<readonly [Entity, unknown]> {
  for (const {entity, payload} of operations) for (const one of payload) yield [entity, one]
}

function readOperation(key: string, written: unknown): Operation {
  const {entity: name, action, payload} = (isJsonObject(written) ? written : {}) as Record<string, unknown>
  if (typeof name !== 'string') throw createOperationError(key, 'entity')
  if (action !== 'upsert' && action !== 'delete') throw createOperationError(key, 'action')
  if (typeof payload !== 'object' || payload === null) throw createOperationError(key, 'payload')
  const entity = ENTITIES.find(one => one.name === name)
  if (entity?.writing) return {key, entity, action, payload: Object.values(payload)}
  throw createShopError(
    404,
    'FRAMEWORK__DEFINITION_NOT_FOUND',
    `Definition for entity "${name}" does not exist.`,
  )
}

function createOperationError(key: string, what: string): ShopError {
  const detail = `Invalid sync operation. Operation "${key}": argument "${what}" is missing or not valid`
  return createShopError(400, 'FRAMEWORK__INVALID_SYNC_OPERATION', detail, {
    parameters: {key, argument: what},
  })
}

interface Work extends OpenWrite {
  readonly caller: Principal
  readonly hashes: ReadonlyMap<string, string>
}

async function upsertAll({key, entity, payload}: Operation, {data}: Synced, work: Work): Promise<void> {
  const {caller, db, now, hashes} = work
  const plan = createPlan()
  const ids = collectByEntity(data, entity)
  for (const [index, one] of payload.entries()) {
    const path = `/${key}/${index}`
    const planned = {entity, written: one as Values, mode: 'upsert', path} as const
    if (isJsonObject(one)) ids.push(await planWrite(planned, {db, now, hashes, plan, around: {}}))
    else addViolation(plan, createTypeViolation('array', one), path)
  }
  await applyPlan(plan, caller, work)
}

async function removeAll(
  {key, entity, payload}: Operation,
  {deleted, notFound}: Synced,
  write: OpenWrite,
): Promise<void> {
  const ids = payload.map(one => (isJsonObject(one) ? one.id : undefined))
  const wrong = ids.findIndex(id => !isId(id))
  if (wrong >= 0) {
    const entry = createViolationEntry(createIdViolation(ids[wrong] ?? null), `/${key}/${wrong}/id`)
    throw new ShopError(400, [entry])
  }
  const turn = createYielder()
  for (const id of ids as string[]) {
    await turn()
    const lower = id.toLowerCase()
    if (await removeEntityIfThere(entity, lower, write)) collectByEntity(deleted, entity).push(lower)
    else collectByEntity(notFound, entity).push({id: lower})
  }
}

function collectByEntity<T>(lists: Record<string, T[]>, {name}: Entity): T[] {
  const list = lists[name] ?? []
  lists[name] = list
  return list
}
