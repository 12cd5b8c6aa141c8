import type {ShopEdition} from '../../../shopware/editions.js'
import type {Entity} from '../../../shopware/entity.js'
import {convertToText, isArray} from '../../../shopware/php-values.js'
import {CRITERIA} from '../../runtime/limits.js'
import type {ShopError} from '../../runtime/shop-error.js'
import {createTooManyError} from './check.js'
import {createTypeError} from './errors.js'

type WrittenFields = Record<string, unknown>

/** The fields of one entity from `fields`: its own members, and the associations that dotted names load. */
interface WantedFields {
  /** `undefined` for all of them. */
  fields: readonly string[] | undefined
  associations: unknown
  /** Associations that only dotted names load. */
  loaded?: ReadonlySet<string>
}

/**
 * Reads `fields`. A dotted name loads the association before the dot, with the rest of the name as its fields. Unknown
 * names are ignored.
 *
 * @param associations the `associations` of the criteria, which are kept
 * @throws ShopError 500 when `fields` is not a list, 400 when it is too long
 * @see protocol.md §6.2, §6.6
 */
export function readFields(
  {fields, associations}: WrittenFields,
  entity: Entity,
  edition: ShopEdition,
): WantedFields {
  if (fields === undefined || fields === null) return {fields: undefined, associations}
  if (!isArray(fields)) throw createTypeError('fields', fields)
  const names = Object.values(fields).map(name => removeEntityPrefix(entity, convertToText(name)))
  if (names.length > CRITERIA.fields) throw createTooManyError('fields', names.length, CRITERIA.fields)
  if (names.length === 0) return {fields: undefined, associations}
  const asked = isArray(associations) ? (associations as WrittenFields) : {}
  const loaded: WrittenFields = {...asked}
  for (const name of names) {
    const [first = '', ...rest] = name.split('.')
    const association = entity.associations.find(one => one.name === first)
    const nested = rest.join('.')
    // Older shops also show a nested field of the entity itself.
    const isShown = edition.name !== '6.5' || nested === '' || names.includes(nested)
    if (association && !association.hidden) loaded[first] = addField(loaded[first], isShown ? nested : 'id')
  }
  const own = names.map(name => name.split('.')[0] as string)
  const byFields = new Set(Object.keys(loaded).filter(name => !isArray(asked[name])))
  return {fields: [...own, ...Object.keys(loaded)], associations: loaded, loaded: byFields}
}

/** In older shops, orders, deliveries and payments always include their state. */
export function addOwnStates(wanted: WantedFields, entity: Entity, {name}: ShopEdition): WantedFields {
  if (name !== '6.5' || wanted.fields || !entity.associations.some(({name: one}) => one === OWN_STATE))
    return wanted
  const asked = isArray(wanted.associations) ? (wanted.associations as WrittenFields) : {}
  if (isArray(asked[OWN_STATE])) return wanted
  const loaded = new Set([...(wanted.loaded ?? []), OWN_STATE])
  return {...wanted, associations: {...asked, [OWN_STATE]: {}}, loaded}
}

const OWN_STATE = 'stateMachineState'

/** The criteria of an association with one more field; without a field, with all fields. */
function addField(criteria: unknown, field: string): WrittenFields {
  const sent = (isArray(criteria) ? criteria : {}) as WrittenFields
  if (field === '') return sent
  const known = isArray(sent.fields) ? Object.values(sent.fields) : []
  return {...sent, fields: [...known, field]}
}

function removeEntityPrefix({name: prefix}: Entity, name: string): string {
  return name.startsWith(`${prefix}.`) ? name.slice(prefix.length + 1) : name
}

/** The shop's error for field names that are not texts. */
export function findFieldNameError({fields}: WrittenFields): ShopError | undefined {
  const wrong = isArray(fields) ? Object.values(fields).findIndex(name => typeof name !== 'string') : -1
  return wrong < 0 ? undefined : createTypeError('fieldAccessor', Object.values(fields as object)[wrong])
}
