import {StorectlError} from '../../errors.js'
import type {Presenter} from '../../output/presenter.js'
import type {Row, View} from '../../output/view.js'
import {
  type Associations,
  type CriteriaFilter,
  LARGEST_PAGE,
  type SearchCriteria,
} from '../criteria/criteria.js'
import {parseId, refuseEmptyInput} from '../criteria/customer-query.js'
import {buildEmailFilter} from '../criteria/email-address.js'
import {selectRequestedProperties} from '../criteria/merge-criteria.js'
import type {ShopEntities} from '../fields/customer-fields.js'
import {chooseFields, type DescriptionQuery} from '../fields/customer-fields.js'
import type {FieldFinder} from '../fields/fields.js'
import {maskRow} from '../fields/mask.js'
import {parseRows} from '../search/pages.js'
import type {CustomerApi} from '../search/search-client.js'
import {addColumns} from './customer-view.js'

/** How one customer is shown. */
export const CUSTOMER: View = {
  noun: ['customer', 'customers'],
  columns: [
    {path: 'id'},
    {path: 'customerNumber'},
    {path: 'firstName'},
    {path: 'lastName'},
    {path: 'email'},
    {path: 'company'},
    {path: 'active'},
    {path: 'guest'},
    {path: 'createdAt', kind: 'time'},
    {path: 'lastOrderDate', kind: 'time'},
    {path: 'orderCount', kind: 'number'},
    {path: 'orderTotalAmount', kind: 'number'},
  ],
  id: 'id',
}

/** The addresses below the customer. */
export const ADDRESSES: View = {
  noun: ['address', 'addresses'],
  columns: [
    {path: 'use'},
    {path: 'firstName'},
    {path: 'lastName'},
    {path: 'company'},
    {path: 'street'},
    {path: 'zipcode', header: 'ZIP'},
    {path: 'city'},
    {path: 'country.iso', header: 'COUNTRY'},
    {path: 'phoneNumber', header: 'PHONE'},
  ],
  id: 'id',
}

/** The orders below them. */
const RECENT_ORDERS: View = {
  noun: ['order', 'orders'],
  columns: [
    {path: 'orderNumber', header: 'NUMBER'},
    {path: 'orderDateTime', header: 'ORDERED', kind: 'time'},
    {path: 'stateMachineState.technicalName', header: 'STATE'},
    {path: 'amountTotal', header: 'TOTAL', kind: 'number'},
    {path: 'currency.isoCode', header: 'CURRENCY'},
  ],
  id: 'id',
}

const ORDERS_SHOWN = 5

/** More than anybody has; the shop returns no more at once. */
const ADDRESSES_SHOWN = LARGEST_PAGE

/** A customer and associated rows; `null` if the access token may not read them, which `hidden` then lists. */
export interface ShownCustomer {
  /** As the shop sent it. */
  readonly customer: Row
  /** The default ones first. */
  readonly addresses: readonly Row[] | null
  /** The newest first, five at most. */
  readonly recentOrders: readonly Row[] | null
  readonly hidden: readonly string[]
}

export interface ShowDeps {
  readonly api: CustomerApi
  readonly fields: FieldFinder
  readonly signal: AbortSignal
}

/** Shown of an address though the shop knows no such field. */
const ADDED = ['addresses', 'addresses.use', 'recentOrders']

/**
 * What has to be loaded beside a customer, and beside the addresses, for what is printed of them.
 *
 * @param paths what `--fields` names; nothing where the usual is printed
 * @throws StorectlError `usage.fields`
 */
function selectAssociations(
  paths: readonly string[] = [],
  fields: FieldFinder,
): {customer: Associations; addresses: Associations} {
  const asked = paths.filter(path => !ADDED.includes(path) && !path.startsWith('recentOrders.'))
  const {addresses, ...customer} = selectRequestedProperties(asked, fields).associations ?? {}
  return {customer, addresses: addresses?.associations ?? {}}
}

/**
 * The customer with an id, a customer number or an e-mail address, with addresses and the newest orders.
 *
 * @param paths as `selectAssociations` takes them
 * @throws StorectlError `empty.no_customer`; `usage.several_customers` where an address belongs to more than one; and as
 * `CustomerApi.search` does
 */
async function showCustomer(
  word: string,
  paths: readonly string[] | undefined,
  {api, fields, signal}: ShowDeps,
): Promise<ShownCustomer> {
  const loaded = selectAssociations(paths, fields)
  const asked = {filter: [filterFor(word)], limit: 2, ...buildAssociationCriteria(loaded.customer)}
  const found = parseRows(await api.search(asked, signal))
  if (found.length === 0) throw await createNoCustomerError(word, asked, {api, signal})
  const customer = requireSingleCustomer(found, word)
  const id = String(customer.id)
  const [addresses, recentOrders] = await Promise.all([
    skipForbidden(api.list('customer-address', buildAddressCriteria(id, loaded.addresses), signal)),
    skipForbidden(api.list('order', buildOrderCriteria(id), signal)),
  ])
  const hidden = [...(addresses ? [] : ['addresses']), ...(recentOrders ? [] : ['orders'])]
  return {customer, addresses: addresses && sortAddressesByUse(customer, addresses), recentOrders, hidden}
}

