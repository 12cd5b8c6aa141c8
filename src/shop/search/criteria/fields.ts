import type {Entity} from '../../model/entity.js'
import {CRITERIA} from '../../runtime/limits.js'
import {typeError} from './errors.js'
import {asText, isArray, typeName} from './php-values.js'
import {tooMany} from './size.js'

type Written = Record<string, unknown>

/** What `fields` asks of one entity: its own members, and the associations that dotted names load with it. */
export interface WantedFields {
  /** `undefined` for all of them. */
  fields: readonly string[] | undefined
  associations: unknown
}

/**
 * Reads `fields`. A dotted name loads the association in front of the dot, with the rest of the name as its fields.
 * Names that lead nowhere are left out.
 *
 * @param associations what was sent under that name, which stays
 * @throws ShopError 500 when `fields` is no list, 400 when it is too long
 * @see protocol.md §6.2, §6.6
 */
export function readFields(fields: unknown, associations: unknown, entity: Entity): WantedFields {
  if (fields === undefined || fields === null) return {fields: undefined, associations}
  if (!isArray(fields)) throw typeError('Criteria fields', 'array', typeName(fields))
  const names = Object.values(fields).map(name => withoutPrefix(entity, asText(name)))
  if (names.length > CRITERIA.fields) throw tooMany('fields', names.length, CRITERIA.fields)
  if (names.length === 0) return {fields: undefined, associations}
  const loaded: Written = {...(isArray(associations) ? (associations as Written) : {})}
  for (const name of names) {
    const [first = '', ...rest] = name.split('.')
    const association = entity.associations.find(one => one.name === first)
    if (association && !association.hidden) loaded[first] = withField(loaded[first], rest.join('.'))
  }
  const own = names.map(name => name.split('.')[0] as string)
  return {fields: [...own, ...Object.keys(loaded)], associations: loaded}
}

/** The criteria of an association with one more field; without a field all of them. */
function withField(criteria: unknown, field: string): Written {
  const sent = (isArray(criteria) ? criteria : {}) as Written
  if (field === '') return sent
  const known = isArray(sent.fields) ? Object.values(sent.fields) : []
  return {...sent, fields: [...known, field]}
}

function withoutPrefix({name: prefix}: Entity, name: string): string {
  return name.startsWith(`${prefix}.`) ? name.slice(prefix.length + 1) : name
}
