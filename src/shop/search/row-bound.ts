import {type EntityCriteria, type EntityFilter, planOf} from '../../shopware/criteria.js'
import {ENTITY_MODEL, findModel, resolveAccessor} from '../../shopware/entities/entities.js'
import type {Association, Entity} from '../../shopware/entity.js'
import {STATEMENT} from '../runtime/limits.js'
import {createHttpError, type ShopError} from '../runtime/shop-error.js'
import type {ShopDatabase} from '../store/schema/schema.js'
import {TableSizes} from '../store/search/table-sizes.js'
import {SCORE} from './criteria/used-fields.js'

/** Names whose paths a statement follows for each row: `joined` ones multiply each other. */
interface Crossing {
  readonly names: readonly string[]
  readonly joined: boolean
}

/**
 * Refuses criteria whose paths multiply to more rows than one statement may read, by the sizes of the tables: such a
 * statement would block this process. A few indexed paths with one to-many step pass without counting the tables,
 * because they read each row once.
 *
 * @throws ShopError 400 with the path
 */
export async function requireBoundedRows(
  db: ShopDatabase,
  entity: Entity,
  criteria: EntityCriteria,
  sizes = new TableSizes(db),
): Promise<void> {
  if (entity.isRowless) return
  for (const crossings of listMultiplying(entity, criteria))
    await requireBoundedStatement(entity, criteria, crossings, sizes)
  for (const {target, nested} of listNested(entity, criteria))
    await requireBoundedRows(db, target, nested, sizes)
}

/** Whether `requireBoundedRows` depends on the sizes of the tables. */
export function dependsOnTableSizes(entity: Entity, criteria: EntityCriteria): boolean {
  return (
    listMultiplying(entity, criteria).length > 0 ||
    listNested(entity, criteria).some(({target, nested}) => dependsOnTableSizes(target, nested))
  )
}

function listNested(entity: Entity, {associations}: EntityCriteria) {
  return Object.entries(associations).flatMap(([name, nested]) => {
    const target = entity.associations.find(one => one.name === name)?.target
    return target === undefined ? [] : [{target: findModel(entity).get(target), nested}]
  })
}

/** The paths of each statement that may multiply. */
function listMultiplying(entity: Entity, criteria: EntityCriteria): Crossing[][] {
  return listStatements(criteria).flatMap(statement => {
    const crossings = statement.filter(({names}) =>
      names.some(name => listSteps(entity, name).some(leadsToMany)),
    )
    const isFree = crossings.length <= STATEMENT.rowsForEach
    return isFree && crossings.every(({names}) => isLinear(entity, names)) ? [] : [crossings]
  })
}

/** The paths of the page, its count, and each aggregation. */
function listStatements(criteria: EntityCriteria) {
  const {filters, postFilters, queries, sorting, grouping, aggregations} = criteria
  const found = [...filters, ...postFilters]
  const page = [
    ...(criteria.limit === 1 ? listJoinedCrossings(found) : listFilterCrossings(found)),
    ...queries.flatMap(({filter}) => listFilterCrossings([filter])),
    ...sorting.filter(({field}) => field !== SCORE).map(({field}) => lookUp([field])),
    ...(grouping.length > 0 ? [{names: grouping, joined: true}] : []),
  ]
  const aggregated = aggregations.map(planOf).map(({filters: own, levels, leaf}): Crossing[] => {
    const names = levels.flatMap(({field, sorting: order}) => (order ? [field, order.field] : [field]))
    const joined = {names: leaf ? [...names, leaf.field] : names, joined: true}
    return [...listJoinedCrossings([...filters, ...own]), joined]
  })
  return [page, ...aggregated]
}

const lookUp = (names: readonly string[]): Crossing => ({names, joined: false})

/** Conditions of one group with the same path share one lookup. */
function listFilterCrossings(filters: readonly EntityFilter[]): Crossing[] {
  const leaves = filters.flatMap(filter => ('field' in filter ? [filter.field] : []))
  const ways = new Map(leaves.map(name => [name.slice(0, name.lastIndexOf('.') + 1), name]))
  const groups = filters.flatMap(filter => ('field' in filter ? [] : [filter.filters]))
  return [...[...ways.values()].map(name => lookUp([name])), ...groups.flatMap(listFilterCrossings)]
}

