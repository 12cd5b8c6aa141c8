import type {Criteria} from '../../model/criteria.js'
import type {Entity, Field} from '../../model/entity.js'
import {storedFields} from '../schema/columns.js'

/** What an answer shows of an entity's rows. */
export interface Shown {
  /** Members to keep; all when `undefined`. */
  includes: readonly string[] | undefined
  associations: Criteria['associations']
}

/**
 * The columns that a page's rows need, in the order of the description: those that are shown, the id, and those that
 * loaded associations hang on.
 */
export function pageColumns(entity: Entity, {includes, associations}: Shown): string[] {
  const loaded = entity.associations.filter(({name}) => Object.hasOwn(associations, name))
  const keys = new Set(['id', ...loaded.map(({column}) => column)])
  const isShown = (field: Field) => isIncluded(entity, field, includes)
  return storedFields(entity)
    .filter(field => keys.has(field.column) || (!field.hidden && isShown(field)))
    .map(({column}) => column)
}

/** Some members are made of others. */
function isIncluded(entity: Entity, {name, kind, translated}: Field, includes: Shown['includes']): boolean {
  if (!includes || includes.includes(name)) return true
  if (includes.includes('extensions') && entity.searchInfo.includes(name)) return true
  if (!includes.includes('translated')) return false
  return translated || (kind === 'custom-fields' && entity.fields.some(field => field.translated))
}
