import type {Kysely} from 'kysely'
import {type Caller, missingPrivileges} from '../../oauth/caller.js'
import type {Shop} from '../../runtime/runtime.js'
import {ShopError, shopError} from '../../runtime/shop-error.js'
import type {ShopTables} from '../../store/schema/schema.js'
import type {Pair, Plan, Step} from './plan.js'
import {targetOf} from './values.js'
import {danglingId} from './violations.js'

/**
 * Does what was planned, as part of the caller's write.
 *
 * @throws ShopError 400 with everything that is wrong, 403 where a privilege is missing, 500 for an id that leads nowhere
 */
export async function applyPlan(
  plan: Plan,
  caller: Caller,
  shop: Shop,
  db: Kysely<ShopTables>,
): Promise<void> {
  const {pairs, violations} = plan
  const steps = plan.steps.map(step => signed(step, caller))
  if (violations.length > 0) throw new ShopError(400, violations)
  const needed = steps.map(({entity, kind}) => `${entity.name}:${kind === 'insert' ? 'create' : 'update'}`)
  const refusal = missingPrivileges(caller, [...new Set(needed)])
  if (refusal) throw refusal
  refuseNewAdministrators(steps, caller)
  const {entityWrites, writtenAccounts} = shop.store
  const now = shop.now()
  await withOrderCounts(touchedBy(steps), shop, db, () => writeSteps(steps, plan, shop, db))
  for (const pair of pairs) {
    const {through, owner, target} = pair
    await refuseDanglingPair(pair, shop, db)
    await entityWrites.joinEntities(db, through, owner, target)
  }
  for (const step of steps) {
    await plan.turn()
    await refuseDangling(step, shop, db)
  }
  await fillIdLists(pairs, shop, db)
  const {ACCESS_ENTITIES, followWrittenAccess} = writtenAccounts
  if (steps.some(({entity}) => ACCESS_ENTITIES.includes(entity.name)) || pairs.some(joinsRole)) {
    await followWrittenAccess(db, now)
  }
}

async function writeSteps(
  steps: readonly Step[],
  {turn}: Plan,
  {store, now}: Shop,
  db: Kysely<ShopTables>,
): Promise<void> {
  const {entities, entityWrites} = store
  for (const {kind, entity, id, values} of steps) {
    await turn()
    if (kind === 'insert') await entities.insertNew(db, entity, {createdAt: now(), ...values, id}, now())
    else await entityWrites.updateEntity(db, entity, id, values, now())
  }
}

function touchedBy(steps: readonly Step[]): Touched {
  const touched = new Map<string, Set<string>>()
  for (const {entity, id} of steps) {
    const ids = touched.get(entity.name)
    if (ids) ids.add(id)
    else touched.set(entity.name, new Set([id]))
  }
  return touched
}

/** With who made or changed it, where the entity keeps that and it was a person. @see protocol.md §7.1 */
function signed(step: Step, caller: Caller): Step {
  const name = step.kind === 'insert' ? 'createdById' : 'updatedById'
  const isKept = step.entity.fields.some(field => field.name === name)
  return isKept && caller.kind === 'user' ? {...step, values: {...step.values, [name]: caller.id}} : step
}

function joinsRole({through}: Pair): boolean {
  return through.column === 'acl_role_id' || through.targetColumn === 'acl_role_id'
}

/** Only administrators make others. */
function refuseNewAdministrators(steps: readonly Step[], caller: Caller): void {
  if (caller.isAdministrator || !steps.some(({values}) => values.admin === true)) return
  const detail = 'The user does not have the permission to do this action.'
  throw shopError(403, 'FRAMEWORK__PERMISSION_DENIED', detail)
}

async function refuseDangling({entity, values}: Step, {store}: Shop, db: Kysely<ShopTables>): Promise<void> {
  for (const field of entity.fields) {
    const value = values[field.name]
    const target = field.kind === 'id' && typeof value === 'string' ? targetOf(entity, field) : undefined
    if (!target || entity.writing?.loose.includes(field.name)) continue
    if (await store.entities.exists(db, target.target, value as string, store.db.locks.forShare)) continue
    throw danglingId(entity.name, field.column)
  }
}

/** What was there a moment ago may have been taken away by another server. */
async function refuseDanglingPair(
  {through, target, targetName}: Pair,
  {store}: Shop,
  db: Kysely<ShopTables>,
): Promise<void> {
  if (await store.entities.exists(db, targetName, target, store.db.locks.forShare)) return
  throw danglingId(through.table, through.targetColumn)
}

/** Lists of ids hold who is joined: a customer carries the ids of its tags. */
async function fillIdLists(
  pairs: readonly Pair[],
  {store, model, now}: Shop,
  db: Kysely<ShopTables>,
): Promise<void> {
  if (pairs.length === 0) return
  const {idListsOf, joinedTo, updateEntity} = store.entityWrites
  const {forUpdate} = store.db.locks
  for (const {entity, field, through} of idListsOf(model)) {
    const joined = pairs.filter(pair => pair.through.table === through.table)
    const owners = joined.map(pair => (pair.through.column === through.column ? pair.owner : pair.target))
    for (const owner of new Set(owners)) {
      // Whoever joins others to the same thing at once comes after us, and lists ours as well.
      await store.entities.exists(db, entity.name, owner, forUpdate)
      const ids = await joinedTo(db, through, owner)
      await updateEntity(db, entity, owner, {[field.name]: ids}, now())
    }
  }
}

/** What a write touches, by the name of its kind. */
type Touched = ReadonlyMap<string, ReadonlySet<string>>

/**
 * Does a write, as part of the caller's, and brings up to date what customers know of their orders when it touches
 * any: how many there are, what they came to, when the last one was.
 */
export async function withOrderCounts(
  touched: Touched,
  {store}: Pick<Shop, 'store'>,
  db: Kysely<ShopTables>,
  write: () => Promise<void>,
): Promise<void> {
  const orders = [...(touched.get('order') ?? [])]
  const buyers = [...(touched.get('order_customer') ?? [])]
  if (orders.length === 0 && buyers.length === 0) return write()
  const {whoOrdered, countOrdersOf} = store.entities
  const customers = async () => [
    ...(await whoOrdered(db, 'order_id', orders)),
    ...(await whoOrdered(db, 'id', buyers)),
  ]
  const before = await customers()
  await write()
  const touchedNow = new Set([...before, ...(await customers())])
  await countOrdersOf(db, [...touchedNow], store.db.locks.forUpdate)
}
