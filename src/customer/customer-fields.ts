import {StorectlError} from '../errors.js'
import {customer} from '../shop-model/entities/customer.js'
import {ENTITIES} from '../shop-model/entities/index.js'
import type {ShopEntities} from './entity-schema.js'
import {type DescribedEntity, type FieldFinder, fieldFinder} from './fields.js'

/**
 * Fields of a customer, and of what a shop associates with one.
 *
 * @param entities as the shop itself describes them; ours when they are left out
 */
export function customerFields(entities?: ShopEntities): FieldFinder {
  if (!entities) return fieldFinder(customer, name => ENTITIES.find(entity => entity.name === name))
  return fieldFinder(entities.get(customer.name) ?? customer, name => entities.get(name))
}

/** Names of a customer's own fields, in the order in which a shop describes them. */
export function customerFieldNames(): readonly string[] {
  return customer.fields.filter(({hidden}) => !hidden).map(({name}) => name)
}

/** Names of what a customer is associated with. */
export function associationNames(): readonly string[] {
  return customer.associations.filter(({hidden}) => !hidden).map(({name}) => name)
}

/** The entity that paths begin at, and what finds another by its name. */
export function describedEntities(
  entities?: ShopEntities,
): [DescribedEntity, (name: string) => DescribedEntity | undefined] {
  if (!entities) return [customer, name => ENTITIES.find(entity => entity.name === name)]
  return [entities.get(customer.name) ?? customer, name => entities.get(name)]
}

/** Codes of mistakes that a shop which knows more fields than we do would not find. */
const ABOUT_FIELDS = ['usage.where', 'usage.sort', 'usage.fields', 'usage.facet']

/**
 * The fields that what was asked for is about: ours, and the shop's own where ours do not fit. A plugin's fields and
 * those of another release are known to the shop alone, and asking for its description costs a request.
 *
 * @param check throws where a field does not fit
 * @param ofShop as the shop describes them; `undefined` where it does not, or ours are its own
 * @throws StorectlError what `check` throws about fields of the shop, or about ours where that says no more
 */
export async function fittingFields(
  check: (fields: FieldFinder) => void,
  ofShop: () => Promise<ShopEntities | undefined>,
): Promise<FieldFinder> {
  const ours = customerFields()
  try {
    check(ours)
    return ours
  } catch (error) {
    if (!(error instanceof StorectlError && ABOUT_FIELDS.includes(error.code))) throw error
    const entities = await ofShop().catch(failure => {
      if (failure instanceof StorectlError) return undefined
      throw failure
    })
    if (!entities) throw error
    const theirs = customerFields(entities)
    check(theirs)
    return theirs
  }
}
