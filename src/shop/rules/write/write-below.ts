import type {EntityCriteria} from '../../../shopware/criteria.js'
import {findModel} from '../../../shopware/entities/entities.js'
import type {Entity} from '../../../shopware/entity.js'
import {type Principal, requirePrivilege, requireVerifiedCaller} from '../../oauth/caller.js'
import type {RuleDeps} from '../../runtime/runtime.js'
import {createNothingThereError} from '../../runtime/shop-error.js'
import {ACCESS_ENTITIES, followWrittenAccess, VERIFIED_ENTITIES} from '../../store/accounts.js'
import {listPairs, removePair} from '../../store/entities/entity-writes.js'
import {fillIdLists} from './apply-plan.js'
import {isOnlyId, planWrite} from './plan.js'
import type {Values} from './values.js'
import {type Planning, removeOne, type WriteRequest, writeOne} from './write.js'

/** An entity of an association, and the row below which it is written. */
interface Below {
  readonly entity: Entity
  readonly owner: NonNullable<EntityCriteria['owner']>
}

interface WriteBelow extends Below, WriteRequest {}

/**
 * Adds or changes an entity below a row, and links it: by the foreign key on either side, or by a pair. For pairs, an
 * id alone refers to an existing entity. All of it is one plan and one transaction; a real shop writes twice.
 *
 * @returns its id
 * @throws ShopError as `writeOne`
 */
export function writeBelow(below: WriteBelow, deps: RuleDeps): Promise<string> {
  return writeOne(below, deps, planning => planBelow(below, planning))
}

async function planBelow({owner, entity, written, mode}: WriteBelow, planning: Planning): Promise<string> {
  const {association, id: ownerId} = owner
  const write = (of: Entity, values: Values, how: WriteBelow['mode']) =>
    planWrite({entity: of, written: values, mode: how, path: '/0'}, planning)
  const isHeldThere = !association.through && association.column === 'id'
  if (isHeldThere)
    return write(entity, {...written, [nameField(entity, association.targetColumn)]: ownerId}, mode)
  const isNamed = association.through && isOnlyId(written)
  const id = isNamed ? written.id : await write(entity, written, mode)
  if (id === '') return id
  const parent = findModel(entity).get(owner.entity)
  const link = association.through
    ? {[association.name]: [{id}]}
    : {[nameField(parent, association.column)]: id}
  await write(parent, {id: ownerId, ...link}, 'update')
  return id
}

function nameField({fields}: Entity, column: string): string {
  return fields.find(one => one.column === column)?.name ?? ''
}

/**
 * Deletes an entity below a row; one that is only joined to the row is unlinked, and stays.
 *
 * @throws ShopError as `removeOne`; 404 also for one that is not joined
 */
export async function removeBelow(
  {entity, owner}: Below,
  id: string,
  caller: Principal,
  deps: RuleDeps,
): Promise<void> {
  const {through} = owner.association
  if (!through) return removeOne(entity, id, caller, deps)
  const {db, now, edition} = deps
  if (VERIFIED_ENTITIES.includes(entity.name)) requireVerifiedCaller(caller)
  await db.writes.run(async transaction => {
    const pair = {through, owner: owner.id, target: id, targetName: entity.name}
    const [known] = await listPairs(transaction, through, pair)
    if (!known) throw createNothingThereError(through.table, id)
    requirePrivilege(caller, `${through.table}:delete`)
    await removePair(transaction, through, pair)
    await fillIdLists([pair], {db: transaction, now, edition})
    if (ACCESS_ENTITIES.includes(entity.name)) await followWrittenAccess(transaction, now())
  })
}
