import {generateKeyPairSync, type KeyObject} from 'node:crypto'
import {buildCertificate} from '../../src/shop/provider/signing/certificate.js'
import {buildSignedHeaders} from '../../src/shop/provider/signing/sign.js'
import type {Headers} from '../../src/webhook/event/headers.js'

const DAY_MS = 86_400_000

/** An authority with a certificate for messages, as a provider has it. */
export function createSigner({
  validFrom = new Date(Date.UTC(2020, 0, 1)),
  days = 10_000,
}: {
  validFrom?: Date
  days?: number
} = {}) {
  const authorityKeys = generateKeyPairSync('ec', {namedCurve: 'prime256v1'})
  const keys = generateKeyPairSync('rsa', {modulusLength: 2048})
  const dates = {validFrom, validTo: new Date(validFrom.getTime() + days * DAY_MS)}
  const build = (subject: string, publicKey: KeyObject, isAuthority: boolean) =>
    buildCertificate(
      {...dates, subject, issuer: 'authority', publicKey, isAuthority},
      authorityKeys.privateKey,
    )
  const authority = build('authority', authorityKeys.publicKey, true)
  const certificate = build('messages', keys.publicKey, false)
  const privateKey = keys.privateKey.export({type: 'pkcs8', format: 'pem'}) as string
  const sign = (
    body: Uint8Array,
    {webhookId = 'WH1', api = 'https://api.paypal.com', at = new Date(Date.UTC(2026, 10, 20))} = {},
  ): Headers =>
    Object.entries(buildSignedHeaders({body, webhookId, api, at}, {privateKey, certificateId: 'CERT-1'}))
  return {authority, certificate, publicKey: keys.publicKey, sign}
}

/**
 * A body with any text whose CRC-32 is a wanted one: four bytes are put behind it that lead there.
 *
 * @see the CRC-32 is linear: its state behind four bytes can be any, whatever was before
 */
export function forgeChecksum(text: string, wanted: number): Buffer {
  const head = Buffer.from(text)
  let state = 0xffffffff
  for (const byte of head) state = (TABLE[(state ^ byte) & 0xff] as number) ^ (state >>> 8)
  let needed = (wanted ^ 0xffffffff) >>> 0
  const indexes: number[] = []
  for (let left = 4; left > 0; left--) {
    const index = TABLE.findIndex(entry => entry >>> 24 === needed >>> 24)
    indexes.unshift(index)
    needed = ((needed ^ (TABLE[index] as number)) << 8) >>> 0
  }
  const bytes = indexes.map(index => {
    const byte = (index ^ state) & 0xff
    state = (TABLE[index] as number) ^ (state >>> 8)
    return byte
  })
  return Buffer.concat([head, Buffer.from(bytes)])
}

const TABLE = Uint32Array.from({length: 256}, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value >>> 0
})
