import {customer} from '../shop-model/entities/customer.js'
import {ENTITIES} from '../shop-model/entities/index.js'
import {type FieldFinder, fieldFinder} from './fields.js'

/** Fields of a customer, and of what a shop associates with one. */
export function customerFields(): FieldFinder {
  return fieldFinder(customer, name => ENTITIES.find(entity => entity.name === name))
}

/** Names of a customer's own fields, in the order in which a shop describes them. */
export function customerFieldNames(): readonly string[] {
  return customer.fields.filter(({hidden}) => !hidden).map(({name}) => name)
}
