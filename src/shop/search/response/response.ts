import type {EntityCriteria} from '../../../shopware/criteria.js'
import type {Association, Entity} from '../../../shopware/entity.js'
import {ANSWER} from '../../runtime/limits.js'
import {createHttpError, type ShopError} from '../../runtime/shop-error.js'
import type {AsciiBytes} from './encoders.js'
import {createJsonApiWriter, type SharedByResources} from './json-api.js'
import {createPlainWriter, selectMembers} from './plain-json.js'
import type {PageRow, PageRowWriter} from './row-template.js'

/** Loaded entities of one association, with their owners and their own associations. */
export interface Loaded {
  association: Association
  entity: Entity
  columns: readonly string[]
  /** Requested members; `undefined` for all. */
  fields: readonly string[] | undefined
  /** By the owner's value in the association's column, in the requested order. */
  byOwner: ReadonlyMap<unknown, readonly PageRow[]>
  nested: readonly Loaded[]
}

/** Rows of one entity with their loaded associations. */
export interface Written {
  entity: Entity
  columns: readonly string[]
  rows: readonly PageRow[]
  loaded: readonly Loaded[]
  includes: EntityCriteria['includes']
  /** Requested members; `undefined` for all. */
  fields: readonly string[] | undefined
  /** Whether they were found by a search, and not only by id. */
  isFound: boolean
  /** Whether they were read together with their owner. */
  isJoined?: boolean
  /** As in the writer of plain JSON. */
  showsForeignKeys?: boolean
  hasScore: boolean
}

/** Adds the rows as plain JSON, separated by commas, with loaded associations nested. */
export function addPlainRows(out: AsciiBytes, written: Written, writers: PlainWriters): void {
  const write = writers.get(written)
  written.rows.forEach((row, index) => {
    out.add(index === 0 ? write(row) : `,${write(row)}`)
  })
}

/** Writers of plain JSON; those for whole entities without associations are built once. */
export class PlainWriters {
  readonly #kept = new Map<string, PageRowWriter>()

  get(written: Omit<Written, 'rows'>): PageRowWriter {
    const {entity, loaded, includes, fields, isFound, hasScore} = written
    if (loaded.length > 0 || includes || fields) return createPlainRowWriter(written)
    // A whole entity has all its columns, always in the same order.
    const key = `${entity.name} ${isFound} ${hasScore}`
    const known = this.#kept.get(key)
    if (known) return known
    const writer = createPlainRowWriter(written)
    this.#kept.set(key, writer)
    return writer
  }
}

/** How many nested entities may still be written; each counts as often as it is written. */
interface Budget {
  left: number
}

function createPlainRowWriter(
  written: Omit<Written, 'rows'>,
  budget: Budget = {left: ANSWER.written},
): PageRowWriter {
  const {entity, columns, loaded, includes, fields, isFound, isJoined, showsForeignKeys, hasScore} = written
  const members = loaded.map(
    one => [one.association.name, createPlainMember(one, columns, includes, budget)] as const,
  )
  return createPlainWriter(entity, {
    columns,
    isFound,
    ...(isJoined ? {isJoined} : {}),
    ...(showsForeignKeys === undefined ? {} : {showsForeignKeys}),
    hasScore,
    loaded: Object.fromEntries(members),
    includes: selectMembers(fields, includes?.[entity.name]),
  })
}

function createPlainMember(
  one: Loaded,
  ownerColumns: readonly string[],
  includes: EntityCriteria['includes'],
  budget: Budget,
): PageRowWriter {
  const {entity, columns, fields, nested, association} = one
  const isJoined = association.kind === 'to-one' && fields === undefined
  const own = {entity, columns, fields, loaded: nested, includes, isFound: false, isJoined, hasScore: false}
  const write = limitWrites(createPlainRowWriter(own, budget), budget)
  return createOwnedWriter(one, ownerColumns, write)
}

/** Writes a row's associated entities: a list, or a single one. */
function createOwnedWriter(
  {association, byOwner}: Loaded,
  ownerColumns: readonly string[],
  write: PageRowWriter,
): PageRowWriter {
  const key = ownerColumns.indexOf(association.column)
  if (association.kind !== 'to-one') return row => `[${(byOwner.get(row[key]) ?? []).map(write).join()}]`
  return row => {
    const [only] = byOwner.get(row[key]) ?? []
    return only ? write(only) : 'null'
  }
}

/** Limits entities that contain each other in a cycle. */
function limitWrites(write: PageRowWriter, budget: Budget): PageRowWriter {
  return row => {
    budget.left--
    if (budget.left < 0) throw createTooManyWrittenError()
    return write(row)
  }
}

function createTooManyWrittenError(): ShopError {
  const detail = `The response would contain more than ${ANSWER.written} nested entities; request fewer associations.`
  return createHttpError(400, detail)
}

/** Writes the rows as resources, separated by commas, and the resources loaded with them, each once. */
export function writeJsonApiRows(
  written: Written,
  answer: Omit<SharedByResources, 'included'>,
): {data: string; included: string} {
  const shared = {...answer, included: new Map<string, string>()}
  const data = written.rows.map(createJsonApiRowWriter(written, shared)).join()
  return {data, included: [...shared.included.values()].join()}
}

function createJsonApiRowWriter(
  written: Pick<Written, 'entity' | 'columns' | 'loaded' | 'includes' | 'fields'>,
  shared: SharedByResources,
  isIncluded = false,
): PageRowWriter {
  const {entity, columns, loaded, includes, fields} = written
  const linkage = loaded.map(
    one => [one.association.name, createLinkageWriter(one, columns, includes, shared)] as const,
  )
  return createJsonApiWriter(entity, {
    columns,
    shared,
    linkage: Object.fromEntries(linkage),
    includes: selectMembers(fields, includes?.[entity.name]),
    isIncluded,
  })
}

/** Writes the linkage, and adds the linked resources to `included`. */
function createLinkageWriter(
  one: Loaded,
  ownerColumns: readonly string[],
  includes: Written['includes'],
  shared: SharedByResources,
): PageRowWriter {
  const {entity, columns, fields, nested} = one
  const write = createJsonApiRowWriter({entity, columns, fields, loaded: nested, includes}, shared, true)
  const idAt = columns.indexOf('id')
  const link = (row: PageRow) => {
    const name = `${entity.name} ${row[idAt]}`
    if (!shared.included.has(name)) {
      shared.included.set(name, '')
      shared.included.set(name, write(row))
    }
    return `{"type":"${entity.name}","id":"${row[idAt]}"}`
  }
  return createOwnedWriter(one, ownerColumns, link)
}
