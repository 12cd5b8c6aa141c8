import {randomBytes} from 'node:crypto'
import type {Reply} from './call.js'

export type Values = Record<string, unknown>
export type Made = Values & {id: string}

/** The calls that make things. */
export interface Deps {
  /** Letters and digits that belong to this run alone, for names that must not be taken. */
  run: string
  newId(): string
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Reply>
  search(entity: string, criteria: unknown, headers?: Record<string, string>): Promise<Reply>
  /** Asks for a token with JSON; each call has a throttle bucket of its own. @see protocol.md §2.7 */
  askForToken(body: unknown, headers?: Record<string, string>): Promise<Reply>
  /** The token of a person with the scope `user-verified`: who writes roles, integrations and users. */
  verifiedToken(): Promise<string>
  remove(path: string, headers?: Record<string, string>): Promise<Reply>
}

/** Makes what rows need, through the interface that every shop has, and takes it away again. */
export interface Arrangement {
  /** Ids of what any shop has: one each, the same for the whole run. */
  ids(): Promise<BaseIds>
  /** @returns the customer as it was sent, its billing address in `defaultBillingAddress` */
  customer(values?: Values): Promise<Made>
  /** A customer as one is sent, not yet sent. */
  customerToSend(values?: Values): Promise<Made>
  /** An address as a customer or an order has it, with an id, not yet sent. */
  address(values?: Values): Promise<Made>
  /** With one line, an address, a delivery and a transaction, paid by `transactions[0]`, 119.00 in all. */
  order(values?: Values): Promise<Made>
  /** An order as one is sent, not yet sent. */
  orderToSend(values?: Values): Promise<Made>
  /** Writes rows of any entity, named with underscores: `tag`, `acl_role`. @returns them as sent, with ids */
  rows(entity: string, payload: Values[]): Promise<Made[]>
  /** An integration that may do only what is said. */
  program(privileges: string[], values?: Values): Promise<Program>
  /** A user with a password; an administrator by `{admin: true}`. */
  person(privileges: string[], values?: Values): Promise<Person>
  /** Remembers what a row made by itself, to be removed in the end. */
  remember(entity: string, id: string): void
  /** Removes everything, the last first. */
  remove(): Promise<void>
}

export interface BaseIds {
  customerGroupId: string
  salesChannelId: string
  languageId: string
  currencyId: string
  paymentMethodId: string
  shippingMethodId: string
  countryId: string
  salutationId: string
  localeId: string
  /** The states that new things are in. */
  orderStateId: string
  deliveryStateId: string
  transactionStateId: string
}

export interface Program {
  id: string
  clientId: string
  clientSecret: string
  roleId: string
  /** Asked for anew at every call. */
  token(): Promise<string>
}

export interface Person {
  id: string
  username: string
  password: string
  roleId: string
  token(): Promise<string>
}

/** What no sync writes. */
const GRANTED: ReadonlySet<string> = new Set(['acl_role', 'integration', 'user', 'user_access_key'])

const MOMENT = '2024-10-24T21:30:46.123+00:00'
const ROUNDING = {decimals: 2, interval: 0.01, roundForNet: true}
const TAXES = {calculatedTaxes: [], taxRules: []}

