import {Ajv, type ErrorObject, type Options, type ValidateFunction} from 'ajv'
import {Ajv2019} from 'ajv/dist/2019.js'
import {Ajv2020} from 'ajv/dist/2020.js'
import {createUsageError} from '../../errors.js'
import {findNearest} from '../../language/nearest-word.js'
import type {FieldRule, LeafRule, Shape} from '../../wire/fulfillment-order/field-rules.js'
import type {OrderRules, RuleFault} from '../draft/draft.js'
import {findReferenceFaults, RAW} from './order-rules.js'
import {addLinearFormats} from './schema-formats.js'
import {createPattern, locatePattern, UnusablePattern} from './schema-pattern.js'
import {addLinearUniqueItems} from './schema-unique.js'

/**
 * The rules of a shop's own JSON Schema, and the reference, without which no order can be looked up.
 *
 * @param text JSON Schema of draft 07, 2019-09 or 2020-12 (the default); it refers to no other file
 * @param name of the file, for messages
 * @throws StorectlError `usage.schema`
 */
export function compileSchemaRules(text: string, name: string): OrderRules {
  const schema = parseSchema(text, name)
  const validate = compileSchema(schema, name)
  return {
    ...RAW,
    appliesTo: () => true,
    findFaults: order => {
      const faults = findReferenceFaults(order)
      if (validate(order)) return faults
      const known = new Set(faults.map(({pointer}) => pointer))
      const others = (validate.errors ?? []).map(convertFault).filter(({pointer}) => !known.has(pointer))
      return [...faults, ...others]
    },
    shape: readSchemaShape(schema),
  }
}

function parseSchema(text: string, name: string): Record<string, unknown> {
  try {
    const schema = JSON.parse(text) as unknown
    if (typeof schema === 'object' && schema !== null && !Array.isArray(schema)) {
      return schema as Record<string, unknown>
    }
  } catch (error) {
    throw createInvalidSchemaError(name, `it is not JSON (${(error as Error).message})`)
  }
  throw createInvalidSchemaError(name, 'it is not an object')
}

function compileSchema(schema: Record<string, unknown>, name: string): ValidateFunction {
  const options: Options = {
    ...{allErrors: true, strict: false, verbose: true, logger: false},
    code: {regExp: createPattern},
  }
  const draft = String(schema.$schema ?? '')
  try {
    const Validator = /draft-0[67]/.test(draft) ? Ajv : /2019-09/.test(draft) ? Ajv2019 : Ajv2020
    const validator = new Validator(options) as Ajv
    addLinearFormats(validator)
    addLinearUniqueItems(validator)
    return validator.compile(schema)
  } catch (error) {
    if (error instanceof UnusablePattern) throw createPatternError(name, schema, error)
    throw createInvalidSchemaError(name, (error as Error).message)
  }
}

function createPatternError(
  name: string,
  schema: Record<string, unknown>,
  {source, why, isPattern}: UnusablePattern,
) {
  const pointer = locatePattern(schema, source)
  return createInvalidSchemaError(
    name,
    `the pattern ${source}${pointer && ` at ${pointer}`} cannot be used (${why})`,
    isPattern ? ['write the pattern without look-ahead, look-behind and back-references'] : [],
  )
}

function createInvalidSchemaError(name: string, why: string, nextSteps: readonly string[] = []) {
  return createUsageError(
    'schema',
    `${name} is not a usable JSON Schema: ${why}. Nothing was sent.`,
    nextSteps,
  )
}

function convertFault({keyword, instancePath, params, message, data, parentSchema}: ErrorObject): RuleFault {
  const appendPointer = (member: unknown) =>
    `${instancePath}/${String(member).replaceAll('~', '~0').replaceAll('/', '~1')}`
  if (keyword === 'required' || keyword === 'dependentRequired') {
    return {pointer: appendPointer(params.missingProperty), message: 'is required', value: undefined}
  }
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') {
    const member = String(params.additionalProperty ?? params.unevaluatedProperty)
    const meant = findNearest(member, Object.keys((parentSchema?.properties as object | undefined) ?? {}))
    const path = appendPointer(member)
    const hint = meant === undefined ? 'is not a field of an order' : `is not a field; did you mean ${meant}?`
    return {pointer: path, message: hint, value: (data as Record<string, unknown>)[member]}
  }
  return {pointer: instancePath, message: formatSchemaError(keyword, params, message, data), value: data}
}

