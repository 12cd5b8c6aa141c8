import type {DecimalMark} from './cell-values.js'
import {hasLines, mapColumns} from './columns.js'
import type {OrderInput, OrderRules} from './draft.js'
import type {FieldOverride} from './field-overrides.js'
import type {Columns} from './header.js'

/** How inputs are to be read. */
export interface ReadOptions {
  readonly rules: OrderRules
  /** Fields by the names of columns. */
  readonly renamed: ReadonlyMap<string, string>
  readonly settings: readonly FieldOverride[]
  /** Lines above the header of a table. */
  readonly skipRows?: number | undefined
  /** How tables write numbers; default: as the contract does. */
  readonly decimal?: DecimalMark | undefined
}

/** Inputs submitted together. */
export interface OrderSource {
  readonly inputs: readonly OrderInput[]
  readonly reading: ReadOptions
}

/** For messages and the record: `orders.csv`, `a.csv, b.csv`. */
export function nameOf({inputs}: OrderSource): string {
  return inputs.map(({name}) => name).join(', ')
}

/** What the header of a table may contain; `undefined` if there are no tables. */
export function selectColumns({rules, renamed, settings}: ReadOptions): Columns | undefined {
  if (!rules.shape) return undefined
  const filled = new Map(
    settings.filter(({line}) => line === undefined).map(({column, value}) => [column.path, value]),
  )
  return {known: mapColumns(rules.shape), renamed, filled, lines: hasLines(rules.shape)}
}
