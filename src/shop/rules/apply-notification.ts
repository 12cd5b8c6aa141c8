import {formatUninitialised} from '../../providers/paypal/notification/assign-fields.js'
import {
  deriveEffect,
  type Effect,
  type EffectMembers,
  type MissingMember,
  type ProviderFacts,
} from '../../providers/paypal/notification/handler-effects.js'
import {
  findHandler,
  findTransactionKey,
  type WebhookHandler,
} from '../../providers/paypal/notification/handlers.js'
import type {MappedEvent} from '../../providers/paypal/notification/mapping.js'
import {MONEY, PAYMENT_TOKEN, V2_RESOURCES} from '../../providers/paypal/notification/structures.js'
import type {TransactionKey} from '../../providers/traits.js'
import {listStateMachines, type ShopEdition} from '../../shopware/editions.js'
import {ENTITY_MODEL} from '../../shopware/entities/entities.js'
import {applyActions, STATE_MACHINES} from '../../shopware/state-machines.js'
import {createHttpError} from '../runtime/shop-error.js'
import {updateEntity} from '../store/entities/entity-writes.js'
import {noteMovement} from '../store/provider-events.js'
import type {ProviderMovementRow, ShopConnection} from '../store/schema/schema.js'
import {
  changeState,
  findTransaction,
  findTransactionByPayment,
  PROVIDER_RESOURCE_FIELD,
  type TransactionState,
} from '../store/state-changes.js'
import {
  createAcceptedEnding,
  createFailedEnding,
  createRefusedEnding,
  type Ending,
} from './delivery-record.js'
import type {PaymentProvider, ProviderAnswer} from './payment-provider.js'

/** Dependencies for handling a notification inside one write. */
interface Handling {
  readonly db: ShopConnection
  readonly provider: PaymentProvider
  readonly now: Date
  readonly edition: ShopEdition
}

/**
 * Applies a notification and returns the result. Either all of its actions are applied, or none.
 *
 * @see protocol.md §4.2 rows 9 to 14, §4.4, §4.5
 */
export async function applyNotification(event: MappedEvent, handling: Handling): Promise<Ending> {
  const handler = findHandler(event.type)
  if (!handler) return createAcceptedEnding(`no handler for ${event.type}`)
  const key = findTransactionKey(handler, event.resource)
  if (key.by === 'fault' && key.fault === 'invalid-transaction-id' && handling.edition.acceptsForeignIds)
    return createAcceptedEnding('the transaction belongs to another system')
  if (key.by === 'fault') return createFailedEnding(FAULTS[key.fault])
  if (handler.rule === 'token-save' || handler.rule === 'token-delete') return applyToVault(event, handler)
  const transaction = await findKeyedTransaction(key, handling.db)
  if (!transaction) return createFailedEnding('unknown order transaction', readTransactionId(key))
  if (isVoidOfAnother(event, transaction, handling.edition))
    return createAcceptedEnding('voids an authorization other than the payment’s', transaction.id)
  await noteMovementOf(event, transaction, handling.db)
  const asked = await ask(handler, event, transaction, handling)
  if (asked.kind === 'ended') return asked.ending
  const effect = deriveEffect(handler.rule, readEffectMembers(event), transaction, asked.facts)
  if (effect.kind === 'missing') return createMissingMemberEnding(effect, transaction.id)
  // The state of a v1 payment is not checked: a cancelled one is cancelled again.
  const isRepeated =
    handling.edition.repeatsCancellation &&
    handler.rule === 'cancel' &&
    event.resource.kind === 'v1' &&
    transaction.state === 'cancelled'
  if (isRepeated) return cancelAgain(transaction, handling)
  const ending = await move(effect.actions, transaction, handling)
  return handler.rule === 'capture' && !transaction.payUponInvoice && handling.edition.keepsResourceIds
    ? keepResourceId(event, ending, transaction, handling)
    : ending
}

/** Newer plugins accept a void only of the payment's own authorization. */
function isVoidOfAnother(
  {type, resource}: MappedEvent,
  transaction: TransactionState,
  {keepsResourceIds}: ShopEdition,
): boolean {
  if (!keepsResourceIds || type !== 'PAYMENT.AUTHORIZATION.VOIDED' || resource.kind !== 'authorization')
    return false
  const {providerResourceId} = transaction
  return providerResourceId !== undefined && resource.id !== providerResourceId
}

