import {expect, test} from 'vitest'
import {proposeMap} from '../../src/order/map-proposal.js'
import {checked} from '../support/checked.js'

const inMemory = (text: string) => ({
  name: 'export.csv',
  async *read() {
    yield Buffer.from(text)
  },
})

/**
 * Headers as public files have them: the orders export of Shopify as its users type it (laplace-live/shopify-csv-converter),
 * the profiles of Shopware 5 (SwagImportExport) and 6 (Migration1627983652AddOrderExportProfile), the order report of Amazon
 * and the order import suite of WooCommerce as their users quote them; rows are made up.
 */
const EXPORTS: Readonly<Record<string, {table: string; missing: string[]}>> = {
  Shopify: {
    table: `Name,Email,Financial Status,Created at,Lineitem quantity,Lineitem name,Lineitem price,Lineitem sku,Billing Name,Billing City,Shipping Name,Shipping Street,Shipping Address1,Shipping Address2,Shipping Company,Shipping City,Shipping Zip,Shipping Province,Shipping Country,Shipping Phone,Notes
1001,ada@example.com,paid,2026-10-24 09:30:00 +0200,2,Mug,12.90,MUG,Ada,Köln,Ada L,Weg 1,Weg 1,,,Dresden,01067,,DE,,
1001,ada@example.com,,2026-10-24 09:30:00 +0200,1,Shirt,8.00,SHIRT,,,,,,,,,,,,,
`,
    missing: [],
  },
  'Shopware 5': {
    table: `orderId;number;orderTime;orderDetailId;articleNumber;quantity;price;billingCity;shippingCompany;shippingFirstname;shippingLastname;shippingStreet;shippingZipcode;shippingCity;shippingStateName;shippingCountryIso;shippingAdditionalAddressLine1;email;customerComment
1;20001;2026-10-24 09:30:00;7;MUG;2;12.9;Köln;;Ada;Lovelace;Weg 1;01067;Dresden;;DE;;ada@example.com;
`,
    missing: [],
  },
  'Shopware 6': {
    table: `id;order_number;customer_firstname;customer_lastname;customer_email;shipping_address_street;shipping_address_zipcode;shipping_address_city;shipping_address_company;shipping_address_country_id;line_items;order_date_time
a;10001;Ada;Lovelace;ada@example.com;Weg 1;01067;Dresden;;b;2x Mug;2026-10-24 09:30:00.000
`,
    missing: ['line.sku', 'line.quantity', 'shipTo.country'],
  },
  WooCommerce: {
    table: `order_id,order_number,order_date,billing_email,shipping_first_name,shipping_last_name,shipping_company,shipping_address_1,shipping_address_2,shipping_postcode,shipping_city,shipping_state,shipping_country,customer_note,line_item_1,line_item_2
5,5,2026-10-24 09:30:00,ada@example.com,Ada,L,,Weg 1,,01067,Dresden,,DE,,MUG,SHIRT
`,
    missing: ['line.sku', 'line.quantity'],
  },
  Amazon: {
    table: `order-id\torder-item-id\tpurchase-date\tbuyer-email\tbuyer-name\tsku\tproduct-name\tquantity-purchased\titem-price\trecipient-name\tship-address-1\tship-address-2\tship-address-3\tship-city\tship-state\tship-postal-code\tship-country\tship-phone-number
111-22-33\t9\t2026-10-24T10:50:49-08:00\ta@example.net\tAda\tMUG\tMug\t1\t1.29\tAda L\tWeg 1\tHof\t2. Stock\tDresden\t\t01067\tDE\t
`,
    missing: [],
  },
}

test.each(Object.entries(EXPORTS))(
  'the header of %s is known, and its mapping reads it',
  async (system, {table, missing}) => {
    const {map, note} = await proposeMap(inMemory(table))
    expect(note).toMatch(new RegExp(`^Header: ${system}\\. `))
    const {lines} = await checked(table, {asked: {map: ['@m']}, files: {m: JSON.stringify(map)}})
    if (missing.length === 0) expect(lines).toEqual([])
    else expect(note).toContain(`No column for ${missing.join(', ')}.`)
  },
)

test('other names are proposed where they come near to a field, each field once; titles are passed over', async () => {
  const table = 'Orders of May\n"Reference";Postal Code;City;PLZ;quantity;Quantity;Colour, size\n'
  expect(await proposeMap(inMemory(table))).toEqual({
    map: {
      ...{Reference: 'reference', 'Postal Code': 'shipTo.postalCode', City: 'shipTo.city'},
      ...{quantity: 'line.quantity', PLZ: '-', Quantity: '-', 'Colour, size': '-'},
    },
    note: 'Header: similar names. 3 of 7 columns are ignored (-). No column for line.sku, shipTo.name, shipTo.street, shipTo.country. The header is in line 2: add --skip-rows 1.',
  })
})

test('a file without a header has no mapping', async () => {
  expect((await proposeMap(inMemory(''))).map).toEqual({})
})
