import {createUsageError, StorectlError} from '../errors.js'
import {readTextIfThere} from '../platform/files/files.js'
import type {Env} from '../platform/processes.js'

/**
 * The authorities to trust besides the built-in ones, PEM. Those of `NODE_EXTRA_CA_CERTS` are included: Node ignores
 * that variable once a list is passed.
 *
 * @throws StorectlError `usage.ca_file`
 */
export function readAuthorities(file: string, {NODE_EXTRA_CA_CERTS: extraFile}: Env): string {
  const extra = extraFile ? readTextIfThere(extraFile) : undefined
  const own = readPem(file, {...CERTIFICATE, code: 'ca_file', purpose: 'an authority to trust'})
  return [own, ...(extra === undefined ? [] : [extra])].join('\n')
}

/**
 * Reads the client certificate and its key.
 *
 * @param keyFile default: the key is in `certFile`
 * @throws StorectlError `usage.cert`, `usage.key`
 */
export async function readIdentity(certFile: string, keyFile = certFile): Promise<Identity> {
  const cert = readPem(certFile, CERTIFICATE)
  const key = readPem(keyFile, PRIVATE_KEY)
  if (/ENCRYPTED/.test(key)) {
    throw createUsageError('key', `The key in ${keyFile} needs a passphrase; not running interactively.`, [
      `openssl pkey -in ${keyFile} -out FILE   # a copy without passphrase; keep it private`,
    ])
  }
  await refuseStrangers(cert, key, keyFile)
  return {cert, key}
}

/** What a PEM file should contain. */
interface PemContent {
  /** A pattern for the label in its first line. */
  readonly label: string
  readonly code: string
  readonly what: string
  readonly purpose: string
}

const CERTIFICATE: PemContent = {
  label: 'CERTIFICATE',
  code: 'cert',
  what: 'certificate',
  purpose: 'the certificate to show',
}

const PRIVATE_KEY: PemContent = {
  label: '(?:RSA |EC |ENCRYPTED )?PRIVATE KEY',
  code: 'key',
  what: 'private key',
  purpose: 'the key of the certificate',
}

function readPem(file: string, {label, code, what, purpose}: PemContent): string {
  const text = readTextIfThere(file)
  if (text !== undefined && new RegExp(`-----BEGIN ${label}-----`).test(text)) return text
  const why = text === undefined ? 'File not found' : `Not a PEM ${what}`
  throw createUsageError(code, `${why}: ${file} (${purpose}).`)
}

/** OpenSSL would report a mismatch only at the first connection, in a message that helps nobody. */
async function refuseStrangers(cert: string, key: string, keyFile: string): Promise<void> {
  const {createSecureContext} = await import('node:tls')
  try {
    createSecureContext({cert, key})
  } catch (error) {
    throw new StorectlError('usage.key', `The key in ${keyFile} is not the one of the certificate.`, {
      cause: error,
    })
  }
}

/** A certificate with its private key, both PEM. */
export interface Identity {
  readonly cert: string
  readonly key: string
}