/** Newer plugins request the provider's order after a capture, and respond with the result of that. */
async function keepResourceId(
  {resource}: MappedEvent,
  ending: Ending,
  transaction: TransactionState,
  {db, provider}: Handling,
): Promise<Ending> {
  const {id, providerOrderId, customFields} = transaction
  if (ending.answer.status === 400 || providerOrderId === undefined || resource.kind === 'none') return ending
  const asked = await provider.fetchCaptures(db, transaction)
  if (asked.kind === 'failed')
    return createFailedEnding('request to the provider failed after the change', id)
  if (asked.kind === 'found' && resource.id !== undefined) {
    const kept = {customFields: {...customFields, [PROVIDER_RESOURCE_FIELD]: resource.id}}
    await updateEntity(db, {entity: ENTITY_MODEL.get('order_transaction'), id}, kept)
  }
  return ending
}

/** Only v2 resources have more members than the transaction's id. */
function readEffectMembers({resource}: MappedEvent): EffectMembers {
  return resource.kind === 'capture' || resource.kind === 'refund' ? resource : {}
}

const FAULTS: Record<Extract<TransactionKey, {by: 'fault'}>['fault'], string> = {
  'wrong-resource': 'resource_version and resource_type do not match the event type',
  'no-custom-id': 'the resource has no custom_id',
  'no-transaction-id': 'custom_id contains no orderTransactionId',
  'invalid-transaction-id': 'custom_id is not a transaction id',
  'no-parent-payment': 'the resource has no parent_payment',
  'no-route': 'the route contains no transaction',
}

function findKeyedTransaction(
  key: TransactionKey,
  db: ShopConnection,
): Promise<TransactionState | undefined> {
  if (key.by === 'id') return findTransaction(db, key.id)
  if (key.by === 'parent-payment') return findTransactionByPayment(db, key.payment)
  return Promise.resolve(undefined)
}

function readTransactionId(key: TransactionKey): string | undefined {
  return key.by === 'id' ? key.id : undefined
}

/** The money has moved, however the shop handles the notification. */
async function noteMovementOf(event: MappedEvent, transaction: TransactionState, db: ShopConnection) {
  const movement = deriveMovement(event, transaction.id)
  if (movement) await noteMovement(db, movement)
}

type Asked = {kind: 'facts'; facts: ProviderFacts} | {kind: 'ended'; ending: Ending}

async function ask(
  handler: WebhookHandler,
  event: MappedEvent,
  transaction: TransactionState,
  {db, provider}: Handling,
): Promise<Asked> {
  if (handler.asks === 'order') {
    if (transaction.providerOrderId === undefined) return returnEnding(createNoOrderEnding(transaction))
    return createFactReader(await provider.fetchCaptures(db, transaction), transaction, captures => ({
      captures,
    }))
  }
  if (handler.asks === 'sale') {
    const saleId = event.resource.kind === 'v1' ? event.resource.saleId : undefined
    if (!saleId) return returnEnding(createFailedEnding('the resource has no sale_id', transaction.id))
    return createFactReader(
      await provider.fetchSaleState(db, saleId, transaction),
      transaction,
      saleState => ({
        saleState,
      }),
    )
  }
  return {kind: 'facts', facts: {}}
}

/** Custom fields without the order's id make the plugin fail; it only checks that there are any custom fields. */
function createNoOrderEnding({id, customFields}: TransactionState): Ending {
  if (!customFields) return createFailedEnding('the transaction has no order at the provider', id)
  const text =
    'Swag\\PayPal\\RestApi\\V2\\Resource\\OrderResource::get(): Argument #1 ($orderId) must be of type string, null given'
  return createRefusedEnding(createHttpError(500, text), text, id)
}

function createFactReader<T>(
  answer: ProviderAnswer<T>,
  {id}: TransactionState,
  use: (value: T) => ProviderFacts,
): Asked {
  if (answer.kind === 'found') return {kind: 'facts', facts: use(answer.value)}
  return answer.kind === 'not-found'
    ? returnEnding(createAcceptedEnding('the provider does not know the resource', id))
    : returnEnding(createFailedEnding('request to the provider failed', id))
}

