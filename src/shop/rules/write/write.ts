import type {Kysely} from 'kysely'
import type {Entity} from '../../model/entity.js'
import type {Caller} from '../../oauth/caller.js'
import {requirePrivilege} from '../../oauth/caller.js'
import type {Shop} from '../../runtime/runtime.js'
import type {ShopTables} from '../../store/schema/schema.js'
import {applyPlan, withOrderCounts} from './apply-plan.js'
import {hashSecrets} from './hash-secrets.js'
import {emptyPlan, planWrite} from './plan.js'
import type {Values} from './values.js'
import {inUse, nothingThere} from './violations.js'

/**
 * Adds one thing with all that is nested in it, or changes one.
 *
 * @returns its id
 * @throws ShopError 403, 400 with everything that is wrong or for an id that is taken, 500 for ids that lead nowhere; nothing is kept
 */
export async function writeOne(
  entity: Entity,
  written: Values,
  mode: 'create' | 'update',
  caller: Caller,
  shop: Shop,
): Promise<string> {
  requirePrivilege(caller, `${entity.name}:${mode}`)
  const hashes = await hashSecrets(shop, [[entity, written]])
  return shop.store.db.writes.run(async db => {
    const plan = emptyPlan()
    const id = await planWrite(entity, written, mode, '/0', {shop, db, hashes, plan, around: {}})
    await applyPlan(plan, caller, shop, db)
    return id
  })
}

/**
 * Takes one thing away, with all that belongs to it.
 *
 * @throws ShopError 403, 404, and 409 when something else cannot do without it
 */
export async function removeOne(entity: Entity, id: string, caller: Caller, shop: Shop): Promise<void> {
  requirePrivilege(caller, `${entity.name}:delete`)
  await shop.store.db.writes.run(async db => {
    if (!(await removeIfThere(entity, id, shop, db))) throw nothingThere(entity.name, id)
  })
}

/**
 * As part of a write: takes one thing away, if there is such a thing.
 *
 * @returns whether there was
 * @throws ShopError 409 when something else cannot do without it
 */
export async function removeIfThere(
  entity: Entity,
  id: string,
  shop: Shop,
  db: Kysely<ShopTables>,
): Promise<boolean> {
  const {store, model, now} = shop
  const {forUpdate} = store.db.locks
  if (!(await store.entities.exists(db, entity.name, id, forUpdate))) return false
  const {entityWrites, systemConfig, writtenAccounts} = store
  const doomed = await entityWrites.belongings(db, model, entity, id, forUpdate)
  const usages = await entityWrites.usages(db, model, doomed)
  if (Object.keys(usages).length > 0) throw inUse(entity.name, usages)
  await withOrderCounts(doomed, shop, db, () => entityWrites.removeEntities(db, model, doomed))
  for (const gone of doomed.get('sales_channel') ?? []) await systemConfig.removeConfigOf(db, gone)
  if (writtenAccounts.ACCESS_ENTITIES.includes(entity.name)) {
    await writtenAccounts.dropAccounts(db, [id])
    await writtenAccounts.followWrittenAccess(db, now())
  }
  return true
}
