import {generateKeyPairSync, type KeyPairKeyObjectResult as Keys, type X509Certificate} from 'node:crypto'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {buildCertificate} from '../../../src/shop/provider/signing/certificate.js'
import {classifyCertificateUrl, locateCertificate} from '../../../src/webhook/verify/certificate-address.js'
import {isChainValid, parseChain, TrustedRoots} from '../../../src/webhook/verify/certificate-chain.js'
import {Certificates} from '../../../src/webhook/verify/certificates.js'
import {matchSignature, readSignatureHeaders} from '../../../src/webhook/verify/signature.js'
import {computeCrc32} from '../../../src/wire/signed-message.js'
import {StoppedClock} from '../../support/clock.js'
import {createSigner, forgeChecksum} from '../../support/signed.js'
import {sized} from '../../support/sized.js'

const signer = createSigner()
const BODY = Buffer.from('{"id":"WH-1","resource":{"amount":{"value":"10.00"}}}')

const match = (
  headers: ReturnType<typeof signer.sign>,
  body: Uint8Array,
  ids: readonly string[] = ['WH1'],
) => {
  const read = readSignatureHeaders(headers)
  return read && matchSignature(read, body, signer.publicKey, ids)
}

test('the checksum is the one of ISO 3309', () => {
  expect(computeCrc32(Buffer.from('123456789'))).toBe(0xcbf43926)
})

test('passes genuine bodies for any of the known webhook ids, and none else', () => {
  const headers = signer.sign(BODY, {webhookId: 'OLD'})
  expect(match(headers, BODY, ['NEW', 'OLD'])).toBe('verified')
  expect(match(headers, BODY, ['NEW'])).toBe('no-match')
  expect(match(headers, BODY, [])).toBe('no-match')
})

test('no forged or bit-flipped body passes', () => {
  const read = readSignatureHeaders(signer.sign(BODY))
  if (!read) throw new Error('no headers')
  const results = new Map<string, number>()
  const count = sized(2500, 10_000)
  for (let at = 0; at < count; at++) {
    const body = Buffer.from(BODY)
    const bit = at % (body.length * 8)
    body[bit >> 3] = (body[bit >> 3] as number) ^ (1 << (bit & 7))
    if (at >= body.length * 8) body.write(String(at).padStart(5, '0'), at % (body.length - 5))
    const isForged = at % 10 === 9
    const signature = isForged
      ? Buffer.from(read.signature, 'base64')
          .fill(at & 0xff, 0, 1 + (at % 250))
          .toString('base64')
      : read.signature
    const result = matchSignature({...read, signature}, body, signer.publicKey, ['WH1'])
    results.set(result, (results.get(result) ?? 0) + 1)
  }
  expect(Object.fromEntries(results)).toEqual({'no-match': count * 0.9, 'not-signed': count * 0.1})
})

test('a body that was built to the same checksum passes the signature', () => {
  const forged = forgeChecksum(
    '{"id":"WH-1","resource":{"amount":{"value":"99.00"}},"x":"',
    computeCrc32(BODY),
  )
  expect(computeCrc32(forged)).toBe(computeCrc32(BODY))
  expect(match(signer.sign(BODY), forged)).toBe('verified')
})

test('needs each of the five headers once', () => {
  const headers = signer.sign(BODY)
  expect(match([...headers, ['PayPal-Transmission-Id', 'other']], BODY)).toBeUndefined()
  for (const name of ['transmission-id', 'transmission-time', 'transmission-sig', 'cert-url', 'auth-algo'])
    expect(
      match(
        headers.filter(([each]) => each !== `paypal-${name}`),
        BODY,
      ),
    ).toBeUndefined()
})

test.each([
  ['https://api.paypal.com/v1/notifications/certs/CERT-1', 'own'],
  ['https://api-m.paypal.com/v1/notifications/certs/CERT-1', 'own'],
  ['https://api.sandbox.paypal.com/v1/notifications/certs/CERT-1', 'other-environment'],
  ['http://api.paypal.com/v1/notifications/certs/CERT-1', 'foreign'],
  ['https://api.paypal.com:8443/CERT-1', 'foreign'],
  ['https://api.paypal.com.evil.example/CERT-1', 'foreign'],
  ['https://api.paypal.com@evil.example/CERT-1', 'foreign'],
  ['https://user@api.paypal.com/CERT-1', 'foreign'],
  ['https://api.paypal.com//evil.example/CERT-1', 'foreign'],
  ['https://api.paypal.com/\\evil.example/CERT-1', 'foreign'],
  ['not a url', 'foreign'],
])('the certificate at %s is %s', (url, kind) => {
  expect(classifyCertificateUrl(url, new URL('https://api-m.paypal.com'))).toBe(kind)
})

test('a provider over http is one on this machine', () => {
  const bundled = new URL('http://127.0.0.1:8000/provider/paypal')
  expect(classifyCertificateUrl('http://127.0.0.1:8000/certs/1', bundled)).toBe('own')
  expect(classifyCertificateUrl('http://127.0.0.1:8001/certs/1', bundled)).toBe('own')
  expect(locateCertificate('http://127.0.0.1:8001/certs/1', bundled).href).toBe(
    'http://127.0.0.1:8000/certs/1',
  )
  expect(classifyCertificateUrl('http://127.0.0.1:8001//evil.example/1', bundled)).toBe('foreign')
  expect(locateCertificate('http://127.0.0.1:8001//evil.example/1?a#b', bundled).href).toBe(
    'http://127.0.0.1:8000//evil.example/1',
  )
  expect(classifyCertificateUrl('http://10.0.0.1/certs/1', bundled)).toBe('foreign')
  expect(classifyCertificateUrl('http://10.0.0.1/certs/1', new URL('http://10.0.0.1/'))).toBe('foreign')
})

