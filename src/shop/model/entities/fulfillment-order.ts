import {bool, customFields, date, dateTime, entity, json, rankedWhole, text} from '../describe.js'

/**
 * Goods to be sent, as a caller submitted them. References are compared letter by letter, as they are the caller's keys.
 *
 * @see fulfillment-order.md
 */
export const fulfillmentOrder = entity('fulfillment_order', {
  fields: [
    text('reference', {...rankedWhole(500), unique: true}),
    text('orderNumber', {...rankedWhole(500), indexed: true}),
    dateTime('orderDate'),
    text('status'),
    json('lines'),
    json('shipTo'),
    text('shippingMethod'),
    date('shipNotBefore'),
    bool('hold'),
    text('fillPolicy'),
    text('note'),
    customFields(),
    text('contentHash', {hidden: true}),
    text('idempotencyKey', {hidden: true, indexed: true}),
  ],
})
