import type {EntityCriteria} from '../../../shopware/criteria.js'
import {findModel} from '../../../shopware/entities/entities.js'
import type {Entity} from '../../../shopware/entity.js'
import {type Principal, requirePrivilege, requireVerifiedCaller} from '../../oauth/caller.js'
import type {RuleDeps} from '../../runtime/runtime.js'
import {createNothingThereError} from '../../runtime/shop-error.js'
import {ACCESS_ENTITIES, followWrittenAccess, VERIFIED_ENTITIES} from '../../store/accounts.js'
import {listPairs, removePair} from '../../store/entities/entity-writes.js'
import {applyPlan, fillIdLists} from './apply-plan.js'
import {createPlan, isOnlyId, type Mode, planWrite} from './plan.js'
import type {Values} from './values.js'
import {createPayloadError} from './violations.js'
import {hashSecrets, removeOne} from './write.js'

/** A thing of an association, and the row that it is written below. */
interface Below {
  readonly entity: Entity
  readonly owner: NonNullable<EntityCriteria['owner']>
}

interface WriteBelow extends Below {
  readonly written: Values
  readonly mode: Exclude<Mode, 'upsert'>
  readonly caller: Principal
}

/**
 * Adds or changes one thing below a row, and hangs it there: whichever of the two holds the other's id gets it, or the
 * two are joined. Of what is joined, an id alone names a thing that there is. All of it is one plan and one transaction; a
 * real shop writes twice.
 *
 * @returns its id
 * @throws ShopError as `writeOne`
 */
export async function writeBelow(below: WriteBelow, {db: {writes}, now, edition}: RuleDeps): Promise<string> {
  const {entity, written, mode, caller} = below
  if (VERIFIED_ENTITIES.includes(entity.name)) requireVerifiedCaller(caller)
  const own = Object.keys(written).filter(name => mode === 'create' || name !== 'id')
  if (own.length === 0) throw createPayloadError()
  const hashes = await hashSecrets([[entity, written]])
  return writes.run(async db => {
    const plan = createPlan()
    const id = await planBelow(below, {db, now, edition, hashes, plan, around: {}})
    await applyPlan(plan, caller, {db, now, edition})
    return id
  })
}

async function planBelow(
  {owner, entity, written, mode}: WriteBelow,
  planning: Parameters<typeof planWrite>[1],
): Promise<string> {
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
 * Takes one thing below a row away; what is only joined to the row is parted from it, and stays.
 *
 * @throws ShopError as `removeOne`; 404 too for what is not joined
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
