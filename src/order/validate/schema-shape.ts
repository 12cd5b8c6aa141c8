import type {FieldRule, LeafRule, Shape} from '../../wire/fulfillment-order/field-rules.js'

type Schema = Readonly<Record<string, unknown>>

/** A schema may refer to itself. */
const DEEPEST = 8

/**
 * The fields that a schema names, so that a table's columns can fill them. What its rules are is not looked at here.
 *
 * @param schema with `$ref` inside itself only
 */
export function readSchemaShape(schema: Schema): Shape {
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
  const items = schema.items as Schema | undefined
  if (typeof items === 'object' && items !== null && isObject(resolveReference(items, root))) {
    const each = readObjectShape(resolveReference(items, root), root, true, depth)
    return {kind: 'list', required, each, max: Number.POSITIVE_INFINITY}
  }
  if (depth < DEEPEST && isObject(schema)) return readObjectShape(schema, root, required, depth)
  return {kind: 'leaf', required, check: () => undefined, read: createCellReader(schema)} satisfies LeafRule
}

/** The schema, and those that it is put together from. */
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

function createCellReader({type}: Schema): ((cell: string) => unknown) | undefined {
  const types = [type].flat()
  if (types.includes('string')) return undefined
  if (types.includes('integer') || types.includes('number')) {
    return cell => (/^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/.test(cell) ? Number(cell) : cell)
  }
  if (types.includes('boolean')) return cell => ({true: true, false: false})[cell.toLowerCase()] ?? cell
  return undefined
}