export function arrangement(deps: Deps): Arrangement {
  const {newId, run} = deps
  const made: {entity: string; id: string}[] = []
  let base: Promise<BaseIds> | undefined
  let count = 0

  const ids = () => {
    base ??= lookUpIds(deps)
    return base
  }
  const remember = (entity: string, id: string) => void made.push({entity, id})
  const create = async (entity: string, values: Made): Promise<Made> => {
    const reply = await deps.post(`/api/${entity.replaceAll('_', '-')}`, values)
    if (reply.status !== 204) throw new Error(`No ${entity} made, but ${reply.status}: ${reply.text}`)
    remember(entity, values.id)
    return values
  }
  /** Who may sign in, and what for, is written one by one and in person. @see protocol.md §3.3 */
  const grant = async (entity: string, values: Values): Promise<Made> => {
    const sent = {id: newId(), ...values}
    const headers = {Authorization: `Bearer ${await deps.verifiedToken()}`}
    const reply = await deps.post(`/api/${entity.replaceAll('_', '-')}`, sent, headers)
    if (reply.status !== 204) throw new Error(`No ${entity} made, but ${reply.status}: ${reply.text}`)
    remember(entity, sent.id)
    return sent
  }
  const rows = async (entity: string, payload: Values[]): Promise<Made[]> => {
    if (GRANTED.has(entity)) {
      const granted: Made[] = []
      for (const values of payload) granted.push(await grant(entity, values))
      return granted
    }
    const sent = payload.map(values => ({id: newId(), ...values}))
    await sync(deps, [{entity, action: 'upsert', payload: sent}])
    for (const {id} of sent) remember(entity, id)
    return sent
  }
  const address = async (values: Values = {}): Promise<Made> => ({
    id: newId(),
    firstName: 'Ada',
    lastName: 'Byron',
    street: 'St James Square 12',
    zipcode: 'SW1Y',
    city: 'London',
    countryId: (await ids()).countryId,
    ...values,
  })
  const role = async (privileges: string[]) => {
    return (await grant('acl_role', {name: `role ${run} ${++count}`, privileges})).id
  }
  const tokenBy = (grant: object) => async () => {
    const reply = await deps.askForToken(grant)
    if (reply.status !== 200) throw new Error(`No token, but ${reply.status}: ${reply.text}`)
    return reply.json().access_token as string
  }

  const customerToSend = async (values: Values = {}): Promise<Made> => {
    const {customerGroupId, paymentMethodId, salesChannelId, languageId} = await ids()
    const billing = await address()
    const number = `${run}-${++count}`
    return {
      id: newId(),
      groupId: customerGroupId,
      defaultPaymentMethodId: paymentMethodId,
      salesChannelId,
      languageId,
      defaultBillingAddress: billing,
      defaultShippingAddressId: billing.id,
      customerNumber: number,
      firstName: 'Ada',
      lastName: 'Byron',
      email: `ada-${number}@example.test`,
      ...values,
    }
  }
  const orderToSend = async (values: Values = {}) =>
    orderOf(deps, await ids(), await address(), ++count, values)

  return {
    ids,
    remember,
    rows,
    address,
    customerToSend,
    orderToSend,
    customer: async values => create('customer', await customerToSend(values)),
    order: async values => create('order', await orderToSend(values)),
    program: async (privileges, values = {}) => {
      const roleId = await role(privileges)
      const clientId = `SWIA${randomBytes(22).toString('hex').slice(0, 22).toUpperCase()}`
      const clientSecret = randomBytes(25).toString('hex')
      const {id} = await grant('integration', {
        label: `program ${run}`,
        accessKey: clientId,
        secretAccessKey: clientSecret,
        aclRoles: [{id: roleId}],
        ...values,
      })
      const signIn = {grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret}
      return {id, clientId, clientSecret, roleId, token: tokenBy(signIn)}
    },
    person: async (privileges, values = {}) => {
      const roleId = await role(privileges)
      const username = `grace-${run}-${++count}`
      const password = randomBytes(12).toString('hex')
      const {localeId} = await ids()
      const {id} = await grant('user', {
        username,
        password,
        firstName: 'Grace',
        lastName: 'Hopper',
        email: `${username}@example.test`,
        localeId,
        aclRoles: [{id: roleId}],
        ...values,
      })
      const signIn = {grant_type: 'password', client_id: 'administration', username, password}
      return {id, username, password, roleId, token: tokenBy(signIn)}
    },
    remove: async () => {
      const gone = made.toReversed()
      made.length = 0
      const operations = gone
        .filter(({entity}) => !GRANTED.has(entity))
        .map(({entity, id}) => ({entity, action: 'delete', payload: [{id}]}))
      if (operations.length > 0) await sync(deps, operations)
      for (const {entity, id} of gone.filter(one => GRANTED.has(one.entity))) {
        const headers = {Authorization: `Bearer ${await deps.verifiedToken()}`}
        await deps.remove(`/api/${entity.replaceAll('_', '-')}/${id}`, headers)
      }
    },
  }
}