test('a chain is valid from a trusted root, on the dates of each certificate', () => {
  const other = createSigner()
  const chain = parseChain(signer.certificate)
  const at = new Date(Date.UTC(2026, 10, 20))
  const check = (root: string, when = at, certificates: readonly X509Certificate[] = chain) =>
    isChainValid(certificates, new TrustedRoots([root]), when)
  expect(check(signer.authority)).toBe(true)
  expect(check(signer.authority, at, parseChain(signer.certificate + signer.authority))).toBe(true)
  // The other authority has the same name, and another key.
  expect(check(other.authority)).toBe(false)
  expect(check(signer.authority, new Date(Date.UTC(2019, 0, 1)))).toBe(false)
  expect(check(signer.authority, new Date(Number.NaN))).toBe(false)
  // A certificate for messages signs no other: its key usage says so.
  expect(check(signer.certificate)).toBe(false)
  expect(check(signer.authority, at, [])).toBe(false)
})

test('a chain of several authorities is valid in any order, and not without one of them', () => {
  const [rootKeys, oneKeys, twoKeys] = Array.from({length: 3}, () =>
    generateKeyPairSync('ec', {namedCurve: 'prime256v1'}),
  ) as [Keys, Keys, Keys]
  const at = new Date(Date.UTC(2026, 10, 20))
  const dates = {validFrom: new Date(Date.UTC(2020, 0, 1)), validTo: new Date(Date.UTC(2040, 0, 1))}
  const build = (subject: string, {publicKey}: Keys, issuer: string, by: Keys, isAuthority = true) =>
    buildCertificate({...dates, subject, issuer, publicKey, isAuthority}, by.privateKey)
  const root = build('root', rootKeys, 'root', rootKeys)
  const one = build('one', oneKeys, 'root', rootKeys)
  const two = build('two', twoKeys, 'one', oneKeys)
  const leaf = build('messages', generateKeyPairSync('rsa', {modulusLength: 2048}), 'two', twoKeys, false)
  const check = (...pems: string[]) => isChainValid(parseChain(pems.join('')), new TrustedRoots([root]), at)
  expect([check(leaf, two, one), check(leaf, one, two), check(leaf, two, one, root)]).toEqual([
    true,
    true,
    true,
  ])
  expect([check(leaf, two), check(leaf, one)]).toEqual([false, false])
})

test('an authority that may issue no others issues none, nor does what is no authority', () => {
  const file = join(import.meta.dirname, '../../fixtures/certificates.pem')
  // Of `a` the path length is 0: root → a → direct, and root → a → b → leaf. `user` is no authority: root → user → byUser.
  const [root = '', a = '', b = '', leaf = '', direct = '', user = '', byUser = ''] =
    readFileSync(file, 'latin1').match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ?? []
  const at = new Date(Date.UTC(2027, 0, 1))
  const check = (...pems: string[]) => isChainValid(parseChain(pems.join('\n')), new TrustedRoots([root]), at)
  expect(check(direct, a)).toBe(true)
  expect(check(leaf, b, a)).toBe(false)
  expect(check(user)).toBe(true)
  expect(check(byUser, user)).toBe(false)
  expect(isChainValid(parseChain(leaf), new TrustedRoots([b]), at)).toBe(true)
  expect(isChainValid(parseChain(leaf + b), new TrustedRoots([a]), at)).toBe(false)
})

test('a bundle has many authorities, and broken ones beside them', () => {
  const others = Array.from({length: 9}, () => createSigner().authority)
  const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'
  const roots = new TrustedRoots([[...others, broken, signer.authority].join('\n')])
  expect(isChainValid(parseChain(signer.certificate), roots, new Date(Date.UTC(2026, 10, 20)))).toBe(true)
})

test('a certificate is downloaded once, and one that cannot be had not all the time', async () => {
  const clock = new StoppedClock()
  const asked: string[] = []
  const stored = new Map<string, string>()
  const download = async (address: string) => {
    asked.push(address)
    if (address === 'good') return signer.certificate
    throw new Error('no such certificate')
  }
  const open = () =>
    new Certificates({
      ...{clock, download, loadRoots: async () => new TrustedRoots([signer.authority])},
      cache: {read: name => stored.get(name), write: (name, pem) => void stored.set(name, pem)},
    })
  const certificates = open()
  for (let at = 0; at < 3; at++) expect((await certificates.find('good', clock.now())).kind).toBe('valid')
  expect((await open().find('good', clock.now())).kind).toBe('valid')
  expect(asked).toEqual(['good'])
  for (let at = 0; at < 100; at++) await certificates.find(`bad ${at % 50}`, clock.now())
  expect(asked.length).toBe(9)
  clock.advance(61_000)
  await certificates.find('bad 1', clock.now())
  expect(asked.length).toBe(10)
})
