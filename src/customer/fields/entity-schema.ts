import {isObject} from '../../language/json-object.js'
import {customer as builtIn} from '../../shop/model/entities/customer.js'
import {ENTITIES} from '../../shop/model/entities/entities.js'
import type {FieldKind} from '../../shop/model/entity.js'
import type {DescribedEntity} from './fields.js'

/** Of each type that a shop's schema names, the kind of field; what is not listed may hold anything. */
const KINDS: Readonly<Record<string, FieldKind>> = {
  uuid: 'id',
  string: 'text',
  text: 'text',
  int: 'int',
  float: 'float',
  boolean: 'bool',
  date: 'date-time',
  json_list: 'list',
  json_object: 'json',
}

/** Entities by name, as a shop describes them. */
export type ShopEntities = ReadonlyMap<string, DescribedEntity>

/**
 * The entities of a shop's `entity-schema.json`.
 *
 * The schema calls days and times alike `date`; the fields that our own description knows as days are days.
 *
 * @returns `undefined` for what is none, or has no customers
 * @see protocol.md §1.7
 */
export function parseEntitySchema(schema: unknown): ShopEntities | undefined {
  if (!isObject(schema)) return undefined
  const entities = new Map<string, DescribedEntity>()
  for (const [name, described] of Object.entries(schema)) {
    if (isObject(described) && isObject(described.properties))
      entities.set(name, parseEntity(name, described.properties))
  }
  return entities.has(builtIn.name) ? entities : undefined
}

function parseEntity(name: string, properties: Record<string, unknown>): DescribedEntity {
  const known = ENTITIES.find(entity => entity.name === name)
  const fields: DescribedEntity['fields'][number][] = []
  const associations: DescribedEntity['associations'][number][] = []
  for (const [property, of] of Object.entries(properties)) {
    if (!isObject(of)) continue
    if (of.type === 'association') {
      associations.push({name: property, target: String(of.entity ?? ''), hidden: false})
      continue
    }
    const ours = known?.fields.find(field => field.name === property)?.kind
    const points = isObject(of.flags) ? of.flags.search_ranking : undefined
    fields.push({
      name: property,
      kind: mapFieldKind(property, String(of.type), ours),
      hidden: of.type === 'password',
      ...(typeof points === 'number' && {ranking: {points}}),
    })
  }
  return {name, fields, associations}
}

function mapFieldKind(name: string, type: string, ours: FieldKind | undefined): FieldKind {
  if (name === 'customFields') return 'custom-fields'
  if (type === 'date' && ours === 'date') return 'date'
  return KINDS[type] ?? 'json'
}

/** What is kept of them between two commands. */
export function serializeEntities(entities: ShopEntities): unknown[] {
  return [...entities.values()]
}

/** What was kept, `undefined` for anything else. */
export function parseStoredEntities(stored: unknown): ShopEntities | undefined {
  if (!Array.isArray(stored)) return undefined
  const isEntity = (each: unknown): each is DescribedEntity =>
    isObject(each) && typeof each.name === 'string' && isList(each.fields) && isList(each.associations)
  const entities = new Map(stored.filter(isEntity).map(entity => [entity.name, entity]))
  return entities.has(builtIn.name) ? entities : undefined
}

function isList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isObject)
}
