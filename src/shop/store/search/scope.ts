import {type RawBuilder, sql} from 'kysely'
import {StorectlError} from '../../../errors.js'
import {type Accessor, findModel, resolveAccessor} from '../../../shopware/entities/entities.js'
import type {Association, Entity, Field} from '../../../shopware/entity.js'
import {isFolded, nameFoldedColumn} from '../schema/columns.js'
import {selectMember} from '../schema/sql.js'

/** A field of a row that a query has at hand. */
export interface FieldReference {
  field: Field
  /** The row that it is of. */
  alias: string
  /** What is compared: the folded column where there is one. */
  compared: RawBuilder<unknown>
  /** The value itself. */
  plain: RawBuilder<unknown>
}

/** A name that crosses to many things: its way to the first of them, and the rest of the name from there. */
export interface ToManyReference {
  /** Same text, same way: conditions on one and the same thing over there are those with one key. */
  pathKey: string
  /** The row on this side. */
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
 * The rows that conditions speak of: one of an entity, and beside it the one row of each to-one association that is
 * asked for. Joins are added as names need them.
 */
export class QueryScope {
  readonly #joins = new Map<string, {alias: string; clause: RawBuilder<unknown>}>()

  constructor(
    readonly entity: Entity,
    readonly alias: string,
    private readonly query: Query,
    /** Whether a row counts once for each of the many things that conditions cross to. */
    readonly isJoined = false,
  ) {}

  /** Where a name leads. Names have been checked before. */
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

  /**
   * Where a name leads in a condition. A scope whose rows are joined takes the rows over there for rows of its own, but
   * for those of which there is to be none.
   */
  findCompared(name: string, negated: boolean): FieldReference | ToManyReference {
    return this.isJoined && !negated ? this.findJoined(name) : this.find(name)
  }

  /** Where a name leads when a row counts once for each of the many things that it crosses to. */
  findJoined(name: string): FieldReference {
    const accessor = resolveAccessor(this.entity, name)
    if ('unmapped' in accessor) throw new Error(`${name} was not checked`)
    const alias = accessor.steps.reduce((from, step) => this.#findJoin(from, step), this.alias)
    return createFieldReference(alias, accessor)
  }

  /** `from … left join …`, for the joins that were asked for so far. */
  get from(): RawBuilder<unknown> {
    const clauses = [...this.#joins.values()].map(({clause}) => clause)
    return sql`${sql.table(this.entity.name)} as ${sql.ref(this.alias)} ${sql.join(clauses, sql` `)}`
  }

  /**
   * The rows over there of one row on this side, as a query of its own to be put in parentheses.
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

/** What the rows of a scope of its own are called. */
export const ROOT = 'r'

/**
 * Looks at many things in one query. SQLite opens a cursor for each, anew for each row, and goes through all that are
 * open: a thousand of them take seconds for a few hundred rows.
 */
const MAX_LOOKUPS = 250

/** A scope of its own, with names for its tables that nobody else has. */
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
    `The query is too large: more than ${MAX_LOOKUPS} conditions on many things.`,
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
