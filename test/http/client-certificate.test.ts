import {generateKeyPairSync} from 'node:crypto'
import {readFileSync, writeFileSync} from 'node:fs'
import {createServer, type ServerOptions} from 'node:https'
import {connect} from 'node:net'
import {join} from 'node:path'
import type {TLSSocket} from 'node:tls'
import {expect, onTestFinished, test} from 'vitest'
import {temporaryFolder} from '../support/home.js'
import {listen} from '../support/listen.js'
import {storectl} from '../support/storectl.js'

const folder = join(import.meta.dirname, '../fixtures/tls/')
const certificate = join(folder, 'certificate.pem')
const key = join(folder, 'key.pem')

/** A server that writes down whose certificate each connection showed. */
async function secure(options: ServerOptions = {}) {
  const own = {key: readFileSync(key), cert: readFileSync(certificate), ca: readFileSync(certificate)}
  const server = createServer({...own, requestCert: true, ...options}, (_request, response) =>
    response.end('{"version":"1"}'),
  )
  const shown: boolean[] = []
  server.on('secureConnection', (socket: TLSSocket) => {
    shown.push(Object.keys(socket.getPeerCertificate() ?? {}).length > 0)
  })
  const port = await listen(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {server, shown, url: `https://127.0.0.1:${port}`}
}

const check = (url: string, argv: string[] = [], env = {}) =>
  storectl(['auth', 'status', '--check', '--ca-file', certificate, ...argv], {
    env: {STORECTL_URL: url, STORECTL_TOKEN: 'given-token', ...env},
  })

test('a shop that requires a certificate gets the configured one', async () => {
  const {url} = await secure({rejectUnauthorized: true})
  expect((await check(url, ['--cert', certificate, '--key', key])).exit).toBe(0)
  expect((await check(url, [], {STORECTL_CERT: certificate, STORECTL_KEY: key})).exit).toBe(0)
})

test('certificate and key may be in one file', async () => {
  const both = join(temporaryFolder(), 'both.pem')
  writeFileSync(both, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'))
  const {url} = await secure({rejectUnauthorized: true})
  expect((await check(url, ['--cert', both])).exit).toBe(0)
})

test('without one the error says how to configure it', async () => {
  const {url} = await secure({rejectUnauthorized: true})
  const {exit, stderr} = await check(url)
  expect(exit).toBe(6)
  expect(stderr).toContain('--cert FILE --key FILE')
})

test('a proxy does not get the client certificate for the shop', async () => {
  const shop = await secure({rejectUnauthorized: true})
  const proxy = await secure({rejectUnauthorized: false})
  proxy.server.on('connect', (incoming, socket) => {
    const onward = connect(Number(new URL(`http://${incoming.url}`).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.pipe(socket).pipe(onward)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
  })
  const {exit} = await check(shop.url, ['--cert', certificate, '--key', key], {HTTPS_PROXY: proxy.url})
  expect([exit, new Set(shop.shown), new Set(proxy.shown)]).toEqual([0, new Set([true]), new Set([false])])
})

test('a key of another certificate, one with a passphrase and files without one are refused', async () => {
  const home = temporaryFolder()
  const {privateKey} = generateKeyPairSync('ec', {namedCurve: 'P-256'})
  const other = join(home, 'other.pem')
  writeFileSync(other, privateKey.export({type: 'pkcs8', format: 'pem'}))
  const locked = join(home, 'locked.pem')
  const cipher = {type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x'} as const
  writeFileSync(locked, privateKey.export(cipher))
  const said = async (...argv: string[]) => {
    const {exit, stderr} = await check('https://127.0.0.1:9', argv)
    expect(exit).toBe(2)
    return stderr
  }
  expect(await said('--cert', certificate, '--key', other)).toContain('is not the one of the certificate')
  expect(await said('--cert', certificate, '--key', locked)).toContain('needs a passphrase')
  expect(await said('--cert', certificate)).toContain('Not a PEM private key')
  expect(await said('--cert', '/nowhere.pem')).toContain('File not found: /nowhere.pem')
})
