import {readFileSync} from 'node:fs'
import {request} from 'node:https'
import {connect} from 'node:net'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {event, eventId} from '../webhook/support.js'
import {rawShop, runCapture, TOKEN} from './support.js'

const folder = join(import.meta.dirname, '../fixtures/tls/')
const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]

test('--tls-cert and --tls-key make it speak TLS', async () => {
  const shop = await rawShop()
  const capture = await runCapture(shop.url, ['--tls-cert', certificate, '--tls-key', key])
  expect(capture.url).toMatch(/^https:/)
  const status = await new Promise((resolve, reject) => {
    const sent = request(
      `${capture.url}?sw-token=${TOKEN}`,
      {method: 'POST', ca: readFileSync(certificate), checkServerIdentity: () => undefined},
      answer => resolve(answer.resume().statusCode),
    )
    sent.on('error', reject)
    sent.end(JSON.stringify(event(1)))
  })
  expect(status).toBe(200)
  expect((await capture.inbox()).get(eventId(1))).toMatchObject({status: 'delivered'})
})

test('a certificate that is none is refused before anything is opened', async () => {
  const shop = await rawShop()
  const capture = await runCapture(shop.url)
  const words = ['webhook', 'capture', '--listen', '0', '--tls-cert']
  expect((await capture.run(...words, join(folder, 'nothing.pem'))).exit).toBe(2)
  expect((await capture.run(...words, certificate, '--tls-key', certificate)).exit).toBe(2)
})

/** Everything that is answered to some bytes, until it is hung up. */
function answerTo(url: string, bytes: string): Promise<string> {
  const {hostname, port} = new URL(url)
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(Number(port), hostname, () => void socket.write(bytes))
    socket.on('data', chunk => {
      answer += chunk
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}

test.each([
  ['no HTTP', 'hello\r\n\r\n', 400],
  ['a head that is too large', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  [
    'two lengths',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
])('%s is answered, and hung up on', async (_name, bytes, status) => {
  const shop = await rawShop()
  const capture = await runCapture(shop.url)
  expect(await answerTo(capture.url, bytes)).toMatch(
    new RegExp(`^HTTP/1.1 ${status} [A-Za-z ]+\r\nConnection: close\r\nContent-Length: 0\r\n\r\n$`),
  )
})

test('a body that is refused before it has come whole is answered, and hung up on', async () => {
  const shop = await rawShop()
  const capture = await runCapture(shop.url, ['--body-limit', '1KiB'])
  const {pathname} = new URL(capture.url)
  const head = `POST ${pathname}?sw-token=${TOKEN} HTTP/1.1\r\nHost: x\r\nContent-Length: 1025\r\n\r\n{"id":`
  expect(await answerTo(capture.url, head)).toMatch(/^HTTP\/1.1 413 .*Connection: close/s)
  expect(shop.arrived).toEqual([])
})

test('a body that breaks off is no event', async () => {
  const shop = await rawShop()
  const capture = await runCapture(shop.url)
  const {hostname, port, pathname} = new URL(capture.url)
  await new Promise<void>(resolve => {
    const head = `POST ${pathname}?sw-token=${TOKEN} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"id":`
    const socket = connect(Number(port), hostname, () => socket.write(head, () => socket.destroy()))
    socket.on('close', () => resolve())
  })
  expect((await capture.send(event(1))).status).toBe(200)
  expect([...(await capture.inbox()).keys()]).toEqual([eventId(1)])
  expect(shop.arrived).toHaveLength(1)
})
