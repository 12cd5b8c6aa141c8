import {expect, onTestFinished, test, vi} from 'vitest'
import {TAKEN} from '../../src/gateway/capture-response.js'
import {createWebhookHandler, type RefusalReason} from '../../src/gateway/routes.js'
import {openWebhookListener} from '../../src/gateway/webhook-listener.js'
import {sendTo, WAITING, WEBHOOK} from './support.js'

test('bodies that would fill the memory are asked to come later, and make room when they are done', async () => {
  const held = {bytes: 0, limit: 1000}
  const refused: RefusalReason[] = []
  const ends: (() => void)[] = []
  const answer = createWebhookHandler(
    {
      ...{path: WEBHOOK, self: 'us', bodyBytes: 10_000, held},
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
  const url = door.url + WEBHOOK
  const first = sendTo(url, 'x'.repeat(600))
  await vi.waitFor(() => expect(ends).toHaveLength(1), WAITING)
  expect(await sendTo(url, 'x'.repeat(600))).toMatchObject({status: 503, headers: {'retry-after': '60'}})
  expect(refused).toEqual(['no-room'])
  ends[0]?.()
  expect((await first).status).toBe(200)
  expect(held.bytes).toBe(0)
  const second = sendTo(url, 'x'.repeat(600))
  await vi.waitFor(() => expect(ends).toHaveLength(2), WAITING)
  ends[1]?.()
  expect((await second).status).toBe(200)
})
