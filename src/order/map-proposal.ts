import {findField, findNearestField} from './draft/columns.js'
import type {OrderInput} from './draft/draft.js'
import {listContractColumns, readHeader} from './draft/header.js'
import {findHeaderLine} from './draft/header-line.js'
import {decodeInput} from './draft/text-encoding.js'

/**
 * Columns of the fields, in systems whose export, or its code, is public. Amounts are left out: exports have sums of a
 * row, or prices with more decimals than an order takes.
 */
const SYSTEMS: Readonly<Record<string, string>> = {
  Shopify: `reference=Name; orderDate=Created at; shipTo.email=Email; note=Notes; line.sku=Lineitem sku;
    line.quantity=Lineitem quantity; shipTo.name=Shipping Name; shipTo.company=Shipping Company;
    shipTo.street=Shipping Address1; shipTo.additionalLine=Shipping Address2; shipTo.postalCode=Shipping Zip;
    shipTo.city=Shipping City; shipTo.state=Shipping Province; shipTo.country=Shipping Country;
    shipTo.phone=Shipping Phone`,
  'Shopware 5': `reference=number; orderDate=orderTime; line.reference=orderDetailId; line.sku=articleNumber;
    line.quantity=quantity; shipTo.name=shippingFirstname+shippingLastname; shipTo.company=shippingCompany;
    shipTo.street=shippingStreet; shipTo.additionalLine=shippingAdditionalAddressLine1; shipTo.email=email;
    shipTo.postalCode=shippingZipcode; shipTo.city=shippingCity; shipTo.state=shippingStateName;
    shipTo.country=shippingCountryIso; shipTo.phone=shippingPhone; note=customerComment`,
  'Shopware 6': `reference=order_number; orderDate=order_date_time; shipTo.name=customer_firstname+customer_lastname;
    shipTo.email=customer_email; shipTo.company=shipping_address_company; shipTo.city=shipping_address_city;
    shipTo.additionalLine=shipping_address_department; shipTo.street=shipping_address_street;
    shipTo.postalCode=shipping_address_zipcode`,
  WooCommerce: `reference=order_number; orderDate=order_date; shipTo.name=shipping_first_name+shipping_last_name;
    shipTo.company=shipping_company; shipTo.street=shipping_address_1; shipTo.additionalLine=shipping_address_2;
    shipTo.postalCode=shipping_postcode; shipTo.city=shipping_city; shipTo.state=shipping_state;
    shipTo.country=shipping_country; shipTo.phone=shipping_phone; shipTo.email=billing_email; note=customer_note`,
  Amazon: `reference=order-id; line.reference=order-item-id; orderDate=purchase-date; line.sku=sku;
    line.quantity=quantity-purchased; shipTo.name=recipient-name; shipTo.street=ship-address-1;
    shipTo.additionalLine=ship-address-2+ship-address-3; shipTo.postalCode=ship-postal-code; shipTo.city=ship-city;
    shipTo.state=ship-state; shipTo.country=ship-country; shipTo.phone=ship-phone-number; shipTo.email=buyer-email`,
}

export interface MapProposal {
  /** Fields by columns, as `--map @FILE` takes them; `-` for a column without a known field. */
  readonly map: Readonly<Record<string, string>>
  /** Notes for a person. */
  readonly note: string
}

/**
 * Proposes fields for the columns of a table, by the names that exports of other systems have, or by similar ones.
 *
 * @throws StorectlError as `decodeInput` does
 */
export async function proposeMap(input: OrderInput): Promise<MapProposal> {
  const start = await readStart(input)
  const finders = [
    ...Object.entries(SYSTEMS).map(([name, text]) => [name, parseSystem(text)] as const),
    SIMILAR,
  ]
  const proposals = finders.map(([system, list]) => {
    const countKnown = (names: readonly string[]) => list(names).length
    const header = findHeaderLine(start, countKnown) ?? {line: 1, names: []}
    return {system, ...header, known: list(header.names)}
  })
  const {system, line, names, known} = proposals.reduce((a, b) => (b.known.length > a.known.length ? b : a))
  const used = new Set(known.flatMap(([, columns]) => columns))
  const ignored = names.filter(name => name !== '' && !used.has(name))
  const map = Object.fromEntries([
    ...known.map(([field, columns]) => [columns.join('+'), field]),
    ...ignored.map(name => [name, '-']),
  ]) as Record<string, string>
  const {faults} = readHeader(names, {...listContractColumns(), renamed: new Map(Object.entries(map))})
  const missing = faults.filter(({at}) => at === undefined).map(({name}) => name)
  const lacks = missing.length > 0 ? ` No column for ${missing.join(', ')}.` : ''
  const skip = line > 1 ? ` The header is in line ${line}: add --skip-rows ${line - 1}.` : ''
  return {
    map,
    note: `Header: ${system}. ${ignored.length} of ${names.length} columns are ignored (-).${lacks}${skip}`,
  }
}

async function readStart(input: OrderInput): Promise<string> {
  for await (const piece of decodeInput(input)) return piece.toString('utf8', 0, 64 * 1024)
  return ''
}

/** The fields that column names mean, each with its columns. */
type FieldLister = (names: readonly string[]) => (readonly [field: string, columns: readonly string[]])[]

function parseSystem(text: string): FieldLister {
  const fields = text.split(';').map(pair => pair.trim().split('=') as [string, string])
  return names =>
    fields.flatMap(([field, columns]) => {
      const isOne = (part: string) => (name: string) => name.toLowerCase() === part.toLowerCase()
      const found = columns.split('+').flatMap(part => names.find(isOne(part)) ?? [])
      return found.length > 0 ? [[field, found] as const] : []
    })
}

const SIMILAR: readonly [string, FieldLister] = [
  'similar names',
  names => {
    const {known} = listContractColumns()
    const fields = new Map<string, string[]>()
    for (const name of names) {
      const field = name === '' ? undefined : (findField(name, known)?.path ?? findNearestField(name, known))
      if (field !== undefined && !fields.has(field)) fields.set(field, [name])
    }
    return [...fields]
  },
]
