import type {Tag} from './tags.js'

export type Json = Record<string, unknown>

/** One operation as the OpenAPI document has it. @see OpenAPI 3.1 "Operation Object" */
export interface Operation {
  /** Where it is not the route's own: one route may stand for many paths. */
  readonly path?: string
  /** Unique in the document, fit for a function's name. */
  readonly operationId: string
  readonly tag: Tag
  /** What it does, in a few words. */
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly Json[]
  readonly requestBody?: Json
  /** By status. */
  readonly responses: Readonly<Record<string, Json>>
  /** Default: a bearer, however it was got. */
  readonly security?: readonly Json[]
}

/** Operations by method and templated path: `POST /api/oauth/token`. */
export type Operations = Readonly<Record<string, Operation>>

export const JSON_TYPE = 'application/json'
export const JSON_API_TYPE = 'application/vnd.api+json'
export const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Needs no token. */
export const FOR_EVERYBODY: readonly Json[] = []

export const schemaRef = (name: string): Json => ({$ref: `#/components/schemas/${name}`})
const parameterRef = (name: string): Json => ({$ref: `#/components/parameters/${name}`})

/** On every operation that reads or writes entities. @see protocol.md §3.2 */
export const LANGUAGE = parameterRef('language')

/** A body to send, with examples by what they show; the first is what the page fills in. */
export function body(schema: Json, examples: Readonly<Record<string, unknown>> = {}): Json {
  const media = {schema, ...(Object.keys(examples).length > 0 ? {examples: named(examples)} : {})}
  return {required: true, content: {[JSON_TYPE]: media}}
}

/** An answer in JSON. */
export function answer(description: string, schema: Json, example?: unknown): Json {
  const media = {schema, ...(example === undefined ? {} : {example})}
  return {description, content: {[JSON_TYPE]: media}}
}

/** `{'By e-mail': …}` → `{byEMail: {summary: 'By e-mail', value: …}}` */
export function named(examples: Readonly<Record<string, unknown>>): Json {
  const key = (summary: string) =>
    summary.toLowerCase().replace(/[^a-z]+([a-z]|$)/g, (_, letter: string) => letter.toUpperCase())
  return Object.fromEntries(
    Object.entries(examples).map(([summary, value]) => [key(summary), {summary, value}]),
  )
}

/** A place in the path that holds an id. */
export function idParameter(name: string, description: string, example?: string): Json {
  const schema = {type: 'string', pattern: '^[0-9a-f]{32}$'}
  return {name, in: 'path', required: true, description, schema, ...(example ? {example} : {})}
}
