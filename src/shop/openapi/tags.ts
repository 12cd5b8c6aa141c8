/** The chapters of the document, in its order. */
export const TAGS = {
  'Access token': 'Signing in. "Authorize" does the same, and keeps the token for this page.',
  Customers: 'Finding customers and writing them, with their addresses and groups.',
  'Fulfillment orders': 'Goods to be sent, each order exactly once.',
  'Payment webhook': "Where the payment provider's notifications go, and telling the provider so.",
  Orders: 'What customers bought: line items, deliveries, payments, and their states.',
  'Users and integrations': 'Who may sign in, and what they may do.',
  'Other entities': 'What customers and orders point to, and several writes at once.',
  'About the shop': 'Version, health, settings, schemas and routes.',
  'This server': 'What it holds, and what it does wrong on demand. No real shop has these.',
} as const

export type Tag = keyof typeof TAGS

/** The chapter of an entity, by its name: `customer_address`. */
export function tagOf(entity: string): Tag {
  if (entity.startsWith('customer')) return 'Customers'
  if (entity.startsWith('order')) return 'Orders'
  if (entity === 'fulfillment_order') return 'Fulfillment orders'
  if (/^(user|integration|acl)/.test(entity)) return 'Users and integrations'
  return 'Other entities'
}

/** `customer_address` → `customer addresses` */
export function pluralWords(entity: string): string {
  const words = entity.replaceAll('_', ' ')
  if (/[^aeiou]y$/.test(words)) return `${words.slice(0, -1)}ies`
  return `${words}${/(s|x|ch)$/.test(words) ? 'es' : 's'}`
}

/** `customer_address` → `a customer address`, `order` → `an order` */
export function oneOf(entity: string): string {
  return `${/^([aeio]|u(?!s))/.test(entity) ? 'an' : 'a'} ${entity.replaceAll('_', ' ')}`
}
