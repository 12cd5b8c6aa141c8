import {createHash, generateKeyPair} from 'node:crypto'
import {promisify} from 'node:util'
import {locateAuthorityFile} from '../../runtime/provider-address.js'
import type {ShopHost} from '../../runtime/runtime.js'
import type {ShopDatabase} from '../../store/schema/schema.js'
import {readConfig, writeConfig} from '../../store/schema/system-config.js'
import {buildCertificate} from './certificate.js'

/** The provider's signing key and certificates, PEM. Each shop has its own; servers that share a database share it. */
export interface ProviderIdentity {
  /** The authority's certificate, which receivers have to trust to verify signatures. */
  readonly authority: string
  readonly certificate: string
  readonly privateKey: string
  /** `CERT-…`, the end of the certificate's URL. */
  readonly certificateId: string
}

const IDENTITY_KEY = 'storectl.providerIdentity'

const YEARS = 10
const KEY_BITS = 2048
const AUTHORITY = 'storectl bundled provider'
const SIGNER = 'storectl bundled provider, webhooks'

/** The provider's signing identity, created at the first call. */
export async function ensureProviderIdentity(
  {reads, writes}: ShopDatabase,
  now: Date,
): Promise<ProviderIdentity> {
  const known = await readConfig(reads, IDENTITY_KEY)
  if (known !== undefined) return JSON.parse(known) as ProviderIdentity
  const made = await generateIdentity(now)
  return writes.run(async db => {
    const meanwhile = await readConfig(db, IDENTITY_KEY)
    if (meanwhile !== undefined) return JSON.parse(meanwhile) as ProviderIdentity
    await writeConfig(db, IDENTITY_KEY, JSON.stringify(made))
    return made
  })
}

/** Writes the authority's certificate to the data folder, where the profile of the bundled shop reads it. */
export async function saveProviderAuthority(
  db: ShopDatabase,
  dataFolder: string,
  {files, now}: Pick<ShopHost, 'files' | 'now'>,
): Promise<void> {
  const {authority} = await ensureProviderIdentity(db, now())
  const file = locateAuthorityFile(dataFolder)
  if (files.readTextIfThere(file) !== authority) files.writeWhole(file, authority)
}

const generateKeys = promisify(generateKeyPair)

async function generateIdentity(now: Date): Promise<ProviderIdentity> {
  const [authorityKeys, keys] = await Promise.all([
    generateKeys('ec', {namedCurve: 'prime256v1'}),
    generateKeys('rsa', {modulusLength: KEY_BITS}),
  ])
  const authorityKey = authorityKeys.privateKey
  const validFrom = new Date(now.getTime() - 30 * 86_400_000)
  const validTo = new Date(now.getTime() + YEARS * 365 * 86_400_000)
  const dates = {validFrom, validTo}
  const authority = buildCertificate(
    {
      ...{subject: AUTHORITY, issuer: AUTHORITY, ...dates, isAuthority: true},
      publicKey: authorityKeys.publicKey,
    },
    authorityKey,
  )
  const certificate = buildCertificate(
    {...{subject: SIGNER, issuer: AUTHORITY, ...dates, isAuthority: false}, publicKey: keys.publicKey},
    authorityKey,
  )
  const privateKey = keys.privateKey.export({type: 'pkcs8', format: 'pem'}) as string
  const certificateId = `CERT-${createHash('sha256').update(certificate).digest('hex').slice(0, 24)}`
  return {authority, certificate, privateKey, certificateId}
}
