import type {Association, Entity, EntityModel, Field, FieldKind} from '../../shopware/entity.js'

type Schema = Record<string, unknown>

const ID: Schema = {type: 'string', pattern: '^[0-9a-f]{32}$'}
const MOMENT: Schema = {type: 'string', format: 'date-time'}

/** The schema of a value in plain JSON, and its type in `entity-schema.json`. */
const KINDS: Readonly<Record<FieldKind, {schema: Schema; form: string}>> = {
  id: {schema: ID, form: 'uuid'},
  text: {schema: {type: 'string'}, form: 'string'},
  int: {schema: {type: 'integer', format: 'int64'}, form: 'int'},
  float: {schema: {type: 'number', format: 'float'}, form: 'float'},
  bool: {schema: {type: 'boolean'}, form: 'boolean'},
  'date-time': {schema: MOMENT, form: 'date'},
  date: {schema: MOMENT, form: 'date'},
  'custom-fields': {schema: {type: 'object', additionalProperties: true}, form: 'json_object'},
  json: {schema: {type: ['object', 'array']}, form: 'json_object'},
  list: {schema: {type: 'array', items: {type: 'string'}}, form: 'json_list'},
}

/** `customer_address` → `CustomerAddress` */
export function convertToSchemaName(entity: string): string {
  return entity.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/**
 * JSON schemas of all entities in plain JSON, by name.
 *
 * @see protocol.md §6.6
 */
export function buildComponentSchemas({entities}: EntityModel): Record<string, Schema> {
  return Object.fromEntries(
    entities.map(entity => [convertToSchemaName(entity.name), buildEntityComponent(entity)]),
  )
}

function buildEntityComponent(entity: Entity): Schema {
  const properties = {
    ...listMembers(entity, buildFieldSchema, buildAssociationSchema),
    apiAlias: {type: 'string', const: entity.name},
  }
  return {type: 'object', required: ['id'], properties}
}

/** Schemas of the visible members, by name. */
function listMembers(
  {fields, associations}: Entity,
  sayField: (field: Field) => unknown,
  sayAssociation: (association: Association) => unknown,
): Record<string, unknown> {
  return Object.fromEntries([
    ...fields.filter(({hidden}) => !hidden).map(field => [field.name, sayField(field)]),
    ...associations
      .filter(one => !one.hidden || one.isShownEmpty)
      .map(one => [one.name, sayAssociation(one)]),
  ])
}

/** The schema of a field; every field except the id may be null. */
export function buildFieldSchema({name, kind}: Field): Schema {
  if (name === 'id') return ID
  const {schema} = KINDS[kind]
  return {...schema, type: [schema.type, 'null'].flat()}
}

function buildAssociationSchema({kind, target}: Association): Schema {
  const $ref = `#/components/schemas/${convertToSchemaName(target)}`
  const loaded = kind === 'to-one' ? {$ref} : {type: 'array', items: {$ref}}
  return {anyOf: [loaded, {type: 'null'}]}
}

const RELATIONS: Readonly<Record<Association['kind'], string>> = {
  'to-one': 'many_to_one',
  'to-many': 'one_to_many',
  'many-to-many': 'many_to_many',
}

/**
 * All entities with fields and associations, by name, for programs that build forms.
 *
 * @see protocol.md §1.7, `entity-schema.json`
 */
export function buildEntitySchema({entities}: EntityModel): Record<string, unknown> {
  return Object.fromEntries(
    entities.map(entity => {
      const properties = listMembers(entity, field => describeField(entity, field), describeAssociation)
      return [entity.name, {entity: entity.name, properties}]
    }),
  )
}

/** Whether every written row needs the field. */
function isRequired({writing}: Entity, {name}: Field): boolean {
  return name === 'id' || name === 'createdAt' || (writing?.required.includes(name) ?? false)
}

/** For fields that criteria cannot name. */
const RUNTIME = {runtime: true}

function describeField(entity: Entity, field: Field) {
  const {name, kind, translated, ranking, madeOf} = field
  return {
    type: KINDS[kind].form,
    flags: {
      ...(name === 'id' ? {primary_key: true} : {}),
      ...(isRequired(entity, field) ? {required: true} : {}),
      ...(translated ? {translatable: true} : {}),
      ...(madeOf ? RUNTIME : {}),
      ...(ranking ? {search_ranking: ranking.points} : {}),
    },
  }
}

function describeAssociation(association: Association) {
  const {kind, target, column, targetColumn, through, isShownEmpty} = association
  return {
    type: 'association',
    relation: RELATIONS[kind],
    entity: target,
    flags: isShownEmpty ? RUNTIME : {},
    ...(through
      ? {mapping: through.table, local: through.column, reference: through.targetColumn}
      : {localField: convertToCamelCase(column), referenceField: convertToCamelCase(targetColumn)}),
  }
}

function convertToCamelCase(column: string): string {
  return column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
