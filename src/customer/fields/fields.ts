import {suggestNearest} from '../../language/nearest-word.js'
import type {Fields, FieldType, KnownField, MissingField} from '../../language/where/value.js'
import type {Association, Field} from '../../shopware/entity.js'

/** A field that a path leads to, and the associations crossed on the way, each with the entity it leads to. */
export interface FoundField extends KnownField {
  readonly crossed: readonly {readonly association: string; readonly entity: string}[]
  /** Name of the field on the last entity. */
  readonly name: string
}

/** As much of an entity as it takes to find fields; every entity of ours is one. */
export interface DescribedEntity {
  readonly name: string
  readonly fields: readonly (Pick<Field, 'name' | 'kind' | 'hidden'> & {
    readonly ranking?: {readonly points: number}
  })[]
  readonly associations: readonly Pick<Association, 'name' | 'target' | 'hidden'>[]
}

/** Finds fields by dotted path: `email`, `defaultBillingAddress.city`, `customFields.colour`. */
export interface FieldFinder extends Fields<FoundField> {
  /** Name of the entity that paths begin at. */
  readonly root: string
}

/**
 * Finds fields of an entity and of what is associated with it.
 *
 * @param named entities by name; a path into one that is not there may hold anything
 */
export function createFieldFinder(
  root: DescribedEntity,
  named: (name: string) => DescribedEntity | undefined,
): FieldFinder {
  const start = (path: string) => (path.startsWith(`${root.name}.`) ? root.name.length + 1 : 0)
  return {root: root.name, find: path => walk({entity: root, at: start(path), crossed: []}, path, named)}
}

interface Station {
  readonly entity: DescribedEntity
  readonly at: number
  readonly crossed: FoundField['crossed']
}

function walk(
  {entity, at, crossed}: Station,
  path: string,
  named: (name: string) => DescribedEntity | undefined,
): FoundField | MissingField {
  const [name = '', ...rest] = path.slice(at).split('.')
  const association = entity.associations.find(each => each.name === name && !each.hidden)
  if (association) {
    const beyond = {association: name, entity: association.target}
    const target = named(association.target)
    if (rest.length === 0) return {problem: joinPath(name, association.target, target), at}
    const next = at + name.length + 1
    if (!target) return {type: 'any', crossed: [...crossed, beyond], name: rest[0] as string}
    return walk({entity: target, at: next, crossed: [...crossed, beyond]}, path, named)
  }
  const field = entity.fields.find(each => each.name === name)
  if (field?.kind === 'custom-fields') return {type: 'any', crossed, name}
  const type = field && getFieldType(field)
  return type && rest.length === 0
    ? {type, crossed, name}
    : {problem: createMissingFieldError(entity, name, field), at}
}

/** What a field can be compared with, `undefined` for one that is never shown. */
export function getFieldType({kind, hidden}: Pick<Field, 'kind' | 'hidden'>): FieldType | undefined {
  if (hidden) return undefined
  switch (kind) {
    case 'int':
    case 'float':
      return 'number'
    case 'bool':
      return 'boolean'
    case 'date-time':
      return 'time'
    case 'json':
    case 'custom-fields':
      return 'any'
    default:
      return kind
  }
}

function joinPath(name: string, target: string, entity: DescribedEntity | undefined): string {
  const example = entity?.fields.find(({kind, hidden}) => kind === 'text' && !hidden)?.name ?? 'id'
  return `${name} is a ${formatEntityName(target)}; name a field of it, such as ${name}.${example}.`
}

function createMissingFieldError(
  {name: entity, fields, associations}: DescribedEntity,
  name: string,
  field: {readonly hidden: boolean} | undefined,
): string {
  if (field?.hidden) return `the shop never returns ${name}.`
  if (field) return `${name} has no fields of its own.`
  const shown = [...fields, ...associations].filter(({hidden}) => !hidden).map(each => each.name)
  return `unknown field "${name}" in a ${formatEntityName(entity)}.${suggestNearest(name, shown)} List fields: storectl customer fields`
}

function formatEntityName(entity: string): string {
  return entity.replaceAll('_', ' ')
}
