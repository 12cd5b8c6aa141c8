import {createUsageError} from '../../errors.js'
import type {FieldFinder, FoundField} from '../fields/fields.js'
import type {Associations, SearchCriteria, Sort} from './criteria.js'
import type {GivenCriteria} from './criteria-file.js'

/** The field by which the next page begins is always included. */
const NEEDED = ['id', 'autoIncrement']

/**
 * The requested properties if both criteria and output name some: the union.
 *
 * @param wanted properties to print; none for whole customers
 */
export function mergeProperties(
  given: GivenCriteria,
  wanted: Pick<SearchCriteria, 'includes' | 'associations'> | undefined,
  paths: readonly string[] | undefined,
): Pick<SearchCriteria, 'includes' | 'associations' | 'fields'> {
  const associations = mergeAssociations(given.associations, wanted?.associations)
  const loaded = associations && {associations}
  if (given.fields) return {...loaded, fields: uniteLists(given.fields, [...NEEDED, ...(paths ?? [])])}
  const includes = wanted?.includes
    ? mergeIncludes(given.includes, wanted.includes)
    : listNeededIncludes(given.includes)
  return {...loaded, ...(includes && {includes})}
}

function listNeededIncludes(includes: SearchCriteria['includes']): SearchCriteria['includes'] {
  const customer = includes?.customer
  return customer ? {...includes, customer: uniteLists(customer, NEEDED)} : includes
}

function mergeIncludes(
  given: SearchCriteria['includes'] = {},
  wanted: NonNullable<SearchCriteria['includes']>,
): SearchCriteria['includes'] {
  const aliases = uniteLists(Object.keys(given), Object.keys(wanted))
  return Object.fromEntries(
    aliases.map(alias => [alias, uniteLists(given[alias] ?? [], wanted[alias] ?? [])]),
  )
}

function mergeAssociations(
  given: Associations | undefined,
  wanted: Associations | undefined,
): Associations | undefined {
  if (!given || !wanted) return given ?? wanted
  const merged: Record<string, Associations[string]> = {...given}
  for (const [name, inner] of Object.entries(wanted)) {
    const associations = mergeAssociations(given[name]?.associations, inner.associations)
    merged[name] = {...given[name], ...(associations && {associations})}
  }
  return merged
}

function uniteLists(some: readonly string[], others: readonly string[]): string[] {
  return [...new Set([...some, ...others])]
}

/**
 * Reads `createdAt:desc,lastName`: fields with commas between, each with `:asc` (the default) or `:desc`.
 *
 * @throws StorectlError `usage.sort` for a field that is not there, twice there, or nothing at all
 */
export function parseSort(text: string, fields: FieldFinder): Sort[] {
  const sorts = text.split(',').map(part => parseSortField(part.trim(), fields))
  const twice = sorts.find(({field}, at) => sorts.findIndex(each => each.field === field) < at)
  if (twice) throw createUsageError('sort', `--sort names ${twice.field} twice.`)
  return sorts
}

function parseSortField(part: string, fields: FieldFinder): Sort {
  const [, field, direction] = /^([^:]+)(?::(asc|desc))?$/.exec(part) ?? []
  if (field === undefined)
    throw createUsageError('sort', `--sort: expected FIELD or FIELD:desc, got "${part}".`, [
      'storectl customer search --sort createdAt:desc,lastName',
    ])
  const found = fields.find(field)
  if ('problem' in found) throw createUsageError('sort', `--sort ${field}: ${found.problem}`)
  if (found.type === 'list') throw createUsageError('sort', `--sort ${field}: cannot sort by a list.`)
  return {field, order: direction === 'desc' ? 'DESC' : 'ASC'}
}

type Levels = {[name: string]: {associations: Levels}}

/** Members that the shop adds to every entity of plain JSON. @see protocol.md §6.6 */
const ADDED = ['extensions', '_uniqueIdentifier', 'versionId', 'translated', 'apiAlias']

/**
 * The `includes` for an answer with the given properties and little else.
 *
 * `autoIncrement` is always included: the next page begins after it.
 *
 * @param paths dotted paths to fields; a hidden field is never requested
 * @throws StorectlError `usage.fields` for a path that leads nowhere
 * @see protocol.md §6.6 `includes`
 */
export function selectRequestedProperties(
  paths: readonly string[],
  fields: FieldFinder,
): Pick<SearchCriteria, 'includes' | 'associations'> {
  const includes: Record<string, string[]> = {}
  const levels: Levels = {}
  const want = (entity: string, name: string) => {
    const names = includes[entity] ?? []
    includes[entity] = names.includes(name) ? names : [...names, name]
  }
  for (const name of NEEDED) want(fields.root, name)
  for (const path of paths) {
    const {crossed, name} = findPath(path, fields)
    let entity = fields.root
    let level = levels
    for (const step of crossed) {
      want(entity, step.association)
      level[step.association] ??= {associations: {}}
      level = (level[step.association] as Levels[string]).associations
      entity = step.entity
    }
    want(entity, name)
  }
  return {includes, ...(Object.keys(levels).length > 0 && {associations: levels as Associations})}
}

function findPath(path: string, fields: FieldFinder): Pick<FoundField, 'crossed' | 'name'> {
  const [first = ''] = path.split('.')
  if (ADDED.includes(first)) return {crossed: [], name: first}
  const field = fields.find(path)
  if ('problem' in field) throw createUsageError('fields', `--fields ${path}: ${field.problem}`)
  return field
}
