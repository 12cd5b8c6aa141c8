import {type Assigned, assign, formatUninitialised, MappingError, refuseItem} from './assign-fields.js'
import {ENVELOPE, PAYMENT_TOKEN, V1_RESOURCE, V2_RESOURCES} from './structures.js'

/** An amount as the provider writes it: a decimal string and an ISO 4217 code. */
export interface Amount {
  readonly value: string | undefined
  readonly currency: string | undefined
}

/** A resource by its class at the receiver; a member is `undefined` where the payload does not fill it. */
export type MappedResource =
  | {
      readonly kind: 'capture' | 'authorization' | 'refund'
      readonly id: string | undefined
      readonly customId: string | undefined
      readonly amount: Amount | undefined
      readonly finalCapture: boolean | undefined
      /** `undefined` where there is no breakdown. */
      readonly breakdown: {readonly totalRefunded: Amount | undefined} | undefined
    }
  | {
      readonly kind: 'v1'
      readonly id: string | undefined
      readonly parentPayment: string | undefined
      readonly saleId: string | undefined
      readonly amount: Amount | undefined
    }
  | {
      readonly kind: 'payment-token'
      readonly id: string | undefined
      readonly orderId: string | undefined
      readonly customerId: string | undefined
    }
  | {readonly kind: 'none'}

/** A notification as the receiver understands it. */
export interface MappedEvent {
  readonly type: string
  readonly id: string | undefined
  readonly createTime: string | undefined
  readonly resource: MappedResource
}

/**
 * Maps a decoded webhook body to the receiver's structures.
 *
 * @param payload a non-empty object or list: empty ones are refused before this step
 * @throws MappingError with the text of the shop's 500
 * @see protocol.md §4.3
 */
export function mapNotification(payload: object): MappedEvent {
  const envelope = assign(ENVELOPE, payload)
  const resource = mapResource(envelope, readMember(payload, 'resource'))
  if (envelope.eventType === undefined) {
    throw new MappingError(formatUninitialised(ENVELOPE.className, 'eventType'))
  }
  return {
    type: envelope.eventType as string,
    id: readText(envelope, 'id'),
    createTime: readText(envelope, 'createTime'),
    resource,
  }
}

function readMember(payload: object, name: string): unknown {
  return (payload as Record<string, unknown>)[name]
}

/** An empty resource counts as one without members; one of unknown class is not read. */
function mapResource(envelope: Assigned, resource: unknown): MappedResource {
  if (resource === undefined || resource === null) return {kind: 'none'}
  const type = readText(envelope, 'resourceType') ?? ''
  const version = readText(envelope, 'resourceVersion') ?? '1.0'
  const struct =
    version === '2.0'
      ? V2_RESOURCES.get(type)
      : version !== '3.0'
        ? V1_RESOURCE
        : type === 'payment_token'
          ? PAYMENT_TOKEN
          : undefined
  if (struct === undefined) return {kind: 'none'}
  if (typeof resource !== 'object') return refuseItem(resource)
  const taken = assign(struct, resource)
  if (struct === V1_RESOURCE) return mapV1(taken)
  return struct === PAYMENT_TOKEN ? mapPaymentToken(taken) : mapPayment(type as PaymentKind, taken)
}

type PaymentKind = 'capture' | 'authorization' | 'refund'

function mapPayment(kind: PaymentKind, taken: Assigned): MappedResource {
  const breakdown = taken.sellerPayableBreakdown as Assigned | undefined
  return {
    kind,
    id: readText(taken, 'id'),
    customId: readText(taken, 'customId'),
    amount: mapAmount(taken.amount as Assigned | undefined, 'value', 'currencyCode'),
    finalCapture: taken.finalCapture as boolean | undefined,
    breakdown: breakdown && {
      totalRefunded: mapAmount(
        breakdown.totalRefundedAmount as Assigned | undefined,
        'value',
        'currencyCode',
      ),
    },
  }
}

function mapV1(taken: Assigned): MappedResource {
  return {
    kind: 'v1',
    id: readText(taken, 'id'),
    parentPayment: readText(taken, 'parentPayment'),
    saleId: readText(taken, 'saleId'),
    amount: mapAmount(taken.amount as Assigned | undefined, 'total', 'currency'),
  }
}

function mapPaymentToken(taken: Assigned): MappedResource {
  const metadata = taken.metadata as Assigned | undefined
  const customer = taken.customer as Assigned | undefined
  return {
    kind: 'payment-token',
    id: readText(taken, 'id'),
    orderId: metadata && readText(metadata, 'orderId'),
    customerId: customer && readText(customer, 'id'),
  }
}

function mapAmount(taken: Assigned | undefined, value: string, currency: string): Amount | undefined {
  return taken && {value: readText(taken, value), currency: readText(taken, currency)}
}

function readText(taken: Assigned, member: string): string | undefined {
  return taken[member] as string | undefined
}
