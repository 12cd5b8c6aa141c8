import {type Static, Type} from '@sinclair/typebox'
import {allowOnly} from './allow.js'

/**
 * A notification as the payment provider posts it. Other members are ignored, and may be anything.
 *
 * @see protocol.md §4.3, §4.7
 */
export const Notification = Type.Object({
  id: Type.Optional(
    Type.String({description: '`WH-` and twice 17 letters and digits: the same for every attempt'}),
  ),
  create_time: Type.Optional(Type.String({description: 'ISO 8601 with milliseconds and `Z`'})),
  resource_type: Type.Optional(Type.String({description: '`capture`, `refund`, `authorization`, `sale`, …'})),
  resource_version: Type.Optional(
    Type.String({description: '`2.0` for payments v2, `3.0` for the vault', default: '1.0'}),
  ),
  event_type: Type.String({description: 'Dotted upper case: `PAYMENT.CAPTURE.COMPLETED`'}),
  summary: Type.Optional(Type.String()),
  event_version: Type.Optional(Type.String()),
  resource: Type.Optional(Type.Object({})),
  links: Type.Optional(Type.Array(Type.Object({}))),
})
export type Notification = Static<typeof Notification>

/** Where the provider sends notifications: here, elsewhere, or nowhere. @see protocol.md §4.1 */
export const WebhookStatus = allowOnly(['valid', 'invalid', 'missing'])
export type WebhookStatus = Static<typeof WebhookStatus>

/** The result of registering the webhook. */
export const WebhookRegistered = allowOnly(['created', 'updated', 'nothing'])
export type WebhookRegistered = Static<typeof WebhookRegistered>

/** The result of unregistering the webhook. */
export const WebhookDeregistered = allowOnly(['deleted', 'nothing'])
export type WebhookDeregistered = Static<typeof WebhookDeregistered>
