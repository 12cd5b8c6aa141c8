import {StorectlError} from '../../errors.js'
import {isObject} from '../../language/json-object.js'
import {customer as builtIn, customer} from '../../shopware/entities/customer.js'
import {ENTITIES} from '../../shopware/entities/entities.js'
import type {FieldKind} from '../../shopware/entity.js'
import {createFieldFinder, type DescribedEntity, type FieldFinder} from './fields.js'

/**
 * Fields of a customer, and of what a shop associates with one.
 *
 * @param entities as the shop itself describes them; default: ours
 */
export function createCustomerFields(entities?: ShopEntities): FieldFinder {
  return createFieldFinder(...findDescribedEntities(entities))
}

/** The entity at which paths begin, and a function that finds others by name. */
export function findDescribedEntities(
  entities?: ShopEntities,
): [DescribedEntity, (name: string) => DescribedEntity | undefined] {
  if (!entities) return [customer, name => ENTITIES.find(entity => entity.name === name)]
  return [entities.get(customer.name) ?? customer, name => entities.get(name)]
}

/** Codes of errors that may vanish for a shop with more fields than ours. */
const ABOUT_FIELDS = ['usage.where', 'usage.sort', 'usage.fields', 'usage.facet']

/** A description fetched seconds ago is not fetched again; an older one may lack a plugin. */
const FRESH_MS = 5 * 60 * 1000

/** Which description of a shop is acceptable. */
export interface DescriptionQuery {
  /** How old a stored description may be; a day when it is left out. */
  readonly maxAgeMs?: number | undefined
  /** Ask the shop even where its description of today is stored. */
  readonly refresh?: boolean | undefined
  /** Do not ask the shop. */
  readonly onlyStored?: boolean | undefined
}

/**
 * The fields for a request: those of the shop's stored description, else ours. If a field is missing, the shop is asked,
 * unless it was asked minutes ago: only the shop knows the fields of plugins and of other releases.
 *
 * @param check throws if a field does not fit
 * @param describe returns the shop's description; `undefined` if it has none, or ours is its own
 * @throws StorectlError of `check` about fields of the shop, or about ours if the shop's has no more
 */
export async function chooseFields(
  check: (fields: FieldFinder) => void,
  describe: (query: DescriptionQuery) => Promise<ShopEntities | undefined>,
): Promise<FieldFinder> {
  const kept = createCustomerFields(await describe({onlyStored: true}))
  try {
    check(kept)
    return kept
  } catch (error) {
    if (!(error instanceof StorectlError && ABOUT_FIELDS.includes(error.code))) throw error
    const entities = await describe({maxAgeMs: FRESH_MS}).catch(failure => {
      throw failure instanceof StorectlError ? createUnknownFieldError(error, failure) : failure
    })
    if (!entities) throw error
    const theirs = createCustomerFields(entities)
    check(theirs)
    return theirs
  }
}

function createUnknownFieldError(
  {code, message, nextSteps}: StorectlError,
  cause: StorectlError,
): StorectlError {
  const text = `${message}\nCould not fetch the shop's own fields: ${cause.message}`
  return new StorectlError(code, text, {nextSteps: [...nextSteps, ...cause.nextSteps], cause})
}

/** The kind of field by type in a shop's schema; unlisted types may contain anything. */
const KINDS: Readonly<Record<string, FieldKind>> = {
  uuid: 'id',
  string: 'text',
  text: 'text',
  int: 'int',
  float: 'float',
  boolean: 'bool',
  date: 'date-time',
  json_list: 'list',
  json_object: 'json',
}

/** Entities by name, as a shop describes them. */
export type ShopEntities = ReadonlyMap<string, DescribedEntity>

/**
 * The entities of a shop's `entity-schema.json`.
 *
 * The schema calls days and times alike `date`; the fields that our own description knows as days are days.
 *
 * @returns `undefined` for what is none, or has no customers
 * @see protocol.md §1.7
 */
export function parseEntitySchema(schema: unknown): ShopEntities | undefined {
  if (!isObject(schema)) return undefined
  const entities = new Map<string, DescribedEntity>()
  for (const [name, described] of Object.entries(schema)) {
    if (isObject(described) && isObject(described.properties))
      entities.set(name, parseEntity(name, described.properties))
  }
  return entities.has(builtIn.name) ? entities : undefined
}

function parseEntity(name: string, properties: Record<string, unknown>): DescribedEntity {
  const known = ENTITIES.find(entity => entity.name === name)
  const fields: DescribedEntity['fields'][number][] = []
  const associations: DescribedEntity['associations'][number][] = []
  for (const [property, of] of Object.entries(properties)) {
    if (!isObject(of)) continue
    if (of.type === 'association') {
      associations.push({name: property, target: String(of.entity ?? ''), hidden: isRuntime(of.flags)})
      continue
    }
    const ours = known?.fields.find(field => field.name === property)?.kind
    const points = isObject(of.flags) ? of.flags.search_ranking : undefined
    fields.push({
      name: property,
      kind: mapFieldKind(property, String(of.type), ours),
      hidden: of.type === 'password' || isRuntime(of.flags),
      ...(typeof points === 'number' && {ranking: {points}}),
    })
  }
  return {name, fields, associations}
}

/** Whether a shop computes a member only for display: no criterion may name it. */
function isRuntime(flags: unknown): boolean {
  return isObject(flags) && flags.runtime === true
}

function mapFieldKind(name: string, type: string, ours: FieldKind | undefined): FieldKind {
  if (name === 'customFields') return 'custom-fields'
  if (type === 'date' && ours === 'date') return 'date'
  return KINDS[type] ?? 'json'
}

/** What is stored of them between commands. */
export function serializeEntities(entities: ShopEntities): unknown[] {
  return [...entities.values()]
}

/** The stored value, `undefined` for anything else. */
export function parseStoredEntities(stored: unknown): ShopEntities | undefined {
  if (!Array.isArray(stored)) return undefined
  const isEntity = (each: unknown): each is DescribedEntity =>
    isObject(each) && typeof each.name === 'string' && isList(each.fields) && isList(each.associations)
  const entities = new Map(stored.filter(isEntity).map(entity => [entity.name, entity]))
  return entities.has(builtIn.name) ? entities : undefined
}

function isList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isObject)
}