function formatSchemaError(
  keyword: string,
  params: Record<string, unknown>,
  message = 'is wrong',
  value: unknown,
): string {
  if (keyword === 'type') return `must be ${[params.type].flat().join(' or ')}`
  if (keyword === 'const') return `must be ${JSON.stringify(params.allowedValue)}`
  if (keyword !== 'enum') return message
  const choices = (params.allowedValues as unknown[]).map(String)
  const meant = typeof value === 'string' ? findNearest(value, choices) : undefined
  const list = choices.length > 12 ? `${choices.slice(0, 12).join(', ')} …` : choices.join(', ')
  return `must be one of ${list}${meant === undefined ? '' : `; did you mean ${meant}?`}`
}

type Schema = Readonly<Record<string, unknown>>

/** A schema may refer to itself. */
const DEEPEST = 8

/**
 * The fields that a schema names, so that a table's columns can fill them. Its rules are not read here.
 *
 * @param schema with only internal `$ref`
 */
function readSchemaShape(schema: Schema): Shape {
  return readObjectShape(schema, schema, true, 0)
}

function readObjectShape(schema: Schema, root: Schema, required: boolean, depth: number): Shape {
  const members: Record<string, FieldRule> = {}
  for (const part of listSchemaParts(schema, root, depth)) {
    const needed = new Set(Array.isArray(part.required) ? part.required : [])
    for (const [name, member] of Object.entries((part.properties ?? {}) as Record<string, unknown>)) {
      if (typeof member === 'object' && member !== null) {
        members[name] = readRule(member as Schema, root, needed.has(name), depth + 1)
      }
    }
  }
  return {kind: 'object', required, members}
}

function readRule(given: Schema, root: Schema, required: boolean, depth: number): FieldRule {
  const schema = resolveReference(given, root)
  const leaf: LeafRule = {kind: 'leaf', required, check: () => undefined, ...createCellReader(schema)}
  if (depth >= DEEPEST) return leaf
  const items = schema.items as Schema | undefined
  if (typeof items === 'object' && items !== null && isObject(resolveReference(items, root))) {
    const each = readObjectShape(resolveReference(items, root), root, true, depth)
    return {kind: 'list', required, each, max: Number.POSITIVE_INFINITY}
  }
  return isObject(schema) ? readObjectShape(schema, root, required, depth) : leaf
}

/** The schema, and those that it combines. */
function listSchemaParts(given: Schema, root: Schema, depth: number): Schema[] {
  const schema = resolveReference(given, root)
  const all = Array.isArray(schema.allOf) && depth < DEEPEST ? (schema.allOf as Schema[]) : []
  return [schema, ...all.flatMap(part => listSchemaParts(part, root, depth + 1))]
}

function isObject({type, properties}: Schema): boolean {
  return type === 'object' || properties !== undefined
}

function resolveReference(schema: Schema, root: Schema): Schema {
  let found = schema
  for (let hops = 0; typeof found.$ref === 'string' && hops < DEEPEST; hops++) {
    const steps = found.$ref.replace(/^#\/?/, '').split('/').filter(Boolean)
    const next = steps.reduce<unknown>(
      (inner, step) =>
        (inner as Schema | undefined)?.[decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')],
      root,
    )
    if (!found.$ref.startsWith('#') || typeof next !== 'object' || next === null) return {}
    found = next as Schema
  }
  return found
}

function createCellReader({type}: Schema): Pick<LeafRule, 'read' | 'holds'> {
  const types = [type].flat()
  if (types.includes('string')) return {}
  if (types.includes('integer') || types.includes('number')) {
    const read = (cell: string) => (/^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/.test(cell) ? Number(cell) : cell)
    return {holds: 'decimal', read}
  }
  if (!types.includes('boolean')) return {}
  return {read: cell => ({true: true, false: false})[cell.toLowerCase()] ?? cell}
}
