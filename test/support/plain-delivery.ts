import type {addDelivery} from '../../src/shop/store/deliveries.js'

/** A delivery without anything to look at, as the store takes it: row and content. */
export function plainDelivery(
  id: string,
): [row: Parameters<typeof addDelivery>[1], content: Parameters<typeof addDelivery>[2]] {
  const of = {event_id: null, event_type: null, event_created_at: null, transaction_id: null}
  const sender = {sender: 'token', token_digest: null}
  return [
    {id, received_at: '2026-11-21T12:00:00.000Z', status: 200, reason: '', size_bytes: 0, ...of, ...sender},
    {path: '/', query: '', headers: '[]', body: Buffer.alloc(0), answer_content_type: null, answer_body: ''},
  ]
}
