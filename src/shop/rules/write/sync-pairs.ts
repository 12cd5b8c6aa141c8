import {ENTITIES} from '../../../shopware/entities/entities.js'
import type {Association, Entity} from '../../../shopware/entity.js'
import {isPlainId} from '../../../shopware/ids.js'
import {type Principal, requirePrivilege} from '../../oauth/caller.js'
import type {OpenWrite} from '../../runtime/runtime.js'
import {createHttpError, ShopError} from '../../runtime/shop-error.js'
import {joinEntities, listPairs, removePair} from '../../store/entities/entity-writes.js'
import {fillIdLists, refuseDanglingPair} from './apply-plan.js'
import type {Pair} from './plan.js'
import type {Values} from './values.js'
import {createIdViolation, createViolationEntry} from './violations.js'

/** A mapping table, as written through sync. */
export interface Mapping {
  readonly name: string
  readonly through: NonNullable<Association['through']>
  readonly targetName: string
  /** Members with the two ids. */
  readonly ownerField: string
  readonly targetField: string
}

/** @returns `undefined` for a name that is not a mapping table's */
export function findMapping(name: string): Mapping | undefined {
  for (const {associations} of ENTITIES) {
    for (const {through, target} of associations) {
      if (through?.table !== name) continue
      const fields = {
        ownerField: convertToCamel(through.column),
        targetField: convertToCamel(through.targetColumn),
      }
      return {name, through, targetName: target, ...fields}
    }
  }
  return undefined
}

function convertToCamel(column: string): string {
  return column.replace(/_(.)/g, (_all, letter: string) => letter.toUpperCase())
}

/** One operation on pairs. */
interface PairWork {
  readonly mapping: Mapping
  /** Key of the operation, for pointers. */
  readonly key: string
  readonly caller: Principal
  readonly write: OpenWrite
}

/** The two ids of a pair, by their members. */
export type PairIds = Readonly<Record<string, string>>

/**
 * Adds pairs.
 *
 * @throws ShopError 400 for invalid ids, 403, 500 for dangling ids
 */
export async function joinAll(payload: readonly Values[], work: PairWork): Promise<PairIds[]> {
  const pairs = payload.map((one, index) => readPair(one, `/${work.key}/${index}`, work.mapping))
  requirePrivilege(work.caller, `${work.mapping.name}:create`)
  for (const pair of pairs) {
    await refuseDanglingPair(pair, work.write)
    await joinEntities(work.write.db, pair.through, pair.owner, pair.target)
  }
  await fillIdLists(pairs, work.write)
  return pairs.map(pair => nameIds(pair, work.mapping))
}

/** Removes pairs. @returns those that existed, and those that did not */
export async function partAll(
  payload: readonly Values[],
  work: PairWork,
): Promise<{deleted: PairIds[]; notFound: PairIds[]}> {
  const pairs = payload.map((one, index) => readPair(one, `/${index}`, work.mapping))
  const deleted: Pair[] = []
  const notFound: Pair[] = []
  for (const pair of pairs) {
    const [known] = await listPairs(work.write.db, pair.through, pair)
    if (known) requirePrivilege(work.caller, `${work.mapping.name}:delete`)
    if (known) await removePair(work.write.db, pair.through, pair)
    ;(known ? deleted : notFound).push(pair)
  }
  await fillIdLists(deleted, work.write)
  const name = (list: readonly Pair[]) => list.map(pair => nameIds(pair, work.mapping))
  return {deleted: name(deleted), notFound: name(notFound)}
}

/**
 * The pairs that criteria find.
 *
 * @param criteria a list of `equals` by the two ids
 * @throws ShopError 400 for any other filter
 */
export async function findPairs(
  criteria: unknown,
  {mapping, write}: Pick<PairWork, 'mapping' | 'write'>,
): Promise<Values[]> {
  const {through, ownerField, targetField} = mapping
  const wanted: {owner?: string; target?: string} = {}
  for (const filter of Object.values(criteria as object) as Values[]) {
    const {type, field, value} = filter ?? {}
    const member = field === ownerField ? 'owner' : field === targetField ? 'target' : undefined
    if (type !== 'equals' || !member || !isPlainId(value))
      throw createHttpError(400, `Pairs are found by ${ownerField} and ${targetField} alone, with equals.`)
    wanted[member] = value
  }
  const pairs = await listPairs(write.db, through, wanted)
  return pairs.map(pair => ({[ownerField]: pair.owner, [targetField]: pair.target}))
}

function readPair(one: Values, path: string, mapping: Mapping): Pair {
  const {through, targetName, ownerField, targetField} = mapping
  const [owner, target] = [one[ownerField], one[targetField]]
  for (const [name, id] of [
    [ownerField, owner],
    [targetField, target],
  ] as const) {
    if (!isPlainId(id))
      throw new ShopError(400, [createViolationEntry(createIdViolation(id ?? null), `${path}/${name}`)])
  }
  return {through, owner: String(owner), target: String(target), targetName}
}

function nameIds({owner, target}: Pair, {ownerField, targetField}: Mapping): PairIds {
  return {[ownerField]: owner, [targetField]: target}
}

/** Keys that sync collects by entity: ids, and pairs of ids. */
export type WrittenKey = string | PairIds

/** @param lists by entity; each list is created on demand */
export function collectByKind(
  lists: Record<string, WrittenKey[]>,
  {name}: Pick<Entity, 'name'>,
): WrittenKey[] {
  const list = lists[name] ?? []
  lists[name] = list
  return list
}
