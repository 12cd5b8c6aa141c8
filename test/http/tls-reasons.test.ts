import {readFileSync} from 'node:fs'
import type {ServerOptions} from 'node:https'
import {connect, createServer} from 'node:net'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {captureCompleted} from '../support/events.js'
import {listen} from '../support/listen.js'
import {ordersOf} from '../support/order-shop.js'
import {secureServer} from '../support/secure-server.js'
import {storectl} from '../support/storectl.js'

const folder = join(import.meta.dirname, '../fixtures/tls/')
const pem = (name: string) => readFileSync(join(folder, `${name}.pem`))

const showing = (name: string) => ({key: pem(name), cert: pem(name)})
const wantingOurs = {...showing('good'), requestCert: true, rejectUnauthorized: true, ca: pem('authority')}
const CA = ['--ca-file', join(folder, 'authority.pem')]
const OURS = ['--cert', join(folder, 'certificate.pem'), '--key', join(folder, 'key.pem')]

test.each<[string, ServerOptions, string[], string, string]>([
  [
    'signed by itself',
    {key: pem('key'), cert: pem('certificate')},
    [],
    'its certificate is self-signed',
    'storectl … --ca-file FILE   # the PEM file with that certificate',
  ],
  [
    'of an authority of its own',
    showing('good'),
    [],
    'its certificate is from an untrusted authority',
    'storectl … --ca-file FILE   # the PEM file of the authority',
  ],
  ['expired', showing('expired'), CA, 'its certificate has expired', 'storectl doctor'],
  [
    'of another host',
    showing('other'),
    CA,
    'its certificate is not for 127.0.0.1 but for DNS:shop.example',
    'storectl auth status',
  ],
  [
    'right, but ours is wanted',
    {...wantingOurs, maxVersion: 'TLSv1.2'},
    CA,
    'it may require a client certificate',
    'storectl … --cert FILE --key FILE   # present a client certificate',
  ],
  [
    'right, but ours is wanted after the handshake',
    {...wantingOurs, minVersion: 'TLSv1.3'},
    CA,
    'it requires a client certificate',
    'storectl … --cert FILE --key FILE   # present a client certificate',
  ],
])('a certificate that is %s has its own message and next step', async (_, options, argv, words, step) => {
  const url = await secureServer(options)
  const env = {STORECTL_URL: url, STORECTL_TOKEN: 'given-token'}
  const {exit, stderr} = await storectl(['auth', 'status', '--check', '-o', 'json', ...argv], {env})
  const {error} = JSON.parse(stderr)
  expect([exit, error.code]).toEqual([6, 'unavailable.no_tls'])
  expect(error.message).toBe(error.message.split('\n')[0])
  expect(error.message).toContain(`No secure connection to ${url}: `)
  expect(error.message).toContain(words)
  expect(error.message).toContain('Nothing was sent.')
  expect(error.nextSteps[0]).toContain(step)
  expect(error.nextSteps.join('\n')).toContain('storectl doctor')
})

test('a connection that breaks during the handshake may stand the next time', async () => {
  const url = await secureServer({...wantingOurs, maxVersion: 'TLSv1.2'})
  const env = {STORECTL_URL: url, STORECTL_TOKEN: 'given-token'}
  const {exit, stderr} = await storectl(['auth', 'status', '--check', '-o', 'json', ...CA, ...OURS], {env})
  const {error} = JSON.parse(stderr)
  expect([exit, error.code]).toEqual([6, 'unavailable.not_connected'])
  expect(error.message).toContain('it may refuse the certificate of --cert')
  expect(error.nextSteps[0]).toContain('ask the shop’s operator')
})

/** What a command ends with at a shop that shows a certificate of its own, and how often it was called on. */
async function untrusted(argv: string[], stdin: string) {
  const url = await secureServer(showing('good'))
  let connections = 0
  const door = createServer(socket => {
    connections++
    const onward = connect(Number(new URL(url).port), '127.0.0.1')
    socket.pipe(onward).pipe(socket)
    socket.on('error', () => onward.destroy())
    onward.on('error', () => socket.destroy())
  })
  const port = await listen(door)
  onTestFinished(() => {
    door.close()
  })
  const env = {STORECTL_URL: `https://127.0.0.1:${port}`, STORECTL_TOKEN: 't', STORECTL_WEBHOOK_TOKEN: 'w'}
  const end = await storectl([...argv, '--yes', '--concurrency', '1'], {env, stdin})
  return {...end, connections}
}

test('a shop whose certificate is not trusted stops a submit at the first order, with what to do', async () => {
  const orders = JSON.stringify(ordersOf(50))
  const {exit, stderr, stdout, connections} = await untrusted(
    ['order', 'submit', '-', '-o', 'ndjson'],
    orders,
  )
  expect([exit, connections]).toEqual([6, 1])
  expect(stderr).toContain('storectl … --ca-file FILE')
  expect(stderr).toContain('storectl doctor')
  expect(stdout.split('\n').filter(line => line.includes('"failed"'))).toHaveLength(1)
})

test('and a replay at the first event', async () => {
  const events = Array.from({length: 20}, (_, at) => captureCompleted({seed: at}).body).join('\n')
  const argv = [
    ...['webhook', 'replay', '-', '--no-check-state', '--canary', 'none', '--max-age', 'none'],
    '--include-unverified',
  ]
  const {exit, stderr, connections} = await untrusted(argv, events)
  // The look-up of the shop's version, and the first event.
  expect([exit, connections], stderr).toEqual([6, 2])
  expect(stderr).toContain('storectl … --ca-file FILE')
})

test('plain HTTP where TLS is spoken names the address with https', async () => {
  const url = await secureServer(showing('good'))
  const plain = url.replace('https:', 'http:')
  const env = {STORECTL_URL: plain, STORECTL_TOKEN: 'given-token'}
  const {exit, stderr} = await storectl(['auth', 'status', '--check'], {env})
  expect(exit).toBe(6)
  expect(stderr).toContain(`storectl … --url ${url}   # if it speaks TLS there`)
})
