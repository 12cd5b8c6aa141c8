import type {ShopEdition} from '../editions.js'
import {type Association, type Entity, EntityModel, type Field} from '../entity.js'
import {aclRole, integration, user, userAccessKey} from './access.js'
import {customer, customerAddress} from './customer.js'
import {
  country,
  countryState,
  currency,
  customerGroup,
  customerRecovery,
  customerWishlist,
  language,
  locale,
  paymentMethod,
  plugin,
  productReview,
  promotion,
  salesChannel,
  salutation,
  shippingMethod,
  stateMachine,
  stateMachineHistory,
  stateMachineState,
  tag,
} from './lookups.js'
import {addNewerMembers} from './newer-members.js'
import {order, orderAddress, orderCustomer} from './order.js'
import {
  fulfillmentOrder,
  orderDelivery,
  orderDeliveryPosition,
  orderLineItem,
  orderTransaction,
  orderTransactionCapture,
} from './order-parts.js'

/** All entities of a shop. To add one, describe it in a file here and add it to this list. */
export const ENTITIES: readonly Entity[] = [
  aclRole,
  customer,
  customerAddress,
  customerGroup,
  customerRecovery,
  customerWishlist,
  country,
  countryState,
  currency,
  fulfillmentOrder,
  integration,
  language,
  locale,
  order,
  orderAddress,
  orderCustomer,
  orderDelivery,
  orderDeliveryPosition,
  orderLineItem,
  orderTransaction,
  orderTransactionCapture,
  paymentMethod,
  plugin,
  productReview,
  promotion,
  salesChannel,
  salutation,
  shippingMethod,
  stateMachine,
  stateMachineHistory,
  stateMachineState,
  tag,
  user,
  userAccessKey,
]

/** Every entity of a shop, as all versions but the newest have them. */
export const ENTITY_MODEL = new EntityModel(ENTITIES)

const LAST_PAYMENT_COLUMN = 'last_payment_method_id'

/** The same for 6.7: customers have no payment method of their own, and addresses have a hash. */
const NEWER_MODEL = new EntityModel(ENTITIES.map(renewEntity))

function renewEntity(entity: Entity): Entity {
  if (entity !== paymentMethod) return addNewerMembers(entity)
  const associations = entity.associations.map(one =>
    one.name === 'customers' ? {...one, targetColumn: LAST_PAYMENT_COLUMN} : one,
  )
  return {...entity, associations}
}

/** The entities of an edition of the shop. */
export function chooseModel({hasDefaultPayment}: ShopEdition): EntityModel {
  return hasDefaultPayment ? ENTITY_MODEL : NEWER_MODEL
}

const NEWER: ReadonlySet<Entity> = new Set(NEWER_MODEL.entities)

/** Whether an entity is 6.7's. */
export function isNewer(entity: Entity): boolean {
  return NEWER.has(entity)
}

/** The model that an entity is part of, which knows the targets of its associations. */
export function findModel(entity: Entity): EntityModel {
  return isNewer(entity) ? NEWER_MODEL : ENTITY_MODEL
}

/** Names of mapping tables, which are not entities of their own. */
export const MAPPING_NAMES: readonly string[] = [
  ...new Set(ENTITIES.flatMap(({associations}) => associations.flatMap(({through}) => through?.table ?? []))),
]

/** What a dotted name refers to. */
export interface Accessor {
  /** Associations crossed, in order. */
  steps: readonly Association[]
  /** The entity that holds the field. */
  entity: Entity
  field: Field
  /** The names after `customFields`, from the outermost in. */
  path: readonly string[]
  /** Whether the name continues after a value without members: no row has a value there. */
  isBeyond?: true
}

/** A name that refers to no field: its last part, and the last entity on its path. */
interface Unmapped {
  unmapped: string
  entity: Entity
  /** Whether it is the name of an association. */
  isAssociation?: true
}

/**
 * Resolves a dotted name from an entity; the entity's own name may come first.
 *
 * @see protocol.md §6.3, `field`
 */
export function resolveAccessor(
  root: Entity,
  name: string,
  model: Pick<EntityModel, 'get'> = findModel(root),
): Accessor | Unmapped {
  const parts = removeEntityPrefix(root, name).split('.')
  const steps: Association[] = []
  let entity = root
  for (const [index, part] of parts.entries()) {
    const field = entity.fields.find(one => one.name === part)
    const rest = parts.slice(index + 1)
    if (field && acceptsPath(field, rest)) return {steps, entity, field, path: rest}
    if (field && field.kind !== 'custom-fields') return {steps, entity, field, path: [], isBeyond: true}
    const association = entity.associations.find(one => one.name === part)
    if (association && rest.length === 0) return {unmapped: part, entity, isAssociation: true}
    if (!association) return {unmapped: parts.at(-1) ?? '', entity}
    steps.push(association)
    entity = model.get(association.target)
  }
  return {unmapped: name, entity}
}

/** The name in the shop's errors: prefixed with the entity's, unless it has that in it; since 6.7 at its start. */
export function addEntityPrefix(root: Entity, name: string): string {
  const prefix = `${root.name}.`
  const isThere = isNewer(root) ? name.startsWith(prefix) : name.includes(prefix)
  return isThere ? name : `${prefix}${name}`
}

function removeEntityPrefix(root: Entity, name: string): string {
  return name.startsWith(`${root.name}.`) ? name.slice(root.name.length + 1) : name
}

function acceptsPath(field: Field, path: readonly string[]): boolean {
  return field.kind === 'custom-fields' ? path.every(part => part !== '') : path.length === 0
}
