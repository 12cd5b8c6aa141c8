import {readFileSync} from 'node:fs'
import {join} from 'node:path'

const sample = JSON.parse(
  readFileSync(
    join(import.meta.dirname, '../fixtures/webhook-events/payment-capture-completed.json'),
    'utf8',
  ),
)
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

/** A completed capture as the provider publishes it, about a payment as a search of the shop has it, `ageMs` old. */
export function capture({id, amount}, ageMs) {
  return event('PAYMENT.CAPTURE.COMPLETED', ageMs, {
    ...sample.resource,
    links: [],
    id: code(17),
    custom_id: id,
    ...(amount ? {amount: {value: amount.totalPrice.toFixed(2), currency_code: 'EUR'}} : {}),
  })
}

/** One of the many types that a shop has no handler for, and answers 200. */
export function approved(ageMs) {
  return {
    ...event('CHECKOUT.ORDER.APPROVED', ageMs, {id: code(17), status: 'APPROVED'}),
    resource_type: 'checkout-order',
  }
}

function event(type, ageMs, resource) {
  const id = `WH-${code(17)}-${code(17)}`
  return {
    ...sample,
    id,
    event_type: type,
    create_time: new Date(Date.now() - ageMs).toISOString(),
    resource,
    links: [],
  }
}

let drawn = 20_261_123

/** Letters that look random and are the same in every demo. @see Park and Miller's minimal standard generator */
function code(length) {
  return Array.from({length}, () => {
    drawn = (drawn * 48_271) % 2_147_483_647
    return letters[drawn % letters.length]
  }).join('')
}

/**
 * Delivers a notification as the provider does.
 *
 * @returns the status that the shop answered
 */
export async function deliver(event, webhookUrl, parameter, token) {
  const answer = await fetch(`${webhookUrl}?${parameter}=${token}`, {
    method: 'POST',
    headers: {'content-type': 'application/json', 'paypal-transmission-id': crypto.randomUUID()},
    body: JSON.stringify(event),
  })
  await answer.arrayBuffer()
  return answer.status
}

/**
 * Rotates the webhook token of a shop: to another one and back, as the shop is otherwise at hand under its own.
 *
 * @returns the token that it had in between, which the provider may still use
 */
export async function rotate(shopUrl, bearer, token) {
  const earlier = 'Earlier0'.repeat(4)
  for (const value of [earlier, token]) {
    const answer = await fetch(`${shopUrl}/api/_action/system-config`, {
      method: 'POST',
      headers: {authorization: `Bearer ${bearer}`, 'content-type': 'application/json'},
      body: JSON.stringify({'SwagPayPal.settings.webhookExecuteToken': value}),
    })
    if (!answer.ok) throw new Error(`the token was not changed: ${answer.status}`)
  }
  return earlier
}
