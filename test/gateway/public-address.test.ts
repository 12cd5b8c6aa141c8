import {createServer, request as httpRequest} from 'node:http'
import {expect, onTestFinished, test} from 'vitest'
import {readJsonLines} from '../support/json-lines.js'
import {listen} from '../support/listen.js'
import {event, eventId, file, ndjson, transactionId} from '../webhook/support.js'
import {AWAY, startWatch, watchedShop} from '../webhook/watch/support.js'
import {runCapture, WEBHOOK} from './support.js'

/** A web server in front of a shop, which sends the webhook route to a capture. */
async function webServer(shopUrl: string): Promise<{readonly url: string; capture: string}> {
  const server = createServer((request, response) => {
    const isWebhook = request.url?.startsWith(WEBHOOK)
    const there = new URL(request.url ?? '/', isWebhook ? own.capture : shopUrl)
    const {method, headers} = request
    const onward = httpRequest(there, {method, headers}, answer => {
      response.writeHead(answer.statusCode ?? 0, answer.rawHeaders)
      answer.pipe(response)
    })
    onward.on('error', () => response.writeHead(502).end())
    request.pipe(onward)
  })
  onTestFinished(() => void server.close())
  const own = {url: `http://127.0.0.1:${await listen(server)}`, capture: shopUrl}
  return own
}

/** A capture that a profile's own address leads to, with payments that are open. */
async function captureBehindWebServer() {
  const shop = await watchedShop({[transactionId(1)]: 'open', [transactionId(2)]: 'open'})
  const front = await webServer(shop.url)
  const capture = await runCapture(front.url, ['--forward-to', shop.url])
  front.capture = capture.url
  const statuses = async () => [...(await capture.inbox())].map(([id, {status}]) => [id, status])
  return {shop, front, capture, statuses}
}

test('a watch ends an outage through an address that leads to the capture, and its probes are no events', async () => {
  const {shop, front, capture, statuses} = await captureBehindWebServer()
  shop.away = () => AWAY
  for (const number of [1, 2]) expect((await capture.send(event(number))).status).toBe(503)
  const watch = startWatch(shop, {home: capture.home, env: {STORECTL_URL: front.url}})
  await watch.until(() => shop.calls().filter(call => call === 'probe').length >= 2)
  shop.away = () => undefined
  await watch.until(() => watch.context.err().includes('2 applied'))
  expect((await watch.stop()).exit).toBe(0)
  expect(shop.calls().filter(call => call !== 'probe')).toEqual([1, 2, 1, 2].map(eventId))
  expect(await statuses()).toEqual([
    [eventId(2), 'delivered'],
    [eventId(1), 'delivered'],
  ])
  expect(readJsonLines(capture.out()).map(({id}) => id)).toEqual([eventId(1), eventId(2)])
})

test('a replay through the capture sees what the shop said, and that nobody knows what came of a lost call', async () => {
  const {shop, capture, statuses} = await captureBehindWebServer()
  shop.away = request => (request.body === '{}' ? undefined : {status: 504})
  const words = ['webhook', 'replay', '--yes', '--retries', '0', '--grace-period', '0', '-o', 'ndjson']
  const lost = await capture.run(...words, file(ndjson([event(1)])))
  expect(readJsonLines(lost.stdout)).toMatchObject([{result: 'unknown', attempts: 1}])
  shop.away = () => undefined
  const sent = await capture.run(...words, file(ndjson([event(2)])))
  expect(readJsonLines(sent.stdout)).toMatchObject([{result: 'applied', status: 200, attempts: 1}])
  expect(await statuses()).toEqual([
    [eventId(2), 'delivered'],
    [eventId(1), 'unknown'],
  ])
  expect(capture.out()).toBe('')
})
