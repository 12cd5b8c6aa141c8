/** A row of an entity's table; which columns there are, the description in `shop-model/entities` says. */
export type EntityRow = Record<string, string | number | null>

/** Tables of entities. They are made from the descriptions when the shop is opened, not by migrations. */
export type EntityTables = Record<EntityName, EntityRow>

type EntityName =
  | 'country'
  | 'country_state'
  | 'currency'
  | 'customer'
  | 'customer_address'
  | 'customer_group'
  | 'customer_tag'
  | 'fulfillment_order'
  | 'language'
  | 'order'
  | 'order_address'
  | 'order_customer'
  | 'order_delivery'
  | 'order_delivery_position'
  | 'order_line_item'
  | 'order_transaction'
  | 'order_transaction_capture'
  | 'payment_method'
  | 'sales_channel'
  | 'salutation'
  | 'shipping_method'
  | 'state_machine'
  | 'state_machine_history'
  | 'state_machine_state'
  | 'tag'
  | 'user'
  | 'user_access_key'
