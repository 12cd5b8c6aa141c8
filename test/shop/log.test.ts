import {pino} from 'pino'
import {expect, test} from 'vitest'
import {runShop} from './running-shop.js'

test('every answer is a line of the log, in which no secret stands', async () => {
  const lines: string[] = []
  const logger = pino({}, {write: line => void lines.push(line)})
  const shop = await runShop({logger})
  const {clientId, clientSecret, username, password, webhookToken} = shop.credentials
  const token = await shop.signIn()
  await shop.askForToken({grant_type: 'password', client_id: 'administration', username, password})
  await shop.post(`/api/_action/paypal/webhook/execute?sw-token=${webhookToken}`, {
    id: 'WH-1',
    event_type: 'X',
  })
  await shop.post('/api/search/customer', {term: 'Lovelace'}, {authorization: `Bearer ${token}`})
  await shop.post('/api/nowhere', {})
  for (const secret of [webhookToken, clientSecret, token, encodeURIComponent(`a/${password}`)])
    await shop.post(`/api/${secret}/x`, {})
  await shop.post(`/api/_action/order_delivery_position/${'a'.repeat(32)}/state/x`, {})
  await shop.stop()
  const log = lines.join('')
  expect(lines.map(line => JSON.parse(line)).filter(line => line.msg === 'answered')).toMatchObject([
    {method: 'POST', path: '/api/oauth/token', status: 200},
    {method: 'POST', path: '/api/oauth/token', status: 200},
    {method: 'POST', path: '/api/_action/paypal/webhook/execute', status: 200},
    {method: 'POST', path: '/api/search/customer', status: 200},
    {method: 'POST', path: '/api/nowhere', status: 404},
    ...Array(4).fill({method: 'POST', path: '/api/…/x', status: 404}),
    {path: `/api/_action/order_delivery_position/${'a'.repeat(32)}/state/x`},
  ])
  for (const secret of [clientId, clientSecret, password, webhookToken, token, 'Lovelace']) {
    expect(log.includes(secret)).toBe(false)
  }
})

test('what fails by a fault of ours is logged with its stack', async () => {
  const lines: string[] = []
  const logger = pino({}, {write: line => void lines.push(line)})
  const shop = await runShop({logger})
  const token = await shop.signIn()
  await shop.db.close()
  const answer = await shop.post('/api/search/customer', {}, {authorization: `Bearer ${token}`})
  expect(answer.status).toBe(500)
  expect(lines.some(line => JSON.parse(line).err?.stack)).toBe(true)
  await shop.stop()
})
