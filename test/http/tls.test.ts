import {readFileSync, writeFileSync} from 'node:fs'
import {createServer, type Socket} from 'node:net'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {endpoint} from '../support/endpoint.js'
import {temporaryFolder} from '../support/home.js'
import {listen} from '../support/listen.js'
import {secureServer} from '../support/secure-server.js'
import {storectl} from '../support/storectl.js'

const folder = join(import.meta.dirname, '../fixtures/tls/')
const certificate = join(folder, 'certificate.pem')

async function secureShop(): Promise<string> {
  const options = {key: readFileSync(join(folder, 'key.pem')), cert: readFileSync(certificate)}
  return secureServer(options)
}

const check = (url: string, argv: string[] = [], env = {}) =>
  storectl(['auth', 'status', '--check', ...argv], {
    env: {STORECTL_URL: url, STORECTL_TOKEN: 'given-token', ...env},
  })

test('an untrusted certificate is refused before anything is sent', async () => {
  const {exit, stderr} = await check(await secureShop())
  expect(exit).toBe(6)
  expect(stderr).toMatch(/No secure connection to https:\/\/127\.0\.0\.1:\d+: .*Nothing was sent/)
  expect(stderr).toContain('--ca-file')
})

test('--ca-file, STORECTL_CA_FILE and the setting make an authority trusted', async () => {
  const url = await secureShop()
  expect((await check(url, ['--ca-file', certificate])).exit).toBe(0)
  expect((await check(url, [], {STORECTL_CA_FILE: certificate})).exit).toBe(0)
})

test('an authority besides NODE_EXTRA_CA_CERTS does not replace it', async () => {
  const other = join(temporaryFolder(), 'other.pem')
  writeFileSync(other, readFileSync(certificate))
  const {exit} = await check(await secureShop(), ['--ca-file', other], {NODE_EXTRA_CA_CERTS: certificate})
  expect(exit).toBe(0)
})

test.each([
  ['/nowhere/authority.pem', 'File not found: /nowhere/authority.pem'],
  [join(folder, 'key.pem'), 'Not a PEM certificate'],
])('%s is no authority: exit 2', async (file, words) => {
  const {exit, stderr} = await check('https://127.0.0.1:9', ['--ca-file', file])
  expect(exit).toBe(2)
  expect(stderr).toContain(words)
})

test('TLS on a plain HTTP port has an error of its own', async () => {
  const shop = await endpoint()
  const {exit, stderr} = await check(shop.url.replace('http:', 'https:'))
  expect(exit).toBe(6)
  expect(stderr).toContain(': it does not speak TLS. Nothing was sent.')
  expect(stderr).toContain(`storectl … --url ${shop.url} `)
})

test('a server that never answers the handshake is given up within the time for a connection', async () => {
  const silent = createServer()
  const sockets = new Set<Socket>()
  silent.on('connection', socket => void sockets.add(socket))
  const port = await listen(silent)
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
  const url = `https://127.0.0.1:${port}`
  const {exit, stderr} = await check(url, ['--debug'], {STORECTL_CONNECT_TIMEOUT: '200ms'})
  expect([exit, stderr]).toEqual([6, expect.stringContaining('Nothing was sent.')])
  expect(stderr).toContain('timeout: 200ms')
})

test('plain HTTP on a TLS port is an error, not a response', async () => {
  const url = (await secureShop()).replace('https:', 'http:')
  expect((await check(url)).exit).toBe(6)
})
