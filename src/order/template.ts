import type {FulfillmentOrder} from '../wire/schemas/fulfillment-order.js'
import {listOrderColumns} from './draft/columns.js'

export const TEMPLATES = ['csv', 'json', 'ndjson'] as const

/** Has every field once, so that unneeded ones can be deleted. */
const EXAMPLE: FulfillmentOrder = {
  reference: 'WEB-10001',
  orderNumber: '10001',
  orderDate: '2024-10-24T09:30:00+02:00',
  lines: [
    {sku: 'SHIRT-M', quantity: 2, reference: '1', unitPrice: {amount: '12.90', currency: 'EUR'}},
    {sku: 'MUG', quantity: 1, reference: '2', unitPrice: {amount: '8.00', currency: 'EUR'}},
  ],
  shipTo: {
    name: 'Ada Lovelace',
    company: 'Analytical Engines',
    street: 'Prager Straße 10',
    additionalLine: 'Hinterhaus',
    postalCode: '01069',
    city: 'Dresden',
    state: 'Sachsen',
    country: 'DE',
    email: 'ada@example.com',
    phone: '+49 351 0000000',
  },
  shippingMethod: 'standard',
  shipNotBefore: '2024-10-28',
  hold: false,
  fillPolicy: 'all-or-nothing',
  note: 'Leave it with the neighbour',
}

/**
 * An input with every field and an order of two lines, valid as it stands.
 *
 * @see fulfillment-order.md "In bulk"
 */
export function renderTemplate(format: (typeof TEMPLATES)[number]): string {
  if (format === 'json') return `${JSON.stringify([EXAMPLE], null, 2)}\n`
  if (format === 'ndjson') return `${JSON.stringify(EXAMPLE)}\n`
  const columns = listOrderColumns()
  const rows = EXAMPLE.lines.map(line => columns.map(path => formatCell(readValue({...EXAMPLE, line}, path))))
  return [columns, ...rows].map(row => `${row.join(',')}\n`).join('')
}

function readValue(value: unknown, path: string): unknown {
  return path.split('.').reduce((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value)
}

function formatCell(value: unknown): string {
  const text = String(value ?? '')
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
