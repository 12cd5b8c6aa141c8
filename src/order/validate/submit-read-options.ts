import {createUsageError} from '../../errors.js'
import type {ReadingFlags} from '../../flags/order-flags.js'
import {suggestNearest} from '../../language/nearest-word.js'
import {findField, mapColumns} from '../draft/columns.js'
import type {OrderRules} from '../draft/draft.js'
import {parseOverride} from '../draft/field-overrides.js'
import {PASSED_OVER} from '../draft/header.js'
import type {ReadOptions} from '../draft/read-options.js'
import {CONTRACT, RAW} from './order-rules.js'

/**
 * What was asked for, understood.
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
  return {rules, renamed: new Map(asked.map.map(text => parseRenaming(text, rules))), settings}
}

async function selectRules({schema, raw}: ReadingFlags, readText: (path: string) => Promise<string>) {
  if (schema !== undefined) {
    const {compileSchemaRules: schemaRules} = await import('./schema-rules.js')
    return schemaRules(await readText(schema), schema)
  }
  return raw ? RAW : CONTRACT
}

/** A column's name may hold an equals sign, a field's never does. */
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
