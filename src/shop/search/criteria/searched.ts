import type {EntityCriteria} from '../../../shopware/criteria.js'
import {resolveAccessor} from '../../../shopware/entities/entities.js'
import type {Entity} from '../../../shopware/entity.js'
import {listFilterFields} from './used-fields.js'

/**
 * Whether criteria with ids need a search, instead of just reading by id: filters on an entity's own fields are checked
 * while reading.
 *
 * @see protocol.md §6.6, `extensions.search`
 */
export function isSearched(criteria: EntityCriteria, entity: Entity): boolean {
  const {ids, sorting, term, queries, grouping} = criteria
  if (!ids || sorting.length > 0 || term !== undefined || queries.length > 0 || grouping.length > 0)
    return true
  const names = [...criteria.filters, ...criteria.postFilters].flatMap(listFilterFields)
  return names.some(name => {
    const accessor = resolveAccessor(entity, name)
    return 'steps' in accessor && accessor.steps.some(({kind}) => kind !== 'to-one')
  })
}
