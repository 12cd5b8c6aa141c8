import {createUsageError} from '../../errors.js'
import type {ReadingFlags} from '../../flags/order-flags.js'
import {isObject} from '../../language/json-object.js'
import {suggestNearest} from '../../language/nearest-word.js'
import {findField, mapColumns} from '../draft/columns.js'
import type {OrderRules} from '../draft/draft.js'
import {parseOverride} from '../draft/field-overrides.js'
import {PASSED_OVER} from '../draft/header.js'
import type {ReadOptions} from '../draft/read-options.js'
import {CONTRACT, RAW} from './order-rules.js'

/**
 * Parses the options for reading orders.
 *
 * @param readText the text of a file
 * @throws StorectlError `usage.set`, `usage.map`, `usage.schema`
 */
export async function resolveReadOptions(
  asked: ReadingFlags,
  readText: (path: string) => Promise<string>,
): Promise<ReadOptions> {
  const rules = await selectRules(asked, readText)
  const {shape} = rules
  const settings = shape ? asked.set.map(text => parseOverride(text, shape)) : []
  const maps = await Promise.all(asked.map.map(text => readMaps(text, readText)))
  const renamed = new Map(maps.flat().map(text => parseRenaming(text, rules)))
  return {rules, renamed, settings, skipRows: asked['skip-rows'], decimal: asked.decimal}
}

/** `@map.json` is a file with a JSON object from columns to fields. */
export const MAP_FILE = /^@[^=]+$/

async function readMaps(text: string, readText: (path: string) => Promise<string>): Promise<string[]> {
  if (!MAP_FILE.test(text)) return [text]
  const name = text.slice(1)
  try {
    const map = JSON.parse(await readText(name)) as Record<string, string>
    if (isObject(map) && Object.values(map).every(field => typeof field === 'string'))
      return Object.entries(map).map(([column, field]) => `${column}=${field}`)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw createUsageError('map', `--map: ${name} is not a JSON object that maps columns to fields.`, [
    `storectl order template --map-from FILE > ${name}`,
  ])
}

async function selectRules({schema, raw}: ReadingFlags, readText: (path: string) => Promise<string>) {
  if (schema !== undefined) {
    const {compileSchemaRules: schemaRules} = await import('./schema-rules.js')
    return schemaRules(await readText(schema), schema)
  }
  return raw ? RAW : CONTRACT
}

/** A column's name may contain an equals sign, a field's never does. */
function parseRenaming(text: string, {shape}: OrderRules): [string, string] {
  const [, column, field] = /^(.+)=([^=]+)$/s.exec(text) ?? []
  if (column === undefined || field === undefined) {
    throw createUsageError('map', `--map: expected COLUMN=FIELD, got "${text}".`, [
      '--map "Order no.=reference"',
      '--map "Internal note=-"   (ignores the column)',
    ])
  }
  const known = shape ? mapColumns(shape) : undefined
  if (known && field !== PASSED_OVER && !findField(field, known)) {
    throw createUsageError('map', `--map: unknown field "${field}".${suggestNearest(field, known.keys())}`)
  }
  return [column.trim(), field]
}
