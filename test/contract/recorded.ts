import {readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {hostname, userInfo} from 'node:os'
import {join} from 'node:path'
import type {SchemaName} from '../../src/contract/promised.js'
import type {SchemaChecks} from '../support/hold-contract.js'
import {omitTexts, type Schema} from './compare-schemas.js'

/** What a version promised under one name. */
export interface Recorded {
  readonly version: string
  readonly schema: Schema
  /** A row that it printed, for each variant. */
  readonly rows: readonly unknown[]
}

const FOLDER = join(import.meta.dirname, 'recorded')

/** All that earlier versions promised, by name. A file is written once, for a version that is released, and stays. */
export const RECORDED: readonly (readonly [SchemaName, Recorded])[] = readdirSync(FOLDER).map(file => {
  const [, name = ''] = /^[\d.]+-(.*)\.json$/.exec(file) ?? []
  return [name as SchemaName, JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))]
})

/** The value with one entry of each list: that is enough of an example. */
function shorten(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.slice(0, 1).map(shorten)
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shorten(each)]))
}

/** Writes down what this version promises, with no name of this machine. @param places texts, each with what stands for it */
export function recordVersion(
  version: string,
  [name, schema]: readonly [SchemaName, object],
  {
    rows,
    checks,
    places,
  }: {
    readonly rows: readonly unknown[]
    readonly checks: SchemaChecks
    readonly places: readonly (readonly [string, string])[]
  },
): void {
  const examples = Array.from({length: checks.variants}, (_, at) =>
    shorten(rows.find(row => checks.findVariant(row) === at)),
  )
  const all = [...places, [hostname(), 'desk'], [userInfo().username, 'ada']] as const
  const hide = (value: unknown) =>
    all.reduce((left, [own, other]) => left.replaceAll(own, other), JSON.stringify(value))
  const head = `{"version":"${version}",\n"schema":${JSON.stringify(omitTexts(schema))}`
  const text = `${head},\n"rows":[\n${examples.map(hide).join(',\n')}\n]}`
  writeFileSync(join(FOLDER, `${version}-${name}.json`), `${text}\n`)
}
