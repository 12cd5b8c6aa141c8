import {text} from '../describe.js'
import type {Entity} from '../entity.js'

const PAYMENT_OF_CUSTOMER: ReadonlySet<string> = new Set(['defaultPaymentMethodId', 'defaultPaymentMethod'])

const ACTIVE_ADDRESSES = ['activeBillingAddress', 'activeShippingAddress']

/** The fields that a hash of an address covers. */
const PARTS_OF_ADDRESS = [
  'firstName',
  'lastName',
  'zipcode',
  'city',
  'company',
  'department',
  'title',
  'street',
  'additionalAddressLine1',
  'additionalAddressLine2',
  'countryId',
  'countryStateId',
]

/** A customer or an address with its fields in 6.7; any other entity unchanged. @see shop-6.7.md §4 */
export function addNewerMembers(entity: Entity): Entity {
  if (entity.name === 'customer') return renewCustomer(entity)
  if (entity.name !== 'customer_address') return {...entity}
  const hash = text('hash', {madeOf: PARTS_OF_ADDRESS})
  const at = entity.fields.findIndex(({name}) => name === 'createdAt')
  return {
    ...entity,
    fields: entity.fields.toSpliced(at, 0, hash),
    plainOrder: [...entity.plainOrder, hash.name],
  }
}

function renewCustomer(entity: Entity): Entity {
  const keep = (name: string) => !PAYMENT_OF_CUSTOMER.has(name)
  const {writing} = entity
  return {
    ...entity,
    fields: entity.fields.filter(({name}) => keep(name)),
    associations: entity.associations
      .filter(({name}) => keep(name))
      .map(one => (ACTIVE_ADDRESSES.includes(one.name) ? {...one, isShownEmpty: true} : one)),
    plainOrder: entity.plainOrder
      .filter(keep)
      .flatMap(name => (name === 'addresses' ? [...ACTIVE_ADDRESSES, name] : [name])),
    ...(writing ? {writing: {...writing, required: writing.required.filter(keep)}} : {}),
  }
}
