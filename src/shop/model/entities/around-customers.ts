import {bool, customFields, entity, float, id, text, toOne} from '../describe.js'

/** What a shop keeps around customers besides orders; the bundled shop knows of them and has none. */

export const promotion = entity('promotion', {
  fields: [text('name', {translated: true}), bool('active'), text('code'), customFields()],
})

export const productReview = entity('product_review', {
  fields: [
    id('customerId', {indexed: true}),
    id('salesChannelId'),
    text('title'),
    text('content'),
    float('points'),
    bool('status'),
    customFields(),
  ],
  associations: [toOne('customer', 'customer'), toOne('salesChannel', 'sales_channel')],
})

export const customerRecovery = entity('customer_recovery', {
  fields: [text('hash', {hidden: true}), id('customerId', {indexed: true})],
  associations: [toOne('customer', 'customer')],
})

export const customerWishlist = entity('customer_wishlist', {
  fields: [id('customerId', {indexed: true}), id('salesChannelId'), customFields()],
  associations: [toOne('customer', 'customer'), toOne('salesChannel', 'sales_channel')],
})
