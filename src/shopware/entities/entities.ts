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

/** Everything a shop knows of. An entity is added by describing it in a file here and naming it in this list. */
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

/** The same of 6.7: customers have no payment method of their own, and addresses a hash. */
const NEWER_MODEL = new EntityModel(ENTITIES.map(renewEntity))

function renewEntity(entity: Entity): Entity {
  if (entity !== paymentMethod) return addNewerMembers(entity)
  const associations = entity.associations.map(one =>
    one.name === 'customers' ? {...one, targetColumn: LAST_PAYMENT_COLUMN} : one,
  )
  return {...entity, associations}
}

/** The entities as an edition of the shop describes them. */
export function chooseModel({hasDefaultPayment}: ShopEdition): EntityModel {
  return hasDefaultPayment ? ENTITY_MODEL : NEWER_MODEL
}

const NEWER: ReadonlySet<Entity> = new Set(NEWER_MODEL.entities)

/** Whether an entity is as 6.7 describes it. */
export function isNewer(entity: Entity): boolean {
  return NEWER.has(entity)
}

/** The model that an entity is part of, which knows the targets of its associations. */
export function findModel(entity: Entity): EntityModel {
  return isNewer(entity) ? NEWER_MODEL : ENTITY_MODEL
}

/** Names of what joins two kinds of things, and is no kind by itself. */
export const MAPPING_NAMES: readonly string[] = [
  ...new Set(ENTITIES.flatMap(({associations}) => associations.flatMap(({through}) => through?.table ?? []))),
]

/** Where a dotted name leads. */
export interface Accessor {
  /** Associations crossed, in order. */
  steps: readonly Association[]
  /** The entity that holds the field. */
  entity: Entity
  field: Field
  /** The names behind `checkCustomFields`, from the outermost in. */
  path: readonly string[]
  /** Whether the name goes on behind a value that has no members: no row has anything there. */
  isBeyond?: true
}

/** A name that leads to no field: its last part, and the entity where the way ended. */
interface Unmapped {
  unmapped: string
  entity: Entity
  /** Whether it is the name of an association. */
  isAssociation?: true
}

/**
 * Follows a dotted name from an entity; its own name in front is allowed.
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

/** The name as the shop writes it in its errors: with the entity's own in front, unless that is in it; since 6.7 at its start. */
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
