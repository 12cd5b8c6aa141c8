import {fold} from '../../../shopware/fold-text.js'
import {findMissingPrivileges, type Principal, requireVerifiedCaller} from '../../oauth/caller.js'
import type {OpenWrite} from '../../runtime/runtime.js'
import {createShopError, ShopError} from '../../runtime/shop-error.js'
import {ACCESS_ENTITIES, followWrittenAccess, VERIFIED_ENTITIES} from '../../store/accounts.js'
import {joinEntities, listIdLists, listJoinedIds, updateEntity} from '../../store/entities/entity-writes.js'
import {insertNew} from '../../store/entities/insert-entities.js'
import {countOrdersOf, listOrderingCustomers} from '../../store/entities/order-totals.js'
import {exists, isTaken} from '../../store/entities/read-entities.js'
import {nameFoldedColumn} from '../../store/schema/columns.js'
import type {ShopConnection} from '../../store/schema/schema.js'
import type {Pair, Step, WritePlan} from './plan.js'
import {findTargetAssociation} from './values.js'
import {createDanglingIdError, createDuplicateError} from './violations.js'

/**
 * Executes a plan, as part of the caller's write.
 *
 * @throws ShopError 400 with all violations, 403 for a missing privilege, 500 for a dangling id
 */
export async function applyPlan(plan: WritePlan, caller: Principal, write: OpenWrite): Promise<void> {
  const {pairs, violations} = plan
  const steps = plan.steps.map(step => addAuthor(step, caller))
  if (violations.length > 0) throw new ShopError(400, violations)
  if (plan.refusal) throw plan.refusal
  if (steps.some(({entity}) => VERIFIED_ENTITIES.includes(entity.name)) || pairs.some(isRolePair))
    requireVerifiedCaller(caller)
  const needed = [
    ...steps.map(({entity, kind}) => `${entity.name}:${kind === 'insert' ? 'create' : 'update'}`),
    ...pairs.map(({through}) => `${through.table}:create`),
  ]
  const refusal = findMissingPrivileges(caller, [...new Set(needed)])
  if (refusal) throw refusal
  refuseNewAdministrators(steps, caller)
  const {db} = write
  const now = write.now()
  await updateOrderCounts(collectTouched(steps), write, () => writeSteps(steps, plan, write))
  for (const pair of pairs) {
    const {through, owner, target} = pair
    await refuseDanglingPair(pair, write)
    await joinEntities(db, through, owner, target)
  }
  for (const step of steps) {
    await plan.turn()
    await refuseDangling(step, write)
  }
  await fillIdLists(pairs, write)
  if (steps.some(({entity}) => ACCESS_ENTITIES.includes(entity.name)) || pairs.some(isRolePair)) {
    await followWrittenAccess(db, now)
  }
}

async function writeSteps(steps: readonly Step[], {turn}: WritePlan, {db, now}: OpenWrite): Promise<void> {
  for (const step of steps) {
    const {kind, entity, id, values} = step
    await turn()
    await refuseTakenName(step, db)
    if (kind === 'insert') await insertNew(db, entity, {createdAt: now(), ...values, id}, now())
    else await updateEntity(db, {entity, id}, values, now())
  }
}

/** Columns with the sign-in names of users and integrations: user names are compared without case and accents. */
const SIGN_IN_NAMES: Readonly<Record<string, {field: string; column: string}>> = {
  user: {field: 'username', column: nameFoldedColumn('username')},
  user_access_key: {field: 'accessKey', column: 'access_key'},
  integration: {field: 'accessKey', column: 'access_key'},
}

async function refuseTakenName({entity, id, values}: Step, db: ShopConnection): Promise<void> {
  const name = SIGN_IN_NAMES[entity.name]
  const value = name && values[name.field]
  if (!name || typeof value !== 'string') return
  const sought = entity.name === 'user' ? fold(value) : value
  if (await isTaken(db, {entityName: entity.name, column: name.column}, sought, id))
    throw createDuplicateError(entity.name, name.field, value)
}

function collectTouched(steps: readonly Step[]): Touched {
  const touched = new Map<string, Set<string>>()
  for (const {entity, id} of steps) {
    const ids = touched.get(entity.name)
    if (ids) ids.add(id)
    else touched.set(entity.name, new Set([id]))
  }
  return touched
}

/** Adds the user who created or changed the row, where the entity has these fields. @see protocol.md §7.1 */
function addAuthor(step: Step, caller: Principal): Step {
  const name = step.kind === 'insert' ? 'createdById' : 'updatedById'
  const isKept = step.entity.fields.some(field => field.name === name)
  return isKept && caller.kind === 'user' ? {...step, values: {...step.values, [name]: caller.id}} : step
}

function isRolePair({through}: Pair): boolean {
  return through.column === 'acl_role_id' || through.targetColumn === 'acl_role_id'
}

/** Only administrators can create administrators. */
function refuseNewAdministrators(steps: readonly Step[], caller: Principal): void {
  if (caller.isAdministrator || !steps.some(({values}) => values.admin === true)) return
  const detail = 'The user does not have the permission to do this action.'
  throw createShopError(403, 'FRAMEWORK__PERMISSION_DENIED', detail)
}

async function refuseDangling({entity, values}: Step, {db}: OpenWrite): Promise<void> {
  for (const field of entity.fields) {
    const value = values[field.name]
    const target =
      field.kind === 'id' && typeof value === 'string' ? findTargetAssociation(entity, field) : undefined
    if (!target || entity.writing?.loose.includes(field.name)) continue
    if (await exists(db, target.target, value as string)) continue
    throw createDanglingIdError(entity.name, field.column)
  }
}

/** @throws ShopError 500 for a pair whose other side does not exist */
export async function refuseDanglingPair(
  {through, target, targetName}: Pair,
  {db}: OpenWrite,
): Promise<void> {
  if (await exists(db, targetName, target)) return
  throw createDanglingIdError(through.table, through.targetColumn)
}

/** Id lists contain the joined ids: a customer has the ids of its tags. */
export async function fillIdLists(pairs: readonly Pair[], {db}: OpenWrite): Promise<void> {
  if (pairs.length === 0) return
  for (const {entity, field, through} of listIdLists()) {
    const joined = pairs.filter(pair => pair.through.table === through.table)
    const owners = joined.map(pair => (pair.through.column === through.column ? pair.owner : pair.target))
    for (const owner of new Set(owners)) {
      const ids = await listJoinedIds(db, through, owner)
      await updateEntity(db, {entity, id: owner}, {[field.name]: ids.length > 0 ? ids : null})
    }
  }
}

/** Ids of the rows that a write touches, by entity. */
type Touched = ReadonlyMap<string, ReadonlySet<string>>

/**
 * Executes a write, as part of the caller's, and updates the customers' order totals if it touches any: number, amount,
 * and time of the last one.
 */
export async function updateOrderCounts(
  touched: Touched,
  {db}: Pick<OpenWrite, 'db'>,
  write: () => Promise<void>,
): Promise<void> {
  const orders = [...(touched.get('order') ?? [])]
  const buyers = [...(touched.get('order_customer') ?? [])]
  if (orders.length === 0 && buyers.length === 0) return write()
  const listAffectedCustomers = async () => [
    ...(await listOrderingCustomers(db, 'order_id', orders)),
    ...(await listOrderingCustomers(db, 'id', buyers)),
  ]
  const before = await listAffectedCustomers()
  await write()
  const touchedNow = new Set([...before, ...(await listAffectedCustomers())])
  await countOrdersOf(db, [...touchedNow])
}
