import type {ShopEdition} from '../../../shopware/editions.js'
import type {Entity} from '../../../shopware/entity.js'
import {escapeJsonApi} from '../../../shopware/json-escape.js'
import {buildFieldPiece} from './field-pieces.js'
import {
  compileTemplate,
  joinMembers,
  type PageRow,
  type PageRowWriter,
  type TemplatePiece,
} from './row-template.js'

/** Shared state of all resources in a response. */
export interface SharedByResources {
  /** `http://127.0.0.1:8000/api` */
  readonly apiUrl: string
  readonly edition: Pick<ShopEdition, 'emptyMeta' | 'idsOfIncluded'>
  /** Included resources, each once, by type and id; this map is filled. */
  readonly included: Map<string, string>
}

export interface JsonApiOptions {
  /** Columns of the rows, in order. */
  columns: readonly string[]
  shared: SharedByResources
  /** Resource identifiers of loaded associations, for their owner's row. */
  linkage: Readonly<Record<string, (row: PageRow) => string>>
  /** Members to keep; `undefined` for all. @see protocol.md §6.6, `includes` */
  includes: readonly string[] | undefined
  /** Whether it is in `included`. */
  isIncluded?: boolean
}

const TOKENS = {paypalVaultTokens: '[]', paypalVaultTokenMappings: '[]'}

/**
 * Associations that the payment plugin adds to entities, with their link targets: this shop has neither saved payment
 * tokens nor point-of-sale terminals.
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
    JSON.stringify(`${options.shared.apiUrl}/${convertToHyphens(entity.name)}/`).slice(1, -1),
  )
  const ids: [string, ...TemplatePiece[]][] = [
    ['id', '"', writeId, '"'],
    ['type', `"${entity.name}"`],
  ]
  const areLast = options.isIncluded && options.shared.edition.idsOfIncluded === 'last'
  return compileTemplate(
    joinMembers([
      ...(areLast ? [] : ids),
      ['attributes', ...buildAttributes(entity, options)],
      ['links', ...joinMembers([['self', `"${self}`, writeId, '"']])],
      ['relationships', ...buildRelationships(entity, options, self, id)],
      ['meta', options.shared.edition.emptyMeta],
      ...(areLast ? ids : []),
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
    ...shown.map((field): [string, TemplatePiece] => [
      field.name,
      buildFieldPiece(entity, field, {columns, form: 'json-api'}),
    ]),
    ['apiAlias', `"${entity.name}_foreign_keys_extension"`],
  ])
}

function buildRelationships(
  entity: Entity,
  {linkage, includes, shared}: JsonApiOptions,
  self: string,
  id: number,
): TemplatePiece[] {
  const writeId: TemplatePiece = row => `${row[id]}`
  const shown = entity.associations.filter(({hidden, name}) => !hidden && isKept(name, includes))
  const relationships = shown.map(({name, kind}): [string, ...TemplatePiece[]] => {
    const related = joinMembers([['related', `"${self}`, writeId, `\\/${convertToHyphens(name)}"`]])
    return [
      name,
      ...joinMembers([
        ['data', linkage[name] ?? (kind === 'to-one' ? 'null' : '[]')],
        ['links', ...related],
      ]),
    ]
  })
  const extensions = Object.entries(EXTENSIONS[entity.name] ?? {}).filter(([name]) => isKept(name, includes))
  const addExtension = (row: PageRow): string => {
    const links = formatExtensionLinks(extensions, `"${self}${row[id]}`)
    const ids = `"id":"${row[id]}","type":"extension"`
    const rest = `"attributes":[],"links":[],"relationships":${links},"meta":${shared.edition.emptyMeta}`
    const members = shared.edition.idsOfIncluded === 'last' ? [rest, ids] : [ids, rest]
    shared.included.set(`extension ${row[id]}`, `{${members.join()}}`)
    return `{"data":{"type":"extension","id":"${row[id]}"}}`
  }
  return joinMembers(extensions.length > 0 ? [...relationships, ['extensions', addExtension]] : relationships)
}

/** @param self URL of the row, after the opening quotation mark */
function formatExtensionLinks(
  extensions: readonly (readonly [name: string, data: string])[],
  self: string,
): string {
  const members = extensions.map(
    ([name, data]) => `"${name}":{"data":${data},"links":{"related":${self}\\/extensions\\/${name}"}}`,
  )
  return `{${members.join()}}`
}

function isKept(name: string, includes: readonly string[] | undefined): boolean {
  return includes === undefined || includes.includes(name)
}
