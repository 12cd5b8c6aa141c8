import {createSign, type KeyObject, randomBytes} from 'node:crypto'
import {encodeBits, encodeInteger, encodeObjectId, encodeTime, encodeValue, TAG} from './der.js'

/** The content of a certificate. */
export interface CertificateRequest {
  /** Common names. */
  readonly subject: string
  readonly issuer: string
  readonly publicKey: KeyObject
  readonly validFrom: Date
  readonly validTo: Date
  /** Whether its key signs certificates, else messages. */
  readonly isAuthority: boolean
}

const OBJECT_IDS = {
  commonName: '2.5.4.3',
  sha256WithEcdsa: '1.2.840.10045.4.3.2',
  basicConstraints: '2.5.29.19',
  keyUsage: '2.5.29.15',
} as const

const SERIAL_BYTES = 16

/**
 * Creates a certificate.
 *
 * @param issuerKey private elliptic-curve key
 * @returns PEM
 * @see RFC 5280 §4.1
 */
export function buildCertificate(request: CertificateRequest, issuerKey: KeyObject): string {
  const algorithm = encodeValue(TAG.sequence, encodeObjectId(OBJECT_IDS.sha256WithEcdsa))
  const content = encodeValue(
    TAG.sequence,
    encodeValue(TAG.explicit0, encodeInteger(Buffer.from([2]))),
    encodeInteger(randomBytes(SERIAL_BYTES)),
    algorithm,
    encodeName(request.issuer),
    encodeValue(TAG.sequence, encodeTime(request.validFrom), encodeTime(request.validTo)),
    encodeName(request.subject),
    request.publicKey.export({type: 'spki', format: 'der'}),
    encodeValue(TAG.explicit3, encodeExtensions(request.isAuthority)),
  )
  const signature = createSign('sha256').update(content).sign(issuerKey)
  const certificate = encodeValue(TAG.sequence, content, algorithm, encodeBits(signature))
  return toPem(certificate)
}

function encodeName(commonName: string): Buffer {
  const value = encodeValue(TAG.utf8String, Buffer.from(commonName))
  const attribute = encodeValue(TAG.sequence, encodeObjectId(OBJECT_IDS.commonName), value)
  return encodeValue(TAG.sequence, encodeValue(TAG.set, attribute))
}

const TRUE = Buffer.from([TAG.boolean, 1, 0xff])

/** Bits of the key usage: keyCertSign is the sixth, digitalSignature the first. */
const CERTIFICATE_SIGNING = Buffer.from([TAG.bitString, 2, 2, 0x04])
const MESSAGE_SIGNING = Buffer.from([TAG.bitString, 2, 7, 0x80])

function encodeExtensions(isAuthority: boolean): Buffer {
  return encodeValue(
    TAG.sequence,
    encodeExtension(OBJECT_IDS.basicConstraints, encodeValue(TAG.sequence, ...(isAuthority ? [TRUE] : []))),
    encodeExtension(OBJECT_IDS.keyUsage, isAuthority ? CERTIFICATE_SIGNING : MESSAGE_SIGNING),
  )
}

function encodeExtension(id: string, value: Uint8Array): Buffer {
  return encodeValue(TAG.sequence, encodeObjectId(id), TRUE, encodeValue(TAG.octetString, value))
}

const LINE = 64

function toPem(der: Buffer): string {
  const lines = der.toString('base64').match(new RegExp(`.{1,${LINE}}`, 'g')) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
