// A shop on bare node:http that checks nothing: it reads each body and answers 200 with what the caller has to hear, to
// a webhook and a search after as many milliseconds as its arguments say.
import {createServer} from 'node:http'
import process from 'node:process'

const [, , webhookMs = '0', searchMs = '0'] = process.argv
const paid = new Set()
const ID = /"custom_id":"([0-9a-f]{32})"/
const REFERENCE = /"reference":"([^"]+)"/
const HEADERS = {'content-type': 'application/json'}

let orders = 0
let searches = 0

/** Of each order its own: an id that comes back is taken for a mix-up. */
const nextId = () => (++orders).toString(16).padStart(32, '0')

const ANSWERS = [
  [
    '/webhook/execute',
    body => {
      const id = ID.exec(body)?.[1]
      if (id) paid.add(id)
      return ''
    },
  ],
  ['/api/fulfillment/order', body => `{"id":"${nextId()}","reference":"${REFERENCE.exec(body)[1]}"}`],
  ['/api/search/fulfillment-order', () => '{"total":0,"data":[],"aggregations":[]}'],
  ['/api/search/order-transaction', body => listing(JSON.parse(body).ids)],
  // Every run begins with open payments: an event of a paid one is skipped.
  [
    '/reset',
    () => {
      searches = 0
      return String(paid.clear() ?? '')
    },
  ],
  ['/searches', () => String(searches)],
  ['/api/oauth/token', () => '{"token_type":"Bearer","expires_in":600,"access_token":"x.y.z"}'],
  ['/api/_info/version', () => '{"version":"6.6.7.1"}'],
]

/** What a shop answers to whoever asks for its versions without a sign-in. */
const VERSIONS = JSON.stringify({
  errors: [
    {
      ...{status: '417', code: 'FRAMEWORK__API_EXPECTATION_FAILED'},
      meta: {
        parameters: [
          'Version constraint for shopware/core is failed. Installed is: 6.6.7.1',
          'Version constraint for swag/paypal is failed. Installed is: 9.6.2',
        ],
      },
    },
  ],
})

const server = createServer((request, response) => {
  const chunks = []
  request.on('data', chunk => chunks.push(chunk))
  request.on('end', () => {
    const path = request.url.split('?')[0]
    const [, answer] = ANSWERS.find(([end]) => path.endsWith(end)) ?? []
    if (!answer) {
      const tells = path.endsWith('/api/_info/health-check')
      response.writeHead(tells ? 417 : 404, HEADERS).end(tells ? VERSIONS : '{}')
      return
    }
    const end = () => response.writeHead(200, HEADERS).end(answer(Buffer.concat(chunks).toString('latin1')))
    const isSearch = path.endsWith('/order-transaction')
    if (isSearch) searches++
    const waitMs = isSearch ? searchMs : path.endsWith('/webhook/execute') ? webhookMs : '0'
    if (waitMs === '0') end()
    else setTimeout(end, Number(waitMs))
  })
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({url: `http://127.0.0.1:${server.address().port}`})}\n`)
})
process.once('SIGTERM', () => process.exit(0))

function listing(ids) {
  const rows = ids.map(id => ({
    id,
    stateId: '1'.repeat(32),
    stateMachineState: {technicalName: paid.has(id) ? 'paid' : 'open'},
    paymentMethod: {technicalName: 'swag_paypal_paypal'},
    amount: {totalPrice: 100},
    order: {currency: {isoCode: 'EUR'}},
    customFields: null,
    apiAlias: 'order_transaction',
  }))
  return JSON.stringify({total: rows.length, data: rows, aggregations: []})
}
