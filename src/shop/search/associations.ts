import type {EntityCriteria} from '../../shopware/criteria.js'
import {findModel} from '../../shopware/entities/entities.js'
import type {Association, Entity} from '../../shopware/entity.js'
import {yieldToEventLoop} from '../runtime/event-loop.js'
import {ANSWER} from '../runtime/limits.js'
import type {RuleDeps} from '../runtime/runtime.js'
import {createHttpError, type ShopError} from '../runtime/shop-error.js'
import type {ShopDatabase} from '../store/schema/schema.js'
import {searchRelated} from '../store/search/related.js'
import {listPageColumns} from '../store/search/search.js'
import {createIncludesError} from './criteria/errors.js'
import {selectMembers} from './response/plain-json.js'
import type {Loaded} from './response/response.js'
import type {PageRow} from './response/row-template.js'
import {buildTermFilters} from './term.js'

/** Rows whose associations are loaded. */
interface Owners {
  readonly entity: Entity
  readonly columns: readonly string[]
  readonly rows: readonly PageRow[]
}

interface Loading extends Pick<RuleDeps, 'edition'> {
  readonly db: ShopDatabase
  /** Members to keep, by alias. */
  readonly includes: EntityCriteria['includes']
  readonly budget?: Budget
}

/** How many entities may still be loaded for a response. */
interface Budget {
  left: number
}

/**
 * Loads the associations in the criteria, with one query for each.
 *
 * @throws ShopError 400 when it is too much for one response
 */
export function loadAssociations(
  {entity, columns, rows}: Owners,
  associations: EntityCriteria['associations'],
  {db, includes, edition, budget = {left: ANSWER.loaded}}: Loading,
): Promise<Loaded[]> {
  const wanted = entity.associations.filter(
    ({name, isShownEmpty}) => !isShownEmpty && Object.hasOwn(associations, name),
  )
  return Promise.all(
    wanted.map(association => {
      const criteria = associations[association.name] as EntityCriteria
      const keys = listKeys(rows, columns.indexOf(association.column))
      return load({from: entity, association}, keys, criteria, {db, includes, edition, budget})
    }),
  )
}

async function load(
  {from, association}: {readonly from: Entity; readonly association: Association},
  keys: readonly string[],
  criteria: EntityCriteria,
  loading: Loading & {readonly budget: Budget},
): Promise<Loaded> {
  await yieldToEventLoop()
  const {db, includes, edition, budget} = loading
  const entity = findModel(from).get(association.target)
  const {associations, fields} = criteria
  const shown = selectMembers(fields, includes?.[entity.name])
  const columns = listPageColumns(entity, {includes: shown, associations})
  const search = {entity, criteria, scored: buildTermFilters(criteria, entity, edition)}
  const {rows} = await searchRelated(db, search, {association, keys, most: budget.left}, columns)
  budget.left -= rows.length
  if (budget.left < 0) throw createTooManyLoadedError(association.name)
  const nested = await loadAssociations({entity, columns, rows}, associations, loading)
  return {association, entity, columns, fields, byOwner: groupByOwner(rows, columns.length), nested}
}

function createTooManyLoadedError(name: string): ShopError {
  const detail = `The associations load more than ${ANSWER.loaded} entities at "${name}"; limit or filter them.`
  return createHttpError(400, detail)
}

function listKeys(rows: readonly PageRow[], column: number): string[] {
  return [...new Set(rows.map(row => row[column] as string | null))].filter(key => key !== null)
}

function groupByOwner(rows: readonly PageRow[], ownerAt: number): Map<unknown, PageRow[]> {
  const byOwner = new Map<unknown, PageRow[]>()
  for (const row of rows) {
    const known = byOwner.get(row[ownerAt])
    if (known) known.push(row)
    else byOwner.set(row[ownerAt], [row])
  }
  return byOwner
}

/** How many entities of a kind a response shows. */
interface Shown {
  readonly entity: Entity
  readonly count: number
}

function listShown({entity, byOwner, nested}: Loaded): Shown[] {
  return [{entity, count: byOwner.size}, ...nested.flatMap(listShown)]
}

/**
 * Refuses `includes` without a list for an entity in the response.
 *
 * @throws ShopError 500
 */
export function requireListedIncludes(
  {unlisted}: EntityCriteria,
  entity: Entity,
  rows: readonly PageRow[],
  loaded: readonly Loaded[],
): void {
  if (!unlisted) return
  const shown = [{entity, count: rows.length}, ...loaded.flatMap(listShown)]
  const wrong = shown.find(({entity: {name}, count}) => count > 0 && Object.hasOwn(unlisted, name))
  if (wrong) throw createIncludesError(unlisted[wrong.entity.name])
}
