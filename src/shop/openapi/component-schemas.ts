import type {Association, Entity, EntityModel, Field, FieldKind} from '../model/entity.js'

type Schema = Record<string, unknown>

const ID: Schema = {type: 'string', pattern: '^[0-9a-f]{32}$'}
const MOMENT: Schema = {type: 'string', format: 'date-time'}

const TYPES: Readonly<Record<FieldKind, Schema>> = {
  id: ID,
  text: {type: 'string'},
  int: {type: 'integer', format: 'int64'},
  float: {type: 'number', format: 'float'},
  bool: {type: 'boolean'},
  'date-time': MOMENT,
  date: MOMENT,
  'custom-fields': {type: 'object', additionalProperties: true},
  json: {type: ['object', 'array']},
  list: {type: 'array', items: {type: 'string'}},
}

/** `customer_address` → `CustomerAddress` */
export function convertToSchemaName(entity: string): string {
  return entity.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/**
 * A JSON schema of every entity as plain JSON shows it, by name.
 *
 * @see protocol.md §6.6
 */
export function buildComponentSchemas({entities}: EntityModel): Record<string, Schema> {
  return Object.fromEntries(
    entities.map(entity => [convertToSchemaName(entity.name), buildEntityComponent(entity)]),
  )
}

function buildEntityComponent(entity: Entity): Schema {
  const fields = entity.fields
    .filter(({hidden}) => !hidden)
    .map(field => [field.name, buildFieldSchema(field)])
  const associations = entity.associations
    .filter(({hidden}) => !hidden)
    .map(association => [association.name, buildAssociationSchema(association)])
  return {
    type: 'object',
    required: ['id'],
    properties: Object.fromEntries([
      ...fields,
      ...associations,
      ['apiAlias', {type: 'string', const: entity.name}],
    ]),
  }
}

/** What a field may hold; every field but the id may be empty. */
export function buildFieldSchema({name, kind}: Field): Schema {
  if (name === 'id') return ID
  const schema = TYPES[kind]
  return {...schema, type: [schema.type, 'null'].flat()}
}

function buildAssociationSchema({kind, target}: Association): Schema {
  const $ref = `#/components/schemas/${convertToSchemaName(target)}`
  const loaded = kind === 'to-one' ? {$ref} : {type: 'array', items: {$ref}}
  return {anyOf: [loaded, {type: 'null'}]}
}
