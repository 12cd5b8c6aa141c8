import {readFileSync} from 'node:fs'
import {createServer, type ServerOptions} from 'node:https'
import type {AddressInfo} from 'node:net'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {storectl} from '../support/storectl.js'

const folder = new URL('../fixtures/tls/', import.meta.url).pathname
const pem = (name: string) => readFileSync(join(folder, `${name}.pem`))

async function secure(options: ServerOptions): Promise<string> {
  const server = createServer(options, (_request, response) => response.end('{"version":"1"}'))
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`
}

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
    'its certificate comes from an authority that is not trusted here',
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
    'it may want a certificate of ours',
    'storectl … --cert FILE --key FILE   # show a certificate',
  ],
  [
    'right, but another of ours is wanted',
    {...wantingOurs, maxVersion: 'TLSv1.2'},
    [...CA, ...OURS],
    'it may not take the certificate of --cert',
    'ask whoever runs the shop',
  ],
])('a certificate that is %s has its own message and next step', async (_, options, argv, words, step) => {
  const url = await secure(options)
  const env = {STORECTL_URL: url, STORECTL_TOKEN: 'given-token'}
  const {exit, stderr} = await storectl(['auth', 'status', '--check', '-o', 'json', ...argv], {env})
  const {error} = JSON.parse(stderr)
  expect([exit, error.code]).toEqual([6, 'unavailable.not_connected'])
  expect(error.message).toBe(error.message.split('\n')[0])
  expect(error.message).toContain(`No secure connection to ${url}: `)
  expect(error.message).toContain(words)
  expect(error.message).toContain('Nothing was sent.')
  expect(error.nextSteps[0]).toContain(step)
})

test('plain HTTP where TLS is spoken names the address with https', async () => {
  const url = await secure(showing('good'))
  const plain = url.replace('https:', 'http:')
  const env = {STORECTL_URL: plain, STORECTL_TOKEN: 'given-token'}
  const {exit, stderr} = await storectl(['auth', 'status', '--check'], {env})
  expect(exit).toBe(6)
  expect(stderr).toContain(`storectl … --url ${url}   # if it speaks TLS there`)
})