/** Conditions that are not negated are joined, and those with other paths multiply each other. */
function listJoinedCrossings(filters: readonly EntityFilter[]): Crossing[] {
  const joined = filters.flatMap(listJoinedFields)
  return [...(joined.length > 0 ? [{names: joined, joined: true}] : []), ...listFilterCrossings(filters)]
}

function listJoinedFields(filter: EntityFilter): string[] {
  if ('field' in filter) return [filter.field]
  return filter.type === 'not' ? [] : filter.filters.flatMap(listJoinedFields)
}

function listSteps(entity: Entity, name: string): readonly Association[] {
  const accessor = resolveAccessor(entity, name)
  return 'steps' in accessor ? accessor.steps : []
}

/** Whether names read each row of each table once. */
function isLinear(entity: Entity, names: readonly string[]): boolean {
  const many = names.map(name => listSteps(entity, name)).filter(steps => steps.some(leadsToMany))
  const ways = new Set(many.map(steps => steps[0]))
  return (
    ways.size <= 1 && many.every(([first, ...rest]) => first && isIndexed(first) && !rest.some(leadsToMany))
  )
}

/** Whether a step uses a key of the other side that many rows may share; one by id costs nothing. */
function leadsToMany({kind, targetColumn}: Association): boolean {
  return kind !== 'to-one' || targetColumn !== 'id'
}

/** Whether it leads to many rows that belong to one owner each. */
function leadsToOwn(step: Association): boolean {
  return leadsToMany(step) && !step.through
}

/** Whether an index finds the associated rows. */
function isIndexed({target, targetColumn, through}: Association): boolean {
  if (through || targetColumn === 'id') return true
  return ENTITY_MODEL.get(target).fields.some(
    ({column, index}) => column === targetColumn && index !== 'none',
  )
}

async function requireBoundedStatement(
  entity: Entity,
  {ids}: EntityCriteria,
  crossings: readonly Crossing[],
  sizes: TableSizes,
): Promise<void> {
  const all = await sizes.count(entity.name)
  const most = Math.max(STATEMENT.rows, all * STATEMENT.rowsForEach)
  let looked = 0
  for (const {names, joined} of crossings) {
    let rows = Math.min(all, ids?.length ?? all)
    const gone = new Set<string>()
    for (const name of names) {
      const way = {rows: joined ? rows : Math.min(all, ids?.length ?? all), left: most - looked, gone, joined}
      const cost = await estimateRows(entity, listSteps(entity, name), way, sizes)
      looked += cost.looked
      rows = cost.rows
      if (looked > most) throw createTooManyRowsError(name, looked, most)
    }
  }
}

/** A path from the rows of one table, in one statement. */
interface Way {
  readonly rows: number
  /** Rows that may still be read. */
  readonly left: number
  /** Paths that are already joined, which do not multiply again. */
  readonly gone: Set<string>
  readonly joined: boolean
}

/** Estimates how many rows a path ends with, and how many it reads; stops when those are too many. */
async function estimateRows(
  entity: Entity,
  steps: readonly Association[],
  {rows: start, left, gone, joined}: Way,
  sizes: TableSizes,
): Promise<{rows: number; looked: number}> {
  const scan = async (step: Association, rows: number) =>
    joined || isIndexed(step) ? 0 : rows * (await sizes.count(step.target))
  let rows = start
  let looked = 0
  let from = entity.name
  // Whether every row is reached at most once; otherwise those with many links are reached more often.
  let isOnce = true
  let key = ''
  for (const step of steps) {
    key += `.${step.name}`
    if (leadsToMany(step) && !gone.has(key)) {
      const scanned = await scan(step, rows)
      if (looked + scanned > left) return {rows, looked: looked + scanned}
      const average = await (isOnce ? sizes.average(from, step) : sizes.averageMet(step))
      rows *= Math.max(1, average)
      looked += Math.max(scanned, rows)
      if (looked > left) break
    }
    if (joined) gone.add(key)
    isOnce &&= leadsToOwn(step)
    from = step.target
  }
  return {rows, looked}
}

function createTooManyRowsError(name: string, rows: number, most: number): ShopError {
  const about = rows.toExponential(0).replace('e+', 'e')
  const detail = `The criteria multiply to about ${about} rows at "${name}"; the maximum is ${most}.`
  return createHttpError(400, detail)
}
