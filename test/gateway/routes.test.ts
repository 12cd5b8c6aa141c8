import {expect, onTestFinished, test} from 'vitest'
import {TAKEN} from '../../src/gateway/capture-response.js'
import {HeldBytes} from '../../src/gateway/held-bytes.js'
import {createWebhookHandler, type RefusalReason} from '../../src/gateway/routes.js'
import {openWebhookListener} from '../../src/gateway/webhook-listener.js'
import {until} from '../support/until.js'
import {sendTo, TOKEN, WEBHOOK} from './support.js'

/** A listener whose calls end when a test says so. */
async function listenWithRoom(limit: number) {
  const held = new HeldBytes(limit)
  const refused: RefusalReason[] = []
  const ends: (() => void)[] = []
  const answer = createWebhookHandler(
    {
      ...{self: 'us', bodyBytes: 10_000, held},
      findWebhookPath: path => (path === WEBHOOK ? path : undefined),
      isTokenKnown: ({query}) => query.includes(TOKEN),
      receive: () =>
        new Promise(resolve => {
          ends.push(() => resolve(TAKEN))
        }),
      onRefused: reason => void refused.push(reason),
      onBug: error => {
        throw error
      },
    },
    new Map(),
  )
  const door = await openWebhookListener({host: '127.0.0.1', port: 0}, answer, {graceMs: 1000})
  onTestFinished(() => door.close())
  return {url: door.url + WEBHOOK, held, refused, ends}
}

test('bodies that would fill the memory are asked to come later, and make room when they are done', async () => {
  const {url, held, refused, ends} = await listenWithRoom(1000)
  const first = sendTo(url, 'x'.repeat(600))
  await until('one is under way', () => ends.length === 1)
  expect(await sendTo(url, 'x'.repeat(600))).toMatchObject({status: 503, headers: {'retry-after': '60'}})
  expect(refused).toEqual(['no-room'])
  ends[0]?.()
  expect((await first).status).toBe(200)
  expect(held.bytes).toBe(0)
  const second = sendTo(url, 'x'.repeat(600))
  await until('two are under way', () => ends.length === 2)
  ends[1]?.()
  expect((await second).status).toBe(200)
})

test('bodies that come without a known token leave a quarter of the memory to those that come with one', async () => {
  const {url, refused, ends} = await listenWithRoom(1000)
  const stranger = sendTo(url, 'x'.repeat(700), {token: 'no'})
  await until('1 are under way', () => ends.length === 1)
  expect((await sendTo(url, 'x'.repeat(100), {token: 'no'})).status).toBe(503)
  expect(refused).toEqual(['no-room'])
  const provider = sendTo(url, 'x'.repeat(100))
  await until('2 are under way', () => ends.length === 2)
  for (const end of ends) end()
  expect([(await stranger).status, (await provider).status]).toEqual([200, 200])
})
