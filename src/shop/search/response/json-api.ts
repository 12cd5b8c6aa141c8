import type {Association, Entity, Field} from '../../model/entity.js'
import {escapeJsonApi} from '../../runtime/json-escape.js'
import {encoderFor} from './encoders.js'
import {members, type Piece, type Row, type RowWriter, template} from './row-template.js'

export interface JsonApiOptions {
  /** Columns of the rows, in their order. */
  columns: readonly string[]
  /** `http://127.0.0.1:8000/api` */
  apiUrl: string
  /** Resource identifiers of loaded associations, for the row that they hang on. */
  linkage: Readonly<Record<string, (row: Row) => string>>
  /** Members to keep, when the answer is to be smaller. @see protocol.md §6.6, `includes` */
  includes: readonly string[] | undefined
}

/**
 * Writes an entity as a resource of `application/vnd.api+json`.
 *
 * @see protocol.md §6.6, §7.4
 */
export function jsonApiWriter(entity: Entity, options: JsonApiOptions): RowWriter {
  const id = options.columns.indexOf('id')
  const idOf: Piece = row => `${row[id]}`
  const self = escapeJsonApi(JSON.stringify(`${options.apiUrl}/${hyphenated(entity.name)}/`).slice(1, -1))
  return template(
    members([
      ['id', '"', idOf, '"'],
      ['type', `"${entity.name}"`],
      ['attributes', ...attributes(entity, options)],
      ['links', ...members([['self', `"${self}`, idOf, '"']])],
      ['relationships', ...relationships(entity, options, self, idOf)],
      ['meta', 'null'],
    ]),
  )
}

/** `customer_address`, `defaultBillingAddress` → `customer-address`, `default-billing-address` */
export function hyphenated(name: string): string {
  return name.replaceAll('_', '-').replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
}

function attributes(entity: Entity, {columns, includes}: JsonApiOptions): Piece[] {
  const shown = entity.fields.filter(({hidden, name}) => !hidden && name !== 'id' && isKept(name, includes))
  return members([
    ...shown.map((field): [string, Piece] => [field.name, attribute(field, columns)]),
    ['apiAlias', `"${entity.name}_foreign_keys_extension"`],
  ])
}

function attribute(field: Field, columns: readonly string[]): Piece {
  if (field.constant !== undefined) return `"${field.constant}"`
  return {column: columns.indexOf(field.column), encode: encoderFor(field.kind, 'json-api')}
}

function relationships(
  entity: Entity,
  {linkage, includes}: JsonApiOptions,
  self: string,
  idOf: Piece,
): Piece[] {
  const shown = entity.associations.filter(({hidden, name}) => !hidden && isKept(name, includes))
  return members(
    shown.map(({name, kind}): [string, ...Piece[]] => {
      const related = members([['related', `"${self}`, idOf, `\\/${hyphenated(name)}"`]])
      return [
        name,
        ...members([
          ['data', linkage[name] ?? notLoaded(kind)],
          ['links', ...related],
        ]),
      ]
    }),
  )
}

function notLoaded(kind: Association['kind']): string {
  return kind === 'to-one' ? 'null' : '[]'
}

function isKept(name: string, includes: readonly string[] | undefined): boolean {
  return includes === undefined || includes.includes(name)
}
