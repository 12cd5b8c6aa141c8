import {createUsageError} from '../../errors.js'
import type {FieldFinder, FoundField} from '../fields/fields.js'
import type {Associations, SearchCriteria} from './criteria.js'

type Levels = {[name: string]: {associations: Levels}}

const NEEDED = ['id', 'autoIncrement']

/** Members that the shop adds to every entity of plain JSON. @see protocol.md §6.6 */
const ADDED = ['extensions', '_uniqueIdentifier', 'versionId', 'translated', 'apiAlias']

/**
 * What to ask the shop for, so that an answer holds the given properties and little else.
 *
 * `autoIncrement` is always among them: it is what the next page begins behind.
 *
 * @param paths dotted paths to fields; a hidden field is never asked for
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
