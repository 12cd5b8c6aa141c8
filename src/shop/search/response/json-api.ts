import type {Association, Entity, Field} from '../../model/entity.js'
import {escapeJsonApi} from '../../runtime/json-escape.js'
import {getEncoder} from './encoders.js'
import {
  compileTemplate,
  joinMembers,
  type PageRow,
  type PageRowWriter,
  type TemplatePiece,
} from './row-template.js'

export interface JsonApiOptions {
  /** Columns of the rows, in their order. */
  columns: readonly string[]
  /** `http://127.0.0.1:8000/api` */
  apiUrl: string
  /** Resource identifiers of loaded associations, for the row that they hang on. */
  linkage: Readonly<Record<string, (row: PageRow) => string>>
  /** Members to keep, when the answer is to be smaller. @see protocol.md §6.6, `includes` */
  includes: readonly string[] | undefined
  /** Resources that come along, each once, by type and id; added to. */
  included: Map<string, string>
}

const TOKENS = {paypalVaultTokens: '[]', paypalVaultTokenMappings: '[]'}

/**
 * Associations that the payment plugin adds to entities, with what they link to: this shop has neither saved payment
 * tokens nor tills.
 *
 * @see real-shop S14
 */
const EXTENSIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  customer: TOKENS,
  payment_method: TOKENS,
  sales_channel: {paypalPosSalesChannel: 'null'},
}

/**
 * Writes an entity as a resource of `application/vnd.api+json`.
 *
 * @see protocol.md §6.6, §7.4
 */
export function createJsonApiWriter(entity: Entity, options: JsonApiOptions): PageRowWriter {
  const id = options.columns.indexOf('id')
  const writeId: TemplatePiece = row => `${row[id]}`
  const self = escapeJsonApi(
    JSON.stringify(`${options.apiUrl}/${convertToHyphens(entity.name)}/`).slice(1, -1),
  )
  return compileTemplate(
    joinMembers([
      ['id', '"', writeId, '"'],
      ['type', `"${entity.name}"`],
      ['attributes', ...buildAttributes(entity, options)],
      ['links', ...joinMembers([['self', `"${self}`, writeId, '"']])],
      ['relationships', ...buildRelationships(entity, options, self, id)],
      ['meta', 'null'],
    ]),
  )
}

/** `customer_address`, `defaultBillingAddress` → `customer-address`, `default-billing-address` */
export function convertToHyphens(name: string): string {
  return name.replaceAll('_', '-').replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
}

function buildAttributes(entity: Entity, {columns, includes}: JsonApiOptions): TemplatePiece[] {
  const shown = entity.fields.filter(({hidden, name}) => !hidden && name !== 'id' && isKept(name, includes))
  return joinMembers([
    ...shown.map((field): [string, TemplatePiece] => [field.name, buildAttribute(field, columns)]),
    ['apiAlias', `"${entity.name}_foreign_keys_extension"`],
  ])
}

function buildAttribute(field: Field, columns: readonly string[]): TemplatePiece {
  if (field.constant !== undefined) return `"${field.constant}"`
  return {column: columns.indexOf(field.column), encode: getEncoder(field.kind, 'json-api')}
}

function buildRelationships(
  entity: Entity,
  {linkage, includes, included}: JsonApiOptions,
  self: string,
  id: number,
): TemplatePiece[] {
  const writeId: TemplatePiece = row => `${row[id]}`
  const extensions = Object.entries(EXTENSIONS[entity.name] ?? {}).filter(([name]) => isKept(name, includes))
  const writeExtension: TemplatePiece = row => {
    included.set(
      `extension ${row[id]}`,
      formatExtension(`${row[id]}`, `"${self}${row[id]}`, extensions ?? {}),
    )
    return `{"data":{"type":"extension","id":"${row[id]}"}}`
  }
  const shown = entity.associations.filter(({hidden, name}) => !hidden && isKept(name, includes))
  const relationships = shown.map(({name, kind}): [string, ...TemplatePiece[]] => {
    const related = joinMembers([['related', `"${self}`, writeId, `\\/${convertToHyphens(name)}"`]])
    return [
      name,
      ...joinMembers([
        ['data', linkage[name] ?? formatNotLoaded(kind)],
        ['links', ...related],
      ]),
    ]
  })
  if (extensions.length > 0) relationships.push(['extensions', writeExtension])
  return joinMembers(relationships)
}

/** What the plugin adds, as a resource of its own. @param self address of the row, behind its quotation mark */
function formatExtension(
  id: string,
  self: string,
  links: readonly (readonly [name: string, data: string])[],
): string {
  const relationships = links.map(
    ([name, data]) => `"${name}":{"data":${data},"links":{"related":${self}\\/extensions\\/${name}"}}`,
  )
  const head = `"id":"${id}","type":"extension","attributes":[],"links":[]`
  return `{${head},"relationships":{${relationships.join()}},"meta":null}`
}

function formatNotLoaded(kind: Association['kind']): string {
  return kind === 'to-one' ? 'null' : '[]'
}

function isKept(name: string, includes: readonly string[] | undefined): boolean {
  return includes === undefined || includes.includes(name)
}
