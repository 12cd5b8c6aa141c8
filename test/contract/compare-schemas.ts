/** The part of JSON Schema that the published ones use. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
}

/**
 * What a schema no longer keeps of an earlier one: members that went or may be absent now, values of another type, words
 * that went. What was added is none.
 *
 * @param path where it is, for the findings: `row.amount.value`
 */
export function findBreaks(before: Schema, now: Schema, path = 'row'): string[] {
  if (before.anyOf || now.anyOf) return compareForms(before, now, path)
  return [
    ...compareTypes(before, now, path),
    ...compareMembers(before, now, path),
    ...compareInner(before.items, now.items, `${path}[]`),
    ...compareInner(toSchema(before.additionalProperties), toSchema(now.additionalProperties), `${path}.*`),
  ]
}

function toSchema(value: Schema['additionalProperties']): Schema | undefined {
  return typeof value === 'object' ? value : undefined
}

function compareInner(before: Schema | undefined, now: Schema | undefined, path: string): string[] {
  if (!before) return []
  return now ? findBreaks(before, now, path) : [`${path} is gone`]
}

/** A value has none but the types that it had; where any value was allowed, nobody relied on one. */
function compareTypes(before: Schema, now: Schema, path: string): string[] {
  const listTypes = ({type = []}: Schema) => [type].flat()
  const more = listTypes(now).filter(type => !listTypes(before).includes(type))
  const isAnything = now.type === undefined && now.const === undefined
  const wasTyped = listTypes(before).length > 0
  const gone = (before.enum ?? []).filter(word => !(now.enum ?? []).includes(word))
  return [
    ...(wasTyped && isAnything ? [`${path} may be anything now`] : []),
    ...(wasTyped && more.length > 0 ? [`${path} may be ${more.join(', ')} now`] : []),
    ...(before.format === now.format || before.format === undefined
      ? []
      : [`${path} is no ${before.format}`]),
    ...(before.const === now.const ? [] : [`${path} is not ${before.const}`]),
    ...gone.map(word => `${path} is never ${word} now`),
  ]
}

/** Each form that a value had is one of its forms, but for `null`; it has no `null` that it had not. */
function compareForms(before: Schema, now: Schema, path: string): string[] {
  const [old, present] = [before.anyOf ?? [before], now.anyOf ?? [now]]
  const isNull = ({type}: Schema) => type === 'null'
  const lost = old.flatMap((form, at) => {
    const found = present.map(each => findBreaks(form, each, path))
    return isNull(form) || found.some(each => each.length === 0)
      ? []
      : (found[at] ?? [`${path} has lost a form`])
  })
  return present.some(isNull) && !old.some(isNull) ? [...lost, `${path} may be null now`] : lost
}

function compareMembers(before: Schema, now: Schema, path: string): string[] {
  return Object.entries(before.properties ?? {}).flatMap(([name, member]) => {
    const there = now.properties?.[name]
    if (!there) return [`${path}.${name} is gone`]
    const isLoose = before.required?.includes(name) && !now.required?.includes(name)
    return [
      ...(isLoose ? [`${path}.${name} may be absent now`] : []),
      ...findBreaks(member, there, `${path}.${name}`),
    ]
  })
}

/** The schema as a reader relies on it: words may be added to it, and nothing is said of what its members mean. */
export function allowMoreWords<T>(schema: T): T {
  return mapSchema(schema, ({enum: _, ...rest}) => rest)
}

/** The schema without what its members mean. */
export function omitTexts<T>(schema: T): T {
  return mapSchema(schema, ({description: _, ...rest}) => rest)
}

/** The schema with no member that has to be there. */
export function omitRequired<T>(schema: T): T {
  return mapSchema(schema, ({required: _, ...rest}) => rest)
}

type Keywords = Readonly<Record<string, unknown>>

/** Changes each schema within a schema; a member may have the name of a keyword. */
function mapSchema<T>(schema: T, change: (keywords: Keywords) => Keywords): T {
  if (schema === null || typeof schema !== 'object') return schema
  if (Array.isArray(schema)) return schema.map(each => mapSchema(each, change)) as T
  const {properties, ...rest} = schema as Keywords
  const keywords = Object.entries(change(rest)).map(([name, each]) => [name, mapSchema(each, change)])
  const members = Object.entries(properties ?? {}).map(([name, each]) => [name, mapSchema(each, change)])
  return {
    ...Object.fromEntries(keywords),
    ...(properties ? {properties: Object.fromEntries(members)} : {}),
  } as T
}
