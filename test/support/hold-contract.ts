import type {ValidateFunction} from 'ajv'
import {wantsJson} from '../../src/cli/manifest/argv.js'
import {PROMISED, type SchemaName} from '../../src/contract/promised.js'

/** Checks values by one published schema. */
export interface SchemaChecks {
  /** What is wrong with a value; empty for nothing. */
  findFaults(value: unknown): string
  /** Which variant of the schema a value is, from 0; -1 for none. */
  findVariant(value: unknown): number
  readonly variants: number
}

const loaded = new Map<SchemaName, Promise<SchemaChecks>>()

/** Compiles a schema once; only tests that print JSON pay for it. */
export function loadChecks(name: SchemaName): Promise<SchemaChecks> {
  const found = loaded.get(name) ?? compileChecks(name)
  loaded.set(name, found)
  return found
}

async function compileChecks(name: SchemaName): Promise<SchemaChecks> {
  const [{Ajv}, formats, {buildSchemas}] = await Promise.all([
    import('ajv'),
    import('ajv-formats'),
    import('../../src/contract/schemas.js'),
  ])
  const ajv = new Ajv({allErrors: true, allowUnionTypes: true, strict: true})
  formats.default.default(ajv)
  const schema = JSON.parse(JSON.stringify(buildSchemas().get(name))) as {anyOf?: object[]}
  const variants: ValidateFunction[] = (schema.anyOf ?? [schema]).map(each => ajv.compile(closeObjects(each)))
  return {
    variants: variants.length,
    findVariant: value => variants.findIndex(check => check(value)),
    findFaults: value =>
      variants.some(check => check(value))
        ? ''
        : variants.map(({errors}) => ajv.errorsText(errors, {dataVar: 'row'})).join('\n or '),
  }
}

/** Objects that may have members of which their schema says nothing. */
const OPEN = /not promised|members that the shop sends/

/** The schema with no further members: what is printed and not described would be noticed by nobody. */
function closeObjects<T>(schema: T): T {
  if (schema === null || typeof schema !== 'object') return schema
  if (Array.isArray(schema)) return schema.map(closeObjects) as T
  const all = Object.fromEntries(Object.entries(schema).map(([name, each]) => [name, closeObjects(each)]))
  const isClosed = 'properties' in schema && !OPEN.test((schema as {description?: string}).description ?? '')
  return (isClosed ? {...all, additionalProperties: false} : all) as T
}

/** Flags whose output is something else: chosen members, another document. */
const OTHERWISE = /^--(fields|raw|show-request|help)\b/

/**
 * Holds what a command printed to the published schemas: rows of `-o json` and `-o ndjson`, and the error line.
 *
 * @throws Error for a row that is not as `storectl help schema NAME` says
 */
export async function holdContract(
  argv: readonly string[],
  {stdout, stderr}: {readonly stdout: string; readonly stderr: string},
): Promise<void> {
  if (!wantsJson(argv) || argv.some(word => OTHERWISE.test(word))) return
  const names = (Object.keys(PROMISED) as SchemaName[]).filter(name =>
    PROMISED[name].commands.some(id => id.split(':').every((word, at) => argv[at] === word)),
  )
  for (const row of names.length === 0 ? [] : readRows(stdout)) await holdRow(row, names, argv)
  for (const line of stderr.split('\n').filter(each => each.startsWith('{"error":')))
    await holdRow(JSON.parse(line), ['error'], argv)
}

async function holdRow(row: unknown, names: readonly SchemaName[], argv: readonly string[]): Promise<void> {
  const all = await Promise.all(names.map(loadChecks))
  const faults = all.map(checks => checks.findFaults(row))
  if (faults.every(each => each !== ''))
    throw new Error(`storectl ${argv.join(' ')}: not as help schema ${names}: ${faults.join('\n or ')}
${JSON.stringify(row)}`)
}

/** The rows of either format; none of a text that is cut off. */
export function readRows(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : [value]
  } catch {}
  try {
    return text
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line))
  } catch {
    return []
  }
}
