import {type RawBuilder, sql} from 'kysely'
import {StorectlError} from '../../../errors.js'
import {type Accessor, findModel, resolveAccessor} from '../../../shopware/entities/entities.js'
import type {Association, Entity, Field} from '../../../shopware/entity.js'
import {isFolded, nameFoldedColumn} from '../schema/columns.js'
import {selectMember} from '../schema/sql.js'

/** A field of a row in a query. */
export interface FieldReference {
  field: Field
  /** Alias of its row. */
  alias: string
  /** For comparisons: the folded column where there is one. */
  compared: RawBuilder<unknown>
  /** The value itself. */
  plain: RawBuilder<unknown>
}

/** A name that crosses a to-many association: the path to it, and the rest of the name. */
export interface ToManyReference {
  /** Conditions with the same key are about the same associated row. */
  pathKey: string
  /** Alias of the row on this side. */
  alias: string
  association: Association
  rest: string
}

/** The query that scopes are part of. */
interface Query {
  readonly nextAlias: () => string
  readonly countLookup: () => void
}

/**
 * The rows for conditions: one of an entity, and the row of each to-one association that is used. Joins are added on
 * demand.
 */
export class QueryScope {
  readonly #joins = new Map<string, {alias: string; clause: RawBuilder<unknown>}>()

  constructor(
    readonly entity: Entity,
    readonly alias: string,
    private readonly query: Query,
    /** Whether a row counts once for each of the many rows that conditions join. */
    readonly isJoined = false,
  ) {}

  /** Resolves a name, which must be valid. */
  find(name: string): FieldReference | ToManyReference {
    const accessor = resolveAccessor(this.entity, name)
    if ('unmapped' in accessor) throw new Error(`${name} was not checked`)
    let {alias} = this
    for (const [index, step] of accessor.steps.entries()) {
      if (step.kind !== 'to-one') {
        const names = [
          ...accessor.steps.slice(index + 1).map(one => one.name),
          accessor.field.name,
          ...accessor.path,
        ]
        return {pathKey: `${alias}.${step.name}`, alias, association: step, rest: names.join('.')}
      }
      alias = this.#findJoin(alias, step)
    }
    return createFieldReference(alias, accessor)
  }

  /** Resolves a name in a condition. A joined scope treats associated rows as its own, except in negated conditions. */
  findCompared(name: string, negated: boolean): FieldReference | ToManyReference {
    return this.isJoined && !negated ? this.findJoined(name) : this.find(name)
  }

  /** Resolves a name where a row counts once for each joined row. */
  findJoined(name: string): FieldReference {
    const accessor = resolveAccessor(this.entity, name)
    if ('unmapped' in accessor) throw new Error(`${name} was not checked`)
    const alias = accessor.steps.reduce((from, step) => this.#findJoin(from, step), this.alias)
    return createFieldReference(alias, accessor)
  }

  /** `from … left join …`, with the joins so far. */
  get from(): RawBuilder<unknown> {
    const clauses = [...this.#joins.values()].map(({clause}) => clause)
    return sql`${sql.table(this.entity.name)} as ${sql.ref(this.alias)} ${sql.join(clauses, sql` `)}`
  }

  /**
   * The associated rows of a row, as a subquery.
   *
   * @throws StorectlError `usage.query_too_large` beyond 250 of them in one query
   */
  enter({alias, association}: ToManyReference): {scope: QueryScope; belongs: RawBuilder<boolean>} {
    this.query.countLookup()
    const target = findModel(this.entity).get(association.target)
    const scope = new QueryScope(target, this.query.nextAlias(), this.query)
    const here = sql.ref(`${alias}.${association.column}`)
    const {through} = association
    if (!through) {
      return {
        scope,
        belongs: sql<boolean>`${sql.ref(`${scope.alias}.${association.targetColumn}`)} = ${here}`,
      }
    }
    const pairs = sql`select ${sql.ref(through.targetColumn)} from ${sql.table(through.table)}
      where ${sql.ref(through.column)} = ${here}`
    return {
      scope,
      belongs: sql<boolean>`${sql.ref(`${scope.alias}.${association.targetColumn}`)} in (${pairs})`,
    }
  }

  #findJoin(from: string, association: Association): string {
    const key = `${from}.${association.name}`
    const known = this.#joins.get(key)
    if (known) return known.alias
    const alias = this.query.nextAlias()
    const here = sql.ref(`${from}.${association.column}`)
    const there = sql.ref(`${alias}.${association.targetColumn}`)
    const target = sql`left join ${sql.table(association.target)} as ${sql.ref(alias)}`
    const clause = association.through
      ? sql`${this.#joinPairs(association.through, `${alias}p`, here)}
        ${target} on ${there} = ${sql.ref(`${alias}p.${association.through.targetColumn}`)}`
      : sql`${target} on ${there} = ${here}`
    this.#joins.set(key, {alias, clause})
    return alias
  }

  #joinPairs(
    {table, column}: NonNullable<Association['through']>,
    alias: string,
    here: RawBuilder<unknown>,
  ): RawBuilder<unknown> {
    return sql`left join ${sql.table(table)} as ${sql.ref(alias)} on ${sql.ref(`${alias}.${column}`)} = ${here}`
  }
}

export function isToMany(reference: FieldReference | ToManyReference): reference is ToManyReference {
  return 'association' in reference
}

/** Alias of a root scope's rows. */
export const ROOT = 'r'

/**
 * Most subqueries on to-many associations in one query. SQLite opens a cursor for each, again for each row, and
 * iterates over all open ones: a thousand take seconds for a few hundred rows.
 */
const MAX_LOOKUPS = 250

/** A new scope, with unique aliases for its tables. */
export function createRootScope(entity: Entity, isJoined = false): QueryScope {
  let aliases = 0
  let lookups = 0
  const countLookup = () => {
    if (++lookups > MAX_LOOKUPS) throw createTooManyLookupsError()
  }
  return new QueryScope(entity, ROOT, {nextAlias: () => `j${++aliases}`, countLookup}, isJoined)
}

function createTooManyLookupsError(): StorectlError {
  return new StorectlError(
    'usage.query_too_large',
    `The query is too large: more than ${MAX_LOOKUPS} conditions on to-many associations.`,
  )
}

function createFieldReference(alias: string, {field, path, isBeyond}: Accessor): FieldReference {
  if (isBeyond) {
    const nothing = sql`cast(null as text)`
    return {field, alias, compared: nothing, plain: nothing}
  }
  if (field.constant !== undefined) {
    const constant = sql`cast(${field.constant} as text)`
    return {field, alias, compared: constant, plain: constant}
  }
  const plain = sql.ref(`${alias}.${field.column}`)
  if (!isFolded(field)) return {field, alias, compared: plain, plain}
  const folded = sql.ref(`${alias}.${nameFoldedColumn(field.column)}`)
  if (field.kind !== 'custom-fields' || path.length === 0) return {field, alias, compared: folded, plain}
  return {field, alias, compared: selectMember(folded, path), plain: selectMember(plain, path)}
}