function returnEnding(ending: Ending): Asked {
  return {kind: 'ended', ending}
}

const MISSING: Record<MissingMember, (payments: (type: string) => string) => string> = {
  finalCapture: of => formatUninitialised(of('capture'), 'finalCapture'),
  sellerPayableBreakdown: of => formatUninitialised(of('refund'), 'sellerPayableBreakdown'),
  totalRefundedAmount: of =>
    formatUninitialised(`${of('refund')}\\SellerPayableBreakdown`, 'totalRefundedAmount'),
  value: () => formatUninitialised(MONEY, 'value'),
}

function createMissingMemberEnding(
  {member}: Extract<Effect, {kind: 'missing'}>,
  transactionId: string,
): Ending {
  const text = MISSING[member](type => V2_RESOURCES.get(type)?.className ?? type)
  return createRefusedEnding(createHttpError(500, text), text, transactionId)
}

async function move(
  actions: readonly string[],
  transaction: TransactionState,
  handling: Handling,
): Promise<Ending> {
  const machine = listStateMachines(handling.edition).order_transaction
  const {id, state} = transaction
  // Newer shops have another name for the action towards a payment.
  const named = actions.map(action => (Object.hasOwn(machine.targets, action) ? action : 'process'))
  const result = applyActions(machine, state, named)
  if (result.kind === 'refused')
    return createFailedEnding(`${result.action} is not allowed from ${result.state}`, id)
  for (const step of result.steps) {
    const change = {entity: 'order_transaction', id, machine: machine.name, ...step} as const
    await changeState(handling.db, change, handling.now)
  }
  return createAcceptedEnding(result.state === state ? `already ${state}` : `${state} → ${result.state}`, id)
}

/** Keeps the state, and adds to its history. */
async function cancelAgain({id, state}: TransactionState, {db, now}: Handling): Promise<Ending> {
  const {name} = STATE_MACHINES.order_transaction
  const step = {action: 'cancel', from: state, to: state}
  await changeState(db, {entity: 'order_transaction', id, machine: name, ...step}, now)
  return createAcceptedEnding(`already ${state}`, id)
}

/**
 * Stored payment methods: none is ever stored, because the plugin looks up the order of a new one by the token's id,
 * and so none can be deleted.
 *
 * @see protocol.md §4.4
 */
function applyToVault({resource}: MappedEvent, {rule}: WebhookHandler): Ending {
  if (resource.kind !== 'payment-token') return createFailedEnding(FAULTS['wrong-resource'])
  if (rule === 'token-save')
    return createAcceptedEnding(resource.orderId ? 'no order with the token’s id' : 'contains no order id')
  if (resource.id !== undefined) return createAcceptedEnding('unknown payment token')
  const text = formatUninitialised(PAYMENT_TOKEN.className, 'id')
  return createRefusedEnding(createHttpError(500, text), text)
}

/**
 * The movement in a notification: a capture, or a refund of a v1 sale. Refunds of captures contain their total and need
 * no record.
 */
function deriveMovement(
  {type, resource}: MappedEvent,
  transactionId: string,
): ProviderMovementRow | undefined {
  if (resource.kind === 'capture' && type === 'PAYMENT.CAPTURE.COMPLETED') {
    const final = resource.finalCapture ? 1 : 0
    return buildMovement(resource, {kind: 'capture', transaction_id: transactionId, sale_id: null, final})
  }
  if (resource.kind === 'v1' && type === 'PAYMENT.SALE.REFUNDED') {
    const sale_id = resource.saleId ?? null
    return buildMovement(resource, {kind: 'sale-refund', transaction_id: transactionId, sale_id, final: 0})
  }
  return undefined
}

function buildMovement(
  {id, amount}: {id: string | undefined; amount: {value: string | undefined} | undefined},
  rest: Omit<ProviderMovementRow, 'id' | 'amount'>,
): ProviderMovementRow | undefined {
  const value = amount?.value
  if (id === undefined || value === undefined || !Number.isFinite(Number(value))) return undefined
  return {id, amount: value, ...rest}
}
