import {readFileSync} from 'node:fs'
import type {ServerOptions} from 'node:https'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {secureServer} from '../support/secure-server.js'
import {storectl} from '../support/storectl.js'

const folder = new URL('../fixtures/tls/', import.meta.url).pathname
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
  const url = await secureServer(options)
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
  const url = await secureServer(showing('good'))
  const plain = url.replace('https:', 'http:')
  const env = {STORECTL_URL: plain, STORECTL_TOKEN: 'given-token'}
  const {exit, stderr} = await storectl(['auth', 'status', '--check'], {env})
  expect(exit).toBe(6)
  expect(stderr).toContain(`storectl … --url ${url}   # if it speaks TLS there`)
})
