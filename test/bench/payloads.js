import {createHash} from 'node:crypto'

/** 32 hex digits that depend on the key alone. */
export function idOf(key) {
  return createHash('sha256').update(key).digest('hex').slice(0, 32)
}

/**
 * A captured payment as the provider tells of it, 2 KB of JSON.
 *
 * @param serial tells it from all others
 * @param amount what was captured
 * @param refund what of the payment was given back, when it tells of that
 */
export function notification(serial, transactionId, {createTime, amount = '100.00', refund} = {}) {
  const at = createTime ?? new Date().toISOString()
  const capture = `CAPTURE-${serial}`
  const money = value => ({currency_code: 'EUR', value})
  const link = (href, rel, method) => ({href: `https://api.paypal.com/${href}`, rel, method})
  const breakdown = refund
    ? {seller_payable_breakdown: {gross_amount: money(refund), total_refunded_amount: money(refund)}}
    : {
        seller_receivable_breakdown: {
          gross_amount: money(amount),
          paypal_fee: money('2.84'),
          net_amount: money('97.16'),
        },
      }
  const self = refund ? `v2/payments/refunds/${capture}` : `v2/payments/captures/${capture}`
  return JSON.stringify({
    id: `WH-${serial}`,
    event_version: '1.0',
    create_time: at,
    resource_type: refund ? 'refund' : 'capture',
    resource_version: '2.0',
    event_type: refund ? 'PAYMENT.CAPTURE.REFUNDED' : 'PAYMENT.CAPTURE.COMPLETED',
    summary: 'Payment completed for 100.00 EUR',
    resource: {
      id: capture,
      amount: money(refund ?? amount),
      final_capture: true,
      seller_protection: {
        status: 'ELIGIBLE',
        dispute_categories: ['ITEM_NOT_RECEIVED', 'UNAUTHORIZED_TRANSACTION'],
      },
      ...breakdown,
      custom_id: transactionId,
      invoice_id: `SW-${serial}`,
      note_to_payer: 'Thank you for your order. '.repeat(9).trim(),
      payee: {
        email_address: 'merchant@example.com',
        merchant_id: 'X5XAHHCG636FA',
        display_data: {brand_name: 'A shop'.repeat(10)},
      },
      supplementary_data: {related_ids: {order_id: `ORDER-${serial}`}},
      status: 'COMPLETED',
      create_time: `${at.slice(0, 19)}Z`,
      update_time: `${at.slice(0, 19)}Z`,
      links: [
        link(self, 'self', 'GET'),
        link(
          `v2/payments/captures/${capture}${refund ? '' : '/refund'}`,
          refund ? 'up' : 'refund',
          refund ? 'GET' : 'POST',
        ),
        link(`v2/checkout/orders/ORDER-${serial}`, 'up', 'GET'),
      ],
    },
    links: [
      link(`v1/notifications/webhooks-events/WH-${serial}`, 'self', 'GET'),
      link(`v1/notifications/webhooks-events/WH-${serial}/resend`, 'resend', 'POST'),
    ],
  })
}

/** An order of one line as JSON. */
export function order(reference) {
  return JSON.stringify({
    reference,
    orderNumber: reference,
    lines: [{sku: 'SW10001', quantity: 2, reference: '1', unitPrice: {amount: '12.90', currency: 'EUR'}}],
    shipTo: {
      name: 'Ada Lovelace',
      company: 'Analytical Engines',
      street: 'Prager Straße 10',
      postalCode: '01069',
      city: 'Dresden',
      country: 'DE',
      email: 'ada@example.com',
    },
    shippingMethod: 'standard',
    note: 'Leave it with the neighbour',
  })
}

const COLUMNS =
  'reference,orderNumber,line.sku,line.quantity,line.reference,line.unitPrice.amount,line.unitPrice.currency,shipTo.name,shipTo.company,shipTo.street,shipTo.postalCode,shipTo.city,shipTo.country,shipTo.email,shippingMethod,note'

/** The same orders as a table. */
export function orderTable(references) {
  const rows = references.map(
    reference =>
      `${reference},${reference},SW10001,2,1,12.90,EUR,Ada Lovelace,Analytical Engines,Prager Straße 10,01069,Dresden,DE,ada@example.com,standard,Leave it with the neighbour\n`,
  )
  return `${COLUMNS}\n${rows.join('')}`
}
