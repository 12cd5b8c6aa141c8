import type {Entity, Field} from '../../../shopware/entity.js'
import type {JsonForm} from './encoders.js'
import {buildFieldPiece} from './field-pieces.js'
import {
  compileTemplate,
  joinMembers,
  type PageRow,
  type PageRowWriter,
  type TemplatePiece,
} from './row-template.js'

/** Writers of loaded associations, by their owner's row. */
type LoadedAssociations = Readonly<Record<string, (row: PageRow) => string>>

interface PlainOptions {
  /** Columns of the rows, in order. */
  columns: readonly string[]
  /** Whether the row was found by a search, and not just loaded with another. */
  isFound: boolean
  /** Whether it was read together with its owner. */
  isJoined?: boolean
  /** Whether foreign keys of extensions are shown. Default true. */
  showsForeignKeys?: boolean
  /** Whether the score follows the last column. */
  hasScore: boolean
  loaded: LoadedAssociations
  /** Members to keep; `undefined` for all. @see protocol.md §6.6, `includes` */
  includes: readonly string[] | undefined
  /** Escaping of values; entities in the aggregations of JSON:API have this layout as well. Default `plain`. */
  form?: JsonForm
}

/**
 * Writes an entity as `application/json`.
 *
 * @see protocol.md §6.6, §7.3
 */
export function createPlainWriter(entity: Entity, options: PlainOptions): PageRowWriter {
  const {includes, isFound} = options
  const byName = new Map(entity.fields.map(field => [field.name, field]))
  const buildValue = (name: string): TemplatePiece => {
    const field = byName.get(name)
    return field ? buildFieldPiece(entity, field, options) : (options.loaded[name] ?? 'null')
  }
  const all: [string, ...TemplatePiece[]][] = [
    ...((options.showsForeignKeys ?? true) || isFound
      ? [['extensions', ...buildExtensions(entity, options)] as [string, ...TemplatePiece[]]]
      : []),
    ['_uniqueIdentifier', buildValue('id')],
    ['versionId', byName.has('versionId') ? buildValue('versionId') : 'null'],
    ['translated', ...buildTranslations(entity, options)],
    ['createdAt', buildValue('createdAt')],
    ['updatedAt', buildValue('updatedAt')],
    ...entity.plainOrder.map((name): [string, TemplatePiece] => [name, buildValue(name)]),
    ...(byName.has('customFields')
      ? [['customFields', buildValue('customFields')] as [string, TemplatePiece]]
      : []),
    ['id', buildValue('id')],
  ]
  const kept = includes ? all.filter(([name]) => includes.includes(name)) : all
  return compileTemplate(joinMembers([...kept, ['apiAlias', `"${entity.name}"`]]))
}

function buildExtensions(entity: Entity, options: PlainOptions): TemplatePiece[] {
  const {columns, isFound, isJoined, hasScore} = options
  const foreignKeys = `{"extensions":[],"apiAlias":"${entity.name}_foreign_keys_extension"}`
  if (isJoined)
    return joinMembers([
      ['foreignKeys', foreignKeys],
      ['internal_mapping_storage', '{"extensions":[],"apiAlias":null}'],
    ])
  if (!isFound) return joinMembers([['foreignKeys', foreignKeys]])
  const info = entity.searchInfo.map((name): [string, TemplatePiece] => {
    const field = entity.fields.find(one => one.name === name) as Field
    return [name, buildFieldPiece(entity, field, options)]
  })
  const score: [string, TemplatePiece][] = hasScore ? [['_score', row => `"${row[columns.length]}"`]] : []
  const showsKeys = options.showsForeignKeys ?? true
  const search = joinMembers([
    ['extensions', '[]'],
    ...(showsKeys ? [['_uniqueIdentifier', 'null'] as const] : []),
    ['translated', '[]'],
    ...info,
    ...score,
  ])
  const keys = showsKeys ? [['foreignKeys', foreignKeys] as const] : []
  return joinMembers([...keys, ['search', ...search]])
}

/** The translated values again; a translation has custom fields of its own. */
function buildTranslations(entity: Entity, options: PlainOptions): TemplatePiece[] {
  const {fields} = entity
  const names = fields.filter(field => field.translated)
  if (names.length === 0) return ['[]']
  const own = fields.filter(field => field.translated || field.kind === 'custom-fields')
  return joinMembers(
    own.map((field): [string, TemplatePiece] => [field.name, buildFieldPiece(entity, field, options)]),
  )
}

/** Members that even a partly shown entity has. */
const ALWAYS = ['extensions', '_uniqueIdentifier', 'translated', 'id']

/**
 * The members of an entity in a response: those in `fields`, restricted to `includes`.
 *
 * @returns `undefined` for all of them
 * @see protocol.md §6.6
 */
export function selectMembers(
  fields: readonly string[] | undefined,
  includes: readonly string[] | undefined,
): readonly string[] | undefined {
  if (!fields) return includes
  const kept = [...ALWAYS, ...fields]
  return includes ? kept.filter(name => includes.includes(name)) : kept
}
