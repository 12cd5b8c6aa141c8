import type {Criteria} from '../model/criteria.js'
import type {Association, Entity} from '../model/entity.js'
import {aTurn} from '../runtime/event-loop.js'
import {ANSWER} from '../runtime/limits.js'
import type {Shop} from '../runtime/runtime.js'
import {httpError, type ShopError} from '../runtime/shop-error.js'
import {shownMembers} from './response/plain-json.js'
import type {Row} from './response/row-template.js'
import {scoredFiltersOf} from './term.js'

/** Things of one association, loaded with those that they hang on, and what is loaded with them in turn. */
export interface Loaded {
  association: Association
  entity: Entity
  columns: readonly string[]
  /** Members that were asked for, where not all of them are wanted. */
  fields: readonly string[] | undefined
  /** By the value that the owner has in the association's column, in the order asked for. */
  byOwner: ReadonlyMap<unknown, readonly Row[]>
  nested: readonly Loaded[]
}

/**
 * Loads what criteria ask for beside the rows themselves, one query for each association.
 *
 * @param includes members to keep, by alias
 * @throws ShopError 400 when all of it is more than one answer holds
 */
export function loadAssociations(
  shop: Shop,
  entity: Entity,
  columns: readonly string[],
  rows: readonly Row[],
  associations: Criteria['associations'],
  includes: Criteria['includes'],
  budget: Budget = {left: ANSWER.loaded},
): Promise<Loaded[]> {
  const wanted = entity.associations.filter(({name}) => Object.hasOwn(associations, name))
  return Promise.all(
    wanted.map(association => {
      const criteria = associations[association.name] as Criteria
      const keys = keysOf(rows, columns.indexOf(association.column))
      return load(shop, association, keys, criteria, includes, budget)
    }),
  )
}

async function load(
  shop: Shop,
  association: Association,
  keys: readonly string[],
  criteria: Criteria,
  includes: Criteria['includes'],
  budget: Budget,
): Promise<Loaded> {
  await aTurn()
  const {store, model} = shop
  const entity = model.get(association.target)
  const {associations, term, queries, fields} = criteria
  const shown = shownMembers(fields, includes?.[entity.name])
  const columns = store.entities.pageColumns(entity, {includes: shown, associations})
  const scored = [...(term === undefined ? [] : scoredFiltersOf(term, entity, model)), ...queries]
  const {rows} = await store.entities.searchRelated(
    store.db,
    model,
    association,
    keys,
    criteria,
    scored,
    columns,
    budget.left,
  )
  budget.left -= rows.length
  if (budget.left < 0) throw tooManyLoaded(association.name)
  const nested = await loadAssociations(shop, entity, columns, rows, associations, includes, budget)
  return {association, entity, columns, fields, byOwner: grouped(rows, columns.length), nested}
}

/** Things that may still be loaded for one answer. */
interface Budget {
  left: number
}

function tooManyLoaded(name: string): ShopError {
  const detail = `The associations come to more than ${ANSWER.loaded} things at "${name}"; limit or filter them.`
  return httpError(400, detail)
}

function keysOf(rows: readonly Row[], column: number): string[] {
  return [...new Set(rows.map(row => row[column] as string | null))].filter(key => key !== null)
}

function grouped(rows: readonly Row[], ownerAt: number): Map<unknown, Row[]> {
  const byOwner = new Map<unknown, Row[]>()
  for (const row of rows) {
    const known = byOwner.get(row[ownerAt])
    if (known) known.push(row)
    else byOwner.set(row[ownerAt], [row])
  }
  return byOwner
}
