import type {Association, Entity, EntityModel, Field, FieldKind} from '../model/entity.js'

const TYPES: Readonly<Record<FieldKind, string>> = {
  id: 'uuid',
  text: 'string',
  int: 'int',
  float: 'float',
  bool: 'boolean',
  'date-time': 'date',
  date: 'date',
  'custom-fields': 'json_object',
  json: 'json_object',
  list: 'json_list',
}

const RELATIONS: Readonly<Record<Association['kind'], string>> = {
  'to-one': 'many_to_one',
  'to-many': 'one_to_many',
  'many-to-many': 'many_to_many',
}

/**
 * Every entity with its fields and associations, by name, as programs that build forms want it.
 *
 * @see protocol.md §1.7, `entity-schema.json`
 */
export function buildEntitySchema({entities}: EntityModel): Record<string, unknown> {
  return Object.fromEntries(
    entities.map(entity => [entity.name, {entity: entity.name, properties: buildProperties(entity)}]),
  )
}

function buildProperties(entity: Entity): Record<string, unknown> {
  const fields = entity.fields.filter(({hidden}) => !hidden).map(field => [field.name, describeField(field)])
  const associations = entity.associations
    .filter(({hidden}) => !hidden)
    .map(association => [association.name, describeAssociation(association)])
  return Object.fromEntries([...fields, ...associations])
}

function describeField({name, kind, translated, ranking}: Field) {
  return {
    type: TYPES[kind],
    flags: {
      ...(name === 'id' ? {primary_key: true, required: true} : {}),
      ...(translated ? {translatable: true} : {}),
      ...(ranking ? {search_ranking: ranking.points} : {}),
    },
  }
}

function describeAssociation({kind, target, column, targetColumn, through}: Association) {
  return {
    type: 'association',
    relation: RELATIONS[kind],
    entity: target,
    flags: {},
    ...(through
      ? {mapping: through.table, local: through.column, reference: through.targetColumn}
      : {localField: convertToCamelCase(column), referenceField: convertToCamelCase(targetColumn)}),
  }
}

function convertToCamelCase(column: string): string {
  return column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