function buildAssociationCriteria(associations: Associations): Pick<SearchCriteria, 'associations'> {
  return Object.keys(associations).length > 0 ? {associations} : {}
}

/** Similar numbers that are named. */
const MOST_NAMED = 3

/** A number that begins with the word may be another person's, so it is only named. */
async function createNoCustomerError(
  word: string,
  asked: SearchCriteria,
  {api, signal}: Pick<ShowDeps, 'api' | 'signal'>,
): Promise<StorectlError> {
  const filter: CriteriaFilter[] = [{type: 'prefix', field: 'customerNumber', value: word}]
  const isNumber = !word.includes('@') && parseId(word) === undefined
  const similar = isNumber ? parseRows(await api.search({...asked, filter, limit: MOST_NAMED}, signal)) : []
  return new StorectlError('empty.no_customer', `The shop has no customer ${word}.`, {
    nextSteps: similar.map(({customerNumber}) => `storectl customer show ${customerNumber}`),
  })
}

function requireSingleCustomer(found: readonly Row[], word: string): Row {
  const [customer, other] = found
  if (customer && !other) return customer
  const numbers = found.map(({customerNumber}) => customerNumber).join(', ')
  throw new StorectlError('usage.several_customers', `${word} matches more than one customer: ${numbers}.`, {
    nextSteps: [`storectl customer search ${word}`, 'storectl customer show NUMBER'],
  })
}

function buildAddressCriteria(customerId: string, associations: Associations): SearchCriteria {
  return {
    filter: [{type: 'equals', field: 'customerId', value: customerId}],
    sort: [{field: 'createdAt', order: 'ASC'}],
    limit: ADDRESSES_SHOWN,
    associations: {country: {}, ...associations},
  }
}

function buildOrderCriteria(customerId: string): SearchCriteria {
  return {
    filter: [{type: 'equals', field: 'orderCustomer.customerId', value: customerId}],
    sort: [{field: 'orderDateTime', order: 'DESC'}],
    limit: ORDERS_SHOWN,
    associations: {stateMachineState: {}, currency: {}},
  }
}

/** A token that may read customers may still be one that may not read this. */
async function skipForbidden(rows: Promise<readonly Row[]>): Promise<readonly Row[] | null> {
  try {
    return await rows
  } catch (error) {
    if (error instanceof StorectlError && error.exitName === 'auth') return null
    throw error
  }
}

/** The default addresses first, each with what it is used for. */
function sortAddressesByUse(
  {defaultBillingAddressId, defaultShippingAddressId}: Row,
  addresses: readonly Row[],
): Row[] {
  const useOf = ({id}: Row) =>
    [id === defaultBillingAddressId && 'billing', id === defaultShippingAddressId && 'shipping'].filter(
      Boolean,
    )
  return addresses
    .map(address => ({...address, use: useOf(address).join(', ')}))
    .sort((a, b) => Number(b.use !== '') - Number(a.use !== ''))
}

function filterFor(word: string): CriteriaFilter {
  const id = parseId(word)
  if (id !== undefined) return {type: 'equals', field: 'id', value: id}
  return word.includes('@') ? buildEmailFilter(word) : {type: 'equals', field: 'customerNumber', value: word}
}

export interface PresentCustomerDeps extends Pick<ShowDeps, 'signal'> {
  readonly openApi: () => Promise<CustomerApi>
  /** How the shop describes its entities. */
  readonly describe: (query: DescriptionQuery) => Promise<ShopEntities | undefined>
}

/**
 * Prints a customer; below it, in a table, the addresses and the newest orders.
 *
 * @param isMasked whether personal values are printed as `***`
 * @throws StorectlError `usage.empty_value`, and as `showCustomer` does
 */
export async function presentCustomer(
  word: string,
  isMasked: boolean,
  {openApi, describe, signal}: PresentCustomerDeps,
  presenter: Presenter,
): Promise<void> {
  refuseEmptyInput({}, [word], 'customer')
  const paths = presenter.fields
  const fields = await chooseFields(found => void selectAssociations(paths, found), describe)
  const shown = await showCustomer(word, paths, {api: await openApi(), fields, signal})
  const mask = isMasked ? maskRow : (row: Row) => row
  const {customer, addresses, recentOrders, hidden} = shown
  await presenter.printOne(mask({...customer, addresses, recentOrders}), addColumns(CUSTOMER, paths, fields))
  if (presenter.format === 'table' && !paths) {
    await printBelow('Addresses', addresses?.map(mask), ADDRESSES, presenter)
    await printBelow('Recent orders', recentOrders?.map(mask), RECENT_ORDERS, presenter)
  }
  if (hidden.length > 0) await presenter.note(`This account may not read ${hidden.join(' and ')}.`)
}

async function printBelow(
  title: string,
  rows: readonly Row[] | undefined,
  view: View,
  presenter: Presenter,
): Promise<void> {
  if (!rows || rows.length === 0) return
  await presenter.write(`\n${title}\n`)
  await presenter.print(rows, view)
}
