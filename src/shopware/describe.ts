import type {Association, Entity, Field, FieldKind, FieldWriteRules, Ranking} from './entity.js'
import {LIVE_VERSION_ID} from './ids.js'

interface FieldOptions {
  hidden?: boolean
  ranking?: Ranking
  indexed?: boolean
  unique?: boolean
  translated?: boolean
  constant?: string
  madeOf?: readonly string[]
}

/** `customerNumber` → `customer_number` */
function convertToSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}

function field(kind: FieldKind) {
  return (name: string, options: FieldOptions = {}): Field => ({
    name,
    kind,
    column: convertToSnakeCase(name),
    hidden: options.hidden ?? false,
    index: options.unique ? 'unique' : options.indexed ? 'plain' : 'none',
    translated: options.translated ?? false,
    ...(options.ranking ? {ranking: options.ranking} : {}),
    ...(options.constant ? {constant: options.constant} : {}),
    ...(options.madeOf ? {madeOf: options.madeOf} : {}),
  })
}

export const id = field('id')
export const text = field('text')
export const int = field('int')
export const float = field('float')
export const bool = field('bool')
export const dateTime = field('date-time')
export const date = field('date')
export const json = field('json')
export const list = field('list')
export const customFields = (options: FieldOptions = {}) => field('custom-fields')('customFields', options)

/** The version of a row, or of one that it points to: there are no drafts, so it is always the live one. */
export const version = (name = 'versionId') => id(name, {constant: LIVE_VERSION_ID})

/** When an entity was created and last changed; the last fields of every entity. */
export const timestamps = (): Field[] => [dateTime('createdAt'), dateTime('updatedAt')]

/** Score for `term`, for the whole term and for each of its words. */
export const ranked = (points: number): {ranking: Ranking} => ({ranking: {points, byWord: true}})

/** Score for `term`, for the whole term only. */
export const rankedWhole = (points: number): {ranking: Ranking} => ({ranking: {points, byWord: false}})

interface AssociationOptions {
  termWeight?: number
  hidden?: boolean
}

/** One entity on the other side, found by its id: `group` by `groupId`. @param field the field that holds the id */
export function toOne(
  name: string,
  target: string,
  fieldName = `${name}Id`,
  options: AssociationOptions = {},
): Association {
  return buildAssociation(
    {name, kind: 'to-one', target, column: convertToSnakeCase(fieldName), targetColumn: 'id'},
    options,
  )
}

/** At most one entity on the other side, which has our id. */
export function toOneThere(
  name: string,
  target: string,
  targetField: string,
  options: AssociationOptions = {},
): Association {
  return buildAssociation(
    {name, kind: 'to-one', target, column: 'id', targetColumn: convertToSnakeCase(targetField)},
    options,
  )
}

/** Many entities on the other side, each of which has our id. */
export function toMany(
  name: string,
  target: string,
  targetField: string,
  options: AssociationOptions = {},
): Association {
  return buildAssociation(
    {name, kind: 'to-many', target, column: 'id', targetColumn: convertToSnakeCase(targetField)},
    options,
  )
}

/** Many entities on both sides, joined by a table of pairs. */
export function manyToMany(
  name: string,
  target: string,
  through: NonNullable<Association['through']>,
  options: AssociationOptions = {},
): Association {
  return buildAssociation(
    {name, kind: 'many-to-many', target, column: 'id', targetColumn: 'id', through},
    options,
  )
}

function buildAssociation(plain: Omit<Association, 'hidden'>, options: AssociationOptions): Association {
  return {
    ...plain,
    hidden: options.hidden ?? false,
    ...(options.termWeight === undefined ? {} : {termWeight: options.termWeight}),
  }
}

interface EntityOptions {
  fields: Field[]
  associations?: Association[]
  /** Default: fields in their own order, then associations. */
  plainOrder?: string[]
  searchInfo?: string[]
  indexedCustomFields?: string[]
  versioned?: boolean
  searchedByParts?: boolean
  countedBy?: string[]
  /** Absent where the API cannot write the entity. */
  writing?: Partial<FieldWriteRules>
}

const AROUND = new Set(['id', 'createdAt', 'updatedAt', 'customFields', 'versionId'])

/** An entity with `id` as its first field and, unless it names them itself, timestamps as its last. */
export function entity(name: string, options: EntityOptions): Entity {
  const hasTimestamps = options.fields.some(({name}) => name === 'createdAt')
  const versioned = options.versioned ?? false
  const fields = [
    id('id'),
    ...(versioned ? [version()] : []),
    ...options.fields,
    ...(hasTimestamps ? [] : timestamps()),
  ]
  const associations = options.associations ?? []
  const named = [...fields, ...associations].filter(({hidden}) => !hidden).map(one => one.name)
  return {
    name,
    fields,
    associations,
    plainOrder: options.plainOrder ?? named.filter(one => !AROUND.has(one)),
    searchInfo: options.searchInfo ?? [],
    indexedCustomFields: options.indexedCustomFields ?? [],
    versioned,
    isSearchedByParts: options.searchedByParts ?? false,
    countedBy: options.countedBy ?? [],
    defaultOrder: fields.some(one => one.name === 'autoIncrement') ? 'auto_increment' : 'id',
    ...(options.writing ? {writing: defineWriting(options.writing)} : {}),
  }
}

const NOTHING: FieldWriteRules = {
  required: [],
  readOnly: [],
  onlyNew: [],
  longest: {},
  shortest: {},
  defaults: {},
  insteadOfNone: {},
  computed: {},
  idLists: {},
  owners: [],
  loose: [],
  emails: [],
  remoteAddresses: [],
  secrets: {},
}

/** Write rules; rules that are not given do not apply. Numbers that the database assigns are always read-only. */
function defineWriting(some: Partial<FieldWriteRules>): FieldWriteRules {
  const whole = {...NOTHING, ...some}
  const always = ['autoIncrement']
  const followed = [...Object.keys(whole.computed), ...Object.keys(whole.idLists)]
  return {...whole, readOnly: [...always, ...whole.readOnly, ...followed]}
}
