import {type Entity, EntityModel} from '../entity.js'
import {aclRole, integration, user, userAccessKey} from './access.js'
import {customer} from './customer.js'
import {customerAddress} from './customer-address.js'
import {
  country,
  countryState,
  currency,
  customerGroup,
  customerRecovery,
  customerWishlist,
  language,
  paymentMethod,
  productReview,
  promotion,
  salesChannel,
  salutation,
  shippingMethod,
  tag,
} from './lookups.js'
import {order, orderAddress, orderCustomer} from './order.js'
import {
  fulfillmentOrder,
  orderDelivery,
  orderDeliveryPosition,
  orderLineItem,
  orderTransaction,
  orderTransactionCapture,
} from './order-parts.js'
import {stateMachine, stateMachineHistory, stateMachineState} from './states.js'

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
  order,
  orderAddress,
  orderCustomer,
  orderDelivery,
  orderDeliveryPosition,
  orderLineItem,
  orderTransaction,
  orderTransactionCapture,
  paymentMethod,
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

/** Every entity of a shop. */
export const ENTITY_MODEL = new EntityModel(ENTITIES)