async function sync({post}: Deps, operations: object[]): Promise<void> {
  const reply = await post('/api/_action/sync', operations)
  if (reply.status !== 200) throw new Error(`Not written, but ${reply.status}: ${reply.text}`)
}

/** An order of one line at 119.00, its one payment still open. */
async function orderOf(
  {newId, run}: Deps,
  ids: BaseIds,
  address: Made,
  count: number,
  values: Values,
): Promise<Made> {
  const lineItemId = newId()
  const price = {unitPrice: 119, totalPrice: 119, quantity: 1, ...TAXES}
  return {
    id: newId(),
    orderNumber: `${run}-${count}`,
    salesChannelId: ids.salesChannelId,
    currencyId: ids.currencyId,
    languageId: ids.languageId,
    stateId: ids.orderStateId,
    currencyFactor: 1,
    orderDateTime: MOMENT,
    price: {totalPrice: 119, netPrice: 119, positionPrice: 119, rawTotal: 119, taxStatus: 'gross', ...TAXES},
    shippingCosts: {...price, unitPrice: 0, totalPrice: 0},
    itemRounding: ROUNDING,
    totalRounding: ROUNDING,
    billingAddressId: address.id,
    addresses: [address],
    orderCustomer: {id: newId(), email: `ada-${run}@example.test`, firstName: 'Ada', lastName: 'Byron'},
    lineItems: [{id: lineItemId, identifier: 'loom', label: 'A loom', type: 'custom', quantity: 1, price}],
    deliveries: [
      {
        id: newId(),
        stateId: ids.deliveryStateId,
        shippingOrderAddressId: address.id,
        shippingMethodId: ids.shippingMethodId,
        trackingCodes: [],
        shippingDateEarliest: MOMENT,
        shippingDateLatest: MOMENT,
        shippingCosts: {...price, unitPrice: 0, totalPrice: 0},
        positions: [{id: newId(), orderLineItemId: lineItemId, price}],
      },
    ],
    transactions: [
      {id: newId(), stateId: ids.transactionStateId, paymentMethodId: ids.paymentMethodId, amount: price},
    ],
    ...values,
  }
}

async function lookUpIds({search}: Deps): Promise<BaseIds> {
  const first = async (entity: string, ...filter: object[]): Promise<Made> => {
    const reply = await search(entity, {limit: 2, filter})
    const found = reply.status === 200 ? reply.json().data[0] : undefined
    if (!found)
      throw new Error(`The shop has no ${entity} to use: ${reply.status} ${reply.text.slice(0, 300)}`)
    return found
  }
  const active = {type: 'equals', field: 'active', value: true}
  const state = async (machine: string) => {
    const inMachine = {type: 'equals', field: 'stateMachine.technicalName', value: `${machine}.state`}
    const open = {type: 'equals', field: 'technicalName', value: 'open'}
    return (await first('state-machine-state', inMachine, open)).id
  }
  const channel = await first('sales-channel', active)
  const language = await first('language', {type: 'equals', field: 'id', value: channel.languageId})
  return {
    customerGroupId: (await first('customer-group')).id,
    salesChannelId: channel.id,
    languageId: language.id,
    currencyId: channel.currencyId as string,
    paymentMethodId: (await first('payment-method', active)).id,
    shippingMethodId: (await first('shipping-method', active)).id,
    countryId: (await first('country', active)).id,
    salutationId: (await first('salutation')).id,
    localeId: language.localeId as string,
    orderStateId: await state('order'),
    deliveryStateId: await state('order_delivery'),
    transactionStateId: await state('order_transaction'),
  }
}
