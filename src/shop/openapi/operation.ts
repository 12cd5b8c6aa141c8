export type Json = Record<string, unknown>

/** One operation of the OpenAPI document. @see OpenAPI 3.1 "Operation Object" */
export interface ApiOperation {
  /** Where it differs from the route's own: one route may serve many paths. */
  readonly path?: string
  /** Unique in the document, valid as a function name. */
  readonly operationId: string
  readonly tag: Tag
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly Json[]
  readonly requestBody?: Json
  /** By status. */
  readonly responses: Readonly<Record<string, Json>>
  /** Default: a bearer token from any grant. */
  readonly security?: readonly Json[]
}

/** Operations by method and templated path: `POST /api/oauth/token`. */
export type Operations = Readonly<Record<string, ApiOperation>>

export const JSON_TYPE = 'application/json'
export const JSON_API_TYPE = 'application/vnd.api+json'
export const FORM_TYPE = 'application/x-www-form-urlencoded'

/** For operations without a token. */
export const FOR_EVERYBODY: readonly Json[] = []

export const referToSchema = (name: string): Json => ({$ref: `#/components/schemas/${name}`})
const referToParameter = (name: string): Json => ({$ref: `#/components/parameters/${name}`})

/** On every operation that reads or writes entities. @see protocol.md §3.2 */
export const LANGUAGE = referToParameter('language')

/** A request body, with examples by title; the page fills in the first one. */
export function buildRequestBody(schema: Json, examples: Readonly<Record<string, unknown>> = {}): Json {
  const media = {schema, ...(Object.keys(examples).length > 0 ? {examples: nameExamples(examples)} : {})}
  return {required: true, content: {[JSON_TYPE]: media}}
}

/** A JSON response. */
export function buildResponse(description: string, schema: Json, example?: unknown): Json {
  const media = {schema, ...(example === undefined ? {} : {example})}
  return {description, content: {[JSON_TYPE]: media}}
}

/** `{'By e-mail': …}` → `{byEMail: {summary: 'By e-mail', value: …}}` */
export function nameExamples(examples: Readonly<Record<string, unknown>>): Json {
  const toKey = (summary: string) =>
    summary.toLowerCase().replace(/(?<![^a-z])[^a-z]+([a-z]?)/g, (_, letter: string) => letter.toUpperCase())
  return Object.fromEntries(
    Object.entries(examples).map(([summary, value]) => [toKey(summary), {summary, value}]),
  )
}

/** A path parameter. */
export function buildPathParameter(name: string, description: string, schema: Json, more: Json = {}): Json {
  return {name, in: 'path', required: true, description, schema, ...more}
}

/** A path parameter with an id. */
export function buildIdParameter(name: string, description: string, example?: string): Json {
  const schema = {type: 'string', pattern: '^[0-9a-f]{32}$'}
  return buildPathParameter(name, description, schema, example ? {example} : {})
}

/** The tags of the document, in order. */
export const API_TAGS = {
  'Access token': 'Sign in. "Authorize" does the same and stores the token for this page.',
  Customers: 'Find and change customers, with their addresses and groups.',
  'Fulfillment orders': 'Submit orders for shipment, each exactly once.',
  'Payment webhook': "Receive the payment provider's events, and register the webhook.",
  Orders: 'Orders with line items, deliveries, payments and their states.',
  'Users and integrations': 'Users, integrations and their privileges.',
  'Other entities': 'Entities that customers and orders refer to; bulk writes.',
  'About the shop': 'Version, health, settings, schemas and routes.',
  'This server': 'Status and fault injection. A real shop does not have these.',
} as const

export type Tag = keyof typeof API_TAGS

/** The tag of an entity, by its name: `customer_address`. */
export function findTag(entity: string): Tag {
  if (entity.startsWith('customer')) return 'Customers'
  if (entity.startsWith('order')) return 'Orders'
  if (entity === 'fulfillment_order') return 'Fulfillment orders'
  if (/^(user|integration|acl)/.test(entity)) return 'Users and integrations'
  return 'Other entities'
}

/** `customer_address` → `customer addresses` */
export function formatPlural(entity: string): string {
  const words = entity.replaceAll('_', ' ')
  if (/[^aeiou]y$/.test(words)) return `${words.slice(0, -1)}ies`
  return `${words}${/(s|x|ch)$/.test(words) ? 'es' : 's'}`
}

/** `customer_address` → `a customer address`, `order` → `an order` */
export function formatSingular(entity: string): string {
  return `${/^([aeio]|u(?!s))/.test(entity) ? 'an' : 'a'} ${entity.replaceAll('_', ' ')}`
}

const PLACEHOLDER = /:([A-Za-z]+)(?:\(\^[^/]*?\$\))?/g

/** `/api/order/:id(^[0-9a-f]{32}$)` → `/api/order/{id}`; a star at the end stands for any further path. */
export function convertToTemplatedPath(path: string): string {
  return path.replace(PLACEHOLDER, '{$1}').replace(/\*$/, '{path}')
}

/** The names in braces. */
export function listPlaceholders(path: string): string[] {
  return [...convertToTemplatedPath(path).matchAll(/\{([A-Za-z]+)\}/g)].map(([, name]) => name as string)
}

/** What a write answers: nothing but where the thing is. */
export function buildEmptyResponse(description: string): Json {
  return {description, headers: {Location: {description: 'URL of the entity.', schema: {type: 'string'}}}}
}
